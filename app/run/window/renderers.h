#pragma once
#include <array>
#include <memory>
#include <optional>

#include "app/render/renderer.h"
#include "app/run/quality.h"

namespace satdof {

// The renderers of a window, by what they show. They share one scene.
class Renderers {
 public:
  // Made when first needed. `flipped`: draws B alone, whatever else is shown, so that the image of A stays.
  Renderer& of(Shown shown, bool flipped = false);
  // For the thumbnail of a zoomed image.
  Renderer& ofThumbnail() { return at(kThumbnail); }
  // Null if none has been made.
  Renderer* made(Shown shown) const { return renderers_[indexOf(shown, false)].get(); }
  void discard(Shown shown, bool flipped = false) { renderers_[indexOf(shown, flipped)].reset(); }
  // With the scene.
  void discardAll();
  // Ends the reading of the scene's file.
  void cancelLoading(SceneKind scene) { scene_->of(scene).cancelLoading(); }

  // Call when images may have been allocated or freed.
  void expectTidying(double nowS);
  bool untidy() const { return untidySinceS_.has_value(); }
  // Frees what images no longer use, some seconds after they began to change. `size`: of the image, which is `shown`. `keepsB`,
  // `keepsThumbnail`: these are still wanted.
  void tidy(double nowS, Shown shown, bool keepsB, bool keepsThumbnail, glm::ivec2 size);

 private:
  static size_t indexOf(Shown shown, bool flipped) { return flipped ? 3 : static_cast<size_t>(shown); }

  std::shared_ptr<SharedScene> scene_ = std::make_shared<SharedScene>();
  static constexpr size_t kThumbnail = 4;
  Renderer& at(size_t index);

  std::array<std::unique_ptr<Renderer>, 5> renderers_;
  std::optional<double> untidySinceS_;  // when images were allocated that tidy() has not seen
};

}  // namespace satdof
