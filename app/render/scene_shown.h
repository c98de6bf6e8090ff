#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/scene/scene_report.h"

namespace satdof {

// The scene of a drawn image.
struct SceneShown : SceneReport {
  glm::vec2 areaFrom{0.0f},
      areaTo{1.0f};  // 0 to 1 of the image: where the scene is; a photograph may have bars beside it
  std::optional<glm::vec2> trackedAt;  // the point that the autofocus tracks, 0 to 1 of the image
};

}  // namespace satdof
