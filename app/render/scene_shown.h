#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/scene/scene_report.h"

namespace satdof {

// What an image shows of the scene. Points are 0 to 1 of the image, from the bottom left.
struct SceneShown : SceneReport {
  std::optional<glm::vec2> trackedAt;  // the point that the autofocus tracks
};

}  // namespace satdof
