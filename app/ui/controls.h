#pragma once
#include <span>
#include <string>
#include <string_view>

// The table of controls: label and editing of each field of Settings. Needs no window.
namespace satdof {

// The control of one field of Settings. Help, range and scale of the field come from app/core/fields.h.
struct Control {
  const char* path;  // Field::key
  const char* label;
  const char* source;  // line of the tooltip: section, paper, equation or key
  // Range of the slider; both 0: the range of the field. Typed numbers use the range of the field.
  double low = 0, high = 0;
  const char* format = "%.2f";
  const char* zero = nullptr;  // text for the number 0, if it has a special meaning
  const char* keys = "";       // line of the tooltip on side A: keys that change side A
  bool powersOfTwo = false;    // a list of powers of two instead of a slider
  bool thirdStops = false;     // an f-number: dragging snaps to the standard numbers
};

enum class ControlGroup { technique, lens, blur, camera, scene, filter, compare, quality };

// Returns the controls of a group, in the order of the panel.
std::span<const Control> controls(ControlGroup group);

// Returns the control with this Control::path. Throws std::logic_error if there is none.
const Control& controlOf(const char* path);

// Returns the control of a field, by Field::path(); null: none.
const Control* findControl(std::string_view path);

// Returns the label of the control of a field, by Field::path(); without a control, the key in words:
// "camera.yawDegrees" gives "Yaw".
std::string labelOf(const std::string& path);

}  // namespace satdof
