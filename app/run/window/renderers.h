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
  // Made when first needed.
  Renderer& of(Shown shown);
  // Null if none has been made.
  Renderer* made(Shown shown) const { return renderers_[static_cast<size_t>(shown)].get(); }
  void discard(Shown shown) { renderers_[static_cast<size_t>(shown)].reset(); }
  // With the scene.
  void discardAll();

  // Call when images may have been allocated or freed.
  void expectTidying(double nowS);
  bool untidy() const { return untidySinceS_.has_value(); }
  // Frees what images no longer use, some seconds after they began to change. `size`: of the image, which is `shown`.
  void tidy(double nowS, Shown shown, glm::ivec2 size);

 private:
  std::shared_ptr<SharedScene> scene_ = std::make_shared<SharedScene>();
  std::array<std::unique_ptr<Renderer>, 3> renderers_;
  std::optional<double> untidySinceS_;  // when images were allocated that tidy() has not seen
};

}  // namespace satdof
