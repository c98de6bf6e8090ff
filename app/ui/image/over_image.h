#pragma once
#include <imgui.h>

#include <glm/vec2.hpp>

#include "app/ui/session.h"

// What the drawings over the image share.
namespace satdof {

inline constexpr ImU32 kShadow = IM_COL32(0, 0, 0, 150);
inline constexpr ImU32 kPlate = IM_COL32(0, 0, 0, 235);  // background of numbers

// Converts a point of the window, 0 to 1 from the bottom left, to screen coordinates.
ImVec2 onScreen(glm::vec2 point);
// Returns the left edge of the visible image in screen coordinates.
float imageLeft(const Session& session);
// Whether a view of two labelled halves is shown.
bool hasHalves(const Session& session);
// Returns the side of the loupe with its margin in screen coordinates; 0 without a loupe.
float loupeReach(const Session& session, float pixelsPerPoint);
// Returns the font size in which the longest title fits the loupe; and the height of the title.
float loupeTitleFont(float pixelsPerPoint);
float loupeTitleHeight(float pixelsPerPoint);
inline constexpr float kLoupeTitleGap = 4.0f;
// Draws text on a plate.
void drawTag(const char* text, ImVec2 from, ImU32 colour = IM_COL32_WHITE);

}  // namespace satdof
