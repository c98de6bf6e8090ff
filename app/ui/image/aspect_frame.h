#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/ui/session.h"

namespace satdof {

// The area that a capture shows.
struct CapturedArea {
  // Corners, 0 to 1 of the image from the bottom left; may lie outside the image.
  glm::vec2 from{0.0f}, to{1.0f};
  glm::vec2 pixels{1.0f};  // size of the captured image
};
CapturedArea capturedArea(const Session& session);

// The largest frame of the chosen aspect ratio in the captured area. Without a chosen ratio, the whole captured area.
struct AspectFrameArea {
  // Corners, 0 to 1 of the window from the bottom left; may lie outside the window.
  glm::vec2 from{0.0f}, to{1.0f};
  glm::ivec2 pixels{1}, image{1};  // size of the frame, and size of the captured image
};
// Returns none unless an aspect ratio is chosen or the timeline shows the film of a scene.
std::optional<AspectFrameArea> aspectFrame(const Session& session);

// Draws the frame with its size. A chosen aspect ratio also has safe areas (EBU R 95: 93 % for action, 90 % for text).
void drawAspectFrame(const Session& session);

}  // namespace satdof
