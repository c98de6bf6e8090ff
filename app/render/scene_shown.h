#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/shot.h"

namespace satdof {

// The scene of a drawn image.
struct SceneShown {
  glm::vec2 areaFrom{0.0f},
      areaTo{1.0f};  // 0 to 1 of the image: where the scene is; a photograph may have bars beside it
  std::optional<glm::vec2> trackedAt;  // the point that the autofocus tracks, 0 to 1 of the image
  glm::ivec2 fileSize{0};              // Scene::fileSize()
  bool lacksDepth = false;             // Scene::lacksDepth()
  std::shared_ptr<const std::vector<std::uint32_t>> depthCounts;  // Scene::depthCounts()
  std::string whyStill;                    // Scene::whyStill(): empty if the scene can move
  std::shared_ptr<const Shot> cameraShot;  // Scene::cameraShot()
};

}  // namespace satdof
