#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/io/notes.h"

namespace satdof {

struct Shot;

// A line of the scene's panel.
struct SceneReading {
  std::string label, value, help;
};

// Facts about the last image of a scene.
struct SceneReport {
  // Animation time of a simulation that may fall behind.
  std::optional<float> timeS;
  std::string whyStill;       // why the animation has no effect; empty: it has one
  glm::ivec2 fileSize{0};     // pixels of the photograph; 0: no photograph
  bool lacksDepth = false;    // the photograph has no depth and is shown flat
  std::string depthDamage;    // why the depth beside the photograph cannot be read; empty: it can
  bool guessesDepth = false;  // no file states the meaning of the depth values
  // Histogram of the inverse distances of the photograph: equal bins from 0 to the nearest. Null: unknown.
  std::shared_ptr<const std::vector<std::uint32_t>> depthCounts;
  std::shared_ptr<const Shot> cameraShot;  // path of an animated camera of the file; null: none
  Notes notes;                             // assumptions and omissions of the file readers, with the file
  std::vector<SceneReading> readings;      // lines of the scene's panel; usually empty
};

}  // namespace satdof
