#pragma once
#include <string>
#include <string_view>

#include "app/core/fields.h"

// The few kinds of control that the panels are made of. Between ImGui::NewFrame() and ImGui::Render() only.
namespace satdof {

// How one field of Settings is edited; what it means and its range come from app/core/fields.h.
struct Control {
  const char* path;  // its field, a key of app/core/fields.h
  const char* label;
  const char* source;  // for the tooltip: chapter section, paper or equation
  double low = 0,
         high = 0;  // of the slider; both 0: the field's own range. Typed numbers may use all of that
  const char* format = "%.2f";
  bool logarithmic = false;
  bool powersOfTwo = false;
};

// The control of the field at control.path within `scope`. Greyed where `unavailable` says why.
void edit(Settings& settings, const Control& control, const Scope& scope = kNoScope,
          const std::string& unavailable = {});

// Of the item before it, once the mouse rests on it.
void tooltip(const std::string& text);

// The name of a row, left of the item that follows and fills the rest of the line.
void rowLabel(const char* label);

// Text that wraps at the panel's edge.
void hint(const std::string& text);

// "12.3 us", "1.23 ms".
std::string timeText(float timeUs);

}  // namespace satdof
