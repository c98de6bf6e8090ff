#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/scene/scene_report.h"

namespace satdof {

// Which part of an image shows the scene. Points are 0 to 1 of the image, from the bottom left.
struct SceneShown : SceneReport {
  // Corners of the scene in the image. A photograph may have bars beside it.
  glm::vec2 areaFrom{0.0f}, areaTo{1.0f};
  std::optional<glm::vec2> trackedAt;  // the point that the autofocus tracks
};

}  // namespace satdof
