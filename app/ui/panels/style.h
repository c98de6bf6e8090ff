#pragma once
#include <imgui.h>

#include <glm/vec2.hpp>

namespace satdof {

inline ImVec2 imVec(glm::vec2 v) { return {v.x, v.y}; }

// A window that the layout places, without a title.
constexpr ImGuiWindowFlags kFixedWindow = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

// Sets sizes and colours of Dear ImGui. `scale`: screen coordinates per pixel of a display without scaling.
void setStyle(float scale);

// The colour of chosen and focused items.
constexpr ImU32 accent(int alpha) { return IM_COL32(240, 178, 82, alpha); }
constexpr ImU32 kAccent = accent(255);

// Typefaces of the panels: text, bold titles, and smaller hints.
enum class Typeface { text, title, hint };
// Loads the typefaces into the font atlas. `sizePx`: size of the text.
void loadTypefaces(float sizePx);
void pushTypeface(Typeface typeface);
void popTypeface();

}  // namespace satdof
