#pragma once
#include <span>
#include <string>
#include <string_view>

// The controls of the panels as a table: what each field of Settings is called and how it is edited. Needs no window.
namespace satdof {

// How one field of Settings is edited. Its help, its range and the scale of its slider come
// from app/core/fields.h.
struct Control {
  const char* path;  // Field::key
  const char* label;
  const char* source;        // in the tooltip: section, paper, equation or key
  double low = 0, high = 0;  // range of the slider; both 0: the field's. Typed numbers use the field's range
  const char* format = "%.2f";
  const char* zero = nullptr;  // text of the number 0, if it stands for something else
  const char* keys = "";       // of a control of both sides: they change side A
  bool powersOfTwo = false;
  bool thirdStops = false;  // an f-number: dragging stops at the standard numbers
};

enum class ControlGroup { technique, lens, blur, camera, scene, filter, compare, quality };

// The controls of a group, in the order of the panel.
std::span<const Control> controls(ControlGroup group);

// Throws std::logic_error for a path without a control.
const Control& controlOf(const char* path);

// The control of a field, by Field::path(); null: none.
const Control* findControl(std::string_view path);

// Returns the label of the control of a field, by Field::path(); without a control, the key in words:
// "camera.yawDegrees" gives "Yaw".
std::string labelOf(const std::string& path);

}  // namespace satdof
