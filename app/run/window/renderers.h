#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "app/render/renderer.h"
#include "app/run/quality.h"

namespace satdof {

// The renderers of a window, one for each kind of image. They share one scene.
class Renderers {
 public:
  // An image of each quality, the image that a key shows instead, and a small image.
  enum class Kind { quick, best, reference, peek, thumbnail };
  static Kind kindOf(Shown shown);

  // Made when first needed.
  Renderer& get(Kind kind);
  // Null if it was not made.
  Renderer* made(Kind kind) const { return at(kind).get(); }
  void discard(Kind kind) { at(kind).reset(); }
  // Frees all renderers and their scene.
  void discardAll();
  // Ends reading the file of the scene.
  void cancelLoading(SceneKind scene) { scene_->of(scene).cancelLoading(); }

  // Call when images may have been allocated or freed.
  void expectTidying(double nowS);
  bool untidy() const { return untidySinceS_.has_value(); }
  // Frees memory that images no longer use, some seconds after expectTidying(). `size`: of the image in the window.
  void tidy(double nowS, std::span<const Kind> used, glm::ivec2 size);

 private:
  std::unique_ptr<Renderer>& at(Kind kind) { return renderers_[static_cast<std::size_t>(kind)]; }
  const std::unique_ptr<Renderer>& at(Kind kind) const { return renderers_[static_cast<std::size_t>(kind)]; }

  std::shared_ptr<SharedScene> scene_ = std::make_shared<SharedScene>();
  std::array<std::unique_ptr<Renderer>, static_cast<std::size_t>(Kind::thumbnail) + 1> renderers_;
  std::optional<double> untidySinceS_;  // time of expectTidying(); none: nothing to free
};

}  // namespace satdof
