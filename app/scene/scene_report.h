#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/io/notes.h"

namespace satdof {

struct Shot;

// A line of the scene's panel.
struct SceneReading {
  std::string label, value, help;
};

// What a scene says about its last image.
struct SceneReport {
  std::string whyStill;       // why the animation changes nothing, "the image stands still"; empty if it may
  glm::ivec2 fileSize{0};     // pixels of the photograph that is shown; 0: there is none
  bool lacksDepth = false;    // it shows a photograph whose depth is unknown, which is flat
  bool guessesDepth = false;  // what the numbers of its depth mean: no file says that
  // How often the photograph has an inverse distance: in equal parts, from 0 to the nearest; null: unknown.
  std::shared_ptr<const std::vector<std::uint32_t>> depthCounts;
  std::shared_ptr<const Shot> cameraShot;  // of a camera of its file that moves; null: none does
  Notes notes;                             // what the readers of its files assumed or left out, with the file
  std::vector<SceneReading> readings;      // what a live scene measures; usually empty
};

}  // namespace satdof
