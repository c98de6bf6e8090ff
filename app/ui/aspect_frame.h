#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/ui/session.h"

namespace satdof {

// What a capture shows: its corners, 0 to 1 of the image from the bottom left, which may lie outside, and its pixels.
struct CapturedArea {
  glm::vec2 from{0.0f}, to{1.0f}, pixels{1.0f};
};
CapturedArea capturedArea(const Session& session);

// A frame of another aspect in what a capture shows, as large as it fits, or all of it while the timeline shows its film.
struct AspectFrameArea {
  glm::vec2 from{0.0f},
      to{1.0f};                 // corners in the window, 0 to 1 from the bottom left; may lie outside of it
  glm::ivec2 pixels{1}, of{1};  // of the frame in the captured image, and of the image
};
std::optional<AspectFrameArea> aspectFrame(const Session& session);

// Draws the frame with its size; one of another aspect with safe areas (EBU R 95: 93 % for action, 90 % for text).
void drawAspectFrame(const Session& session);

}  // namespace satdof
