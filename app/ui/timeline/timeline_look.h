#pragma once
#include <imgui.h>

// What the parts of the timeline share.
namespace satdof {

inline constexpr ImU32 kChosen = IM_COL32(255, 255, 255, 255), kMarkColour = IM_COL32(150, 150, 150, 255),
                       kLaneColour = IM_COL32(255, 255, 255, 22), kHeadColour = IM_COL32(235, 96, 84, 255);

inline float inFonts(float count) { return count * ImGui::GetFontSize(); }

// Draws a field for a time in whole frames. Returns whether the time changed.
bool dragTime(const char* id, double& timeS, float rate);

}  // namespace satdof
