#include "app/ui/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/ui/keys.h"

namespace satdof {

namespace {

using Kind = InputEvent::Kind;

bool isButton(const InputEvent& event) { return event.kind == Kind::press || event.kind == Kind::release; }
bool isKey(const InputEvent& event) { return event.kind == Kind::key || event.kind == Kind::keyUp; }

// Keys that type characters. Their characters are events of their own, so these keys may go up at once and
// quick typing is not slowed down.
bool types(const InputEvent& event) {
  return event.code >= GLFW_KEY_SPACE && event.code < GLFW_KEY_ESCAPE && !event.control;
}
bool modifies(const InputEvent& event) { return event.code >= GLFW_KEY_LEFT_SHIFT; }

// Whether the next event changes the modifiers of the earlier one: Dear ImGui has one state of the modifiers a frame.
bool changesModifiers(const InputEvent& earlier, const InputEvent& next) {
  if (!modifies(next)) return false;
  const bool control = next.code == GLFW_KEY_LEFT_CONTROL || next.code == GLFW_KEY_RIGHT_CONTROL;
  return (earlier.kind == Kind::key && !types(earlier) && !modifies(earlier)) ||
         (earlier.kind == Kind::character && control);  // Dear ImGui drops characters while Ctrl is down
}

// Keys of the keyboard navigation. Dear ImGui takes a frame to go to another item.
bool navigates(const InputEvent& event) {
  return isKey(event) && (event.code == GLFW_KEY_TAB || satdof::navigates(event.code));
}

// Whether `next` can share a frame with `earlier`.
bool shares(const InputEvent& earlier, const InputEvent& next) {
  if (isButton(earlier) && !isButton(next)) return false;  // a click may open what the next event is meant for
  switch (next.kind) {
    case Kind::key:
    case Kind::keyUp:
      if (changesModifiers(earlier, next) || (next.kind == Kind::key && navigates(earlier) && navigates(next)))
        return false;
      return !isKey(earlier) || earlier.code != next.code || earlier.kind == next.kind || types(earlier);
    case Kind::character:  // Dear ImGui takes the text of a frame before its keys, such as Backspace
      return earlier.kind != Kind::key || types(earlier) || modifies(earlier);
    case Kind::press:
      return !isButton(earlier) || earlier.code != next.code;
    case Kind::release:  // the last move of a drag needs the button down
      return earlier.kind != Kind::move && (!isButton(earlier) || earlier.code != next.code);
    case Kind::move:
    case Kind::leave:  // the wheel acts at the position where it was turned
      return earlier.kind != Kind::scroll;
    case Kind::scroll:
      return true;
  }
  return true;
}

}  // namespace

bool InputQueue::acts() const {
  return std::ranges::any_of(waiting_, [](const InputEvent& event) {
    return (event.kind == Kind::key && !modifies(event)) || event.kind == Kind::press ||
           event.kind == Kind::character || event.kind == Kind::scroll;
  });
}

std::vector<InputEvent> InputQueue::take() {
  auto end = waiting_.begin();
  while (end != waiting_.end() &&
         std::all_of(waiting_.begin(), end, [&](const InputEvent& earlier) { return shares(earlier, *end); }))
    ++end;
  std::vector<InputEvent> taken(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  for (const auto& event : taken) {
    if (event.kind == Kind::key) held_.insert(event.code);
    if (event.kind == Kind::key && event.control) withControl_.insert(event.code);
    if (event.kind == Kind::keyUp) held_.erase(event.code);
    if (event.kind == Kind::keyUp) withControl_.erase(event.code);
    if (event.kind == Kind::press) heldButtons_.insert(event.code);
    if (event.kind == Kind::release) heldButtons_.erase(event.code);
  }
  return taken;
}

bool InputQueue::holding() const {
  return !heldButtons_.empty() || (!held_.empty() && *held_.begin() < GLFW_KEY_LEFT_SHIFT);
}

}  // namespace satdof
