#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/ui/session.h"

namespace satdof {

// A frame of another aspect in what a capture shows, as large as it fits.
struct AspectFrameArea {
  glm::vec2 from{0.0f},
      to{1.0f};                 // corners in the window, 0 to 1 from the bottom left; may lie outside of it
  glm::ivec2 pixels{1}, of{1};  // of the frame in the captured image, and of the image
};
std::optional<AspectFrameArea> aspectFrame(const Session& session);

// Draws the frame with its safe areas (EBU R 95: 93 % for action, 90 % for text) and its size.
void drawAspectFrame(const Session& session);

}  // namespace satdof
