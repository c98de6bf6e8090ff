#pragma once
#include <array>
#include <memory>
#include <optional>

#include "app/render/renderer.h"
#include "app/run/quality.h"

namespace satdof {

// The renderers of a window, one for each kind of image. They share one scene.
class Renderers {
 public:
  // The renderer for images of this quality; made when first needed. `peeks`: for an image that a key shows
  // instead, so that the other renderers keep theirs.
  Renderer& get(Shown shown, bool peeks = false);
  // The renderer for small images.
  Renderer& ofThumbnail() { return at(kThumbnail); }
  // The renderer for this quality; null if it was not made.
  Renderer* made(Shown shown) const { return renderers_[indexOf(shown, false)].get(); }
  void discard(Shown shown, bool peeks = false) { renderers_[indexOf(shown, peeks)].reset(); }
  // Frees all renderers and their scene.
  void discardAll();
  // Ends reading the file of the scene.
  void cancelLoading(SceneKind scene) { scene_->of(scene).cancelLoading(); }

  // Call when images may have been allocated or freed.
  void expectTidying(double nowS);
  bool untidy() const { return untidySinceS_.has_value(); }
  // Frees memory that images no longer use, some seconds after expectTidying(). `shown`, `size`: of the image in
  // the window. `keepsPeek`: keeps the renderer of `peeks`. `keepsThumbnail`: keeps the one of small images.
  void tidy(double nowS, Shown shown, bool keepsPeek, bool keepsThumbnail, glm::ivec2 size);

 private:
  static size_t indexOf(Shown shown, bool peeks) { return peeks ? 3 : static_cast<size_t>(shown); }

  std::shared_ptr<SharedScene> scene_ = std::make_shared<SharedScene>();
  static constexpr size_t kThumbnail = 4;
  Renderer& at(size_t index);

  std::array<std::unique_ptr<Renderer>, 5> renderers_;
  std::optional<double> untidySinceS_;  // time of expectTidying(); none: nothing to free
};

}  // namespace satdof
