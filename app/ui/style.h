#pragma once
#include <imgui.h>

namespace satdof {

// Sets sizes and colours of Dear ImGui. `scale`: screen coordinates per pixel of a display without scaling.
void setStyle(float scale);

// What is chosen, or in focus.
constexpr ImU32 accent(int alpha) { return IM_COL32(240, 178, 82, alpha); }
constexpr ImU32 kAccent = accent(255);

// Text in the panels, titles, and what is said aside.
enum class Typeface { text, title, aside };
// Loads them into the font atlas, at this size of the text in pixels. Titles are bold, asides are smaller.
void loadTypefaces(float sizePx);
void pushTypeface(Typeface typeface);
void popTypeface();

}  // namespace satdof
