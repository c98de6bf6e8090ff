#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/core/fields.h"

// The controls of the panels. Call between ImGui::NewFrame() and ImGui::Render().
namespace satdof {

// How one field of Settings is edited. Its help and range come from app/core/fields.h.
struct Control {
  const char* path;  // Field::key
  const char* label;
  const char* source;        // in the tooltip: section, paper, equation or key
  double low = 0, high = 0;  // range of the slider; both 0: the field's. Typed numbers use the field's range
  const char* format = "%.2f";
  const char* zero = nullptr;  // text of the number 0, if it stands for something else
  bool logarithmic = false;
  bool powersOfTwo = false;
  bool diopters = false;    // a distance, even in diopters, up to infinity
  bool thirdStops = false;  // an f-number: dragging stops at the standard numbers
};

// Sets every field whose path begins with one of `paths` to its default.
void resetFields(Settings& settings, std::span<const char* const> paths);

// Draws the control of the field control.path within `scope`. A double click on a slider or on any label sets the
// default. Disabled if `unavailable`, the reason, is not
// empty. Throws std::logic_error if there is no such field.
void edit(Settings& settings, const Control& control, const Scope& scope = kNoScope,
          const std::string& unavailable = {});

// Draws all controls of one panel.
void edit(Settings& settings, std::span<const Control> controls);

// Returns technique B for kTechniqueB, else technique A.
const Technique& techniqueOf(const Settings& settings, const Scope& scope);

// Draws a button with a tooltip. `width`: 0: of the label; -1: of the line.
bool button(const char* label, const char* help, float width);

// Draws a list that Esc closes. If it is open, draw its entries, then call ImGui::EndCombo().
bool beginList(const char* label, const char* shown);

// Shows a tooltip for the previous item while the mouse rests on it.
void tooltip(const std::string& text);

// Draws the label of a row. The next item fills the rest of the line. Returns whether the label was double-clicked.
bool rowLabel(const char* label);

// Returns the text with line breaks at spaces, so that lines fit into `width` where their words do. A number and its unit
// are one word. Dear ImGui would also break between them, and after the point of a number.
std::string brokenAtSpaces(const std::string& text, float width);

// Draws grey text that wraps at the panel's edge.
void hint(const std::string& text);

// Returns "12.3 us", "1.23 ms" or "1.23 s".
std::string timeText(float timeUs);

}  // namespace satdof
