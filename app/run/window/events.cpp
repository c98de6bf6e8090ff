#include "app/run/window/events.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/ui/keys.h"

namespace satdof {

void dispatch(const std::vector<InputEvent>& events, const GlfwWindow& window, const Ui& ui, ImageMouse& mouse,
              Session& session) {
  using Kind = InputEvent::Kind;
  const glm::vec2 size = window.size();
  for (const auto& event : events) {
    const auto button = static_cast<MouseButton>(event.code);
    const bool knownButton = event.code <= static_cast<int>(MouseButton::middle);
    switch (event.kind) {
      case Kind::key:
        if (session.browser.shown() && editsText(event.code, event.control)) {
          if (const auto file = session.browser.press(event)) session.request({Command::openFiles, {*file}});
        } else if (ui.navigates() && navigates(event.code, event.control)) {
          break;
        } else if (!ui.ownsKeyboard() || !editsText(event.code, event.control)) {
          pressKey(session, event.code, event.control, event.repeated, event.shift);
        }
        break;
      case Kind::character:
        if (session.browser.shown())
          session.browser.type(event.code);
        else if (!ui.ownsKeyboard() && !(ui.navigates() && event.code == ' ')) {
          askWhetherText(session, static_cast<unsigned>(event.code), glfwGetTime());
          typeCharacter(session, static_cast<unsigned>(event.code), event.repeated);
        }
        break;
      case Kind::press:
        if (!ui.ownsMouse() && knownButton && !session.browser.shown())
          mouse.press(session, button, {.shift = event.shift, .space = window.held(GLFW_KEY_SPACE)}, event.at, size);
        break;
      case Kind::release:
        if (knownButton) mouse.release(session, button, size);
        break;
      case Kind::move:
        mouse.move(session, event.at, size);
        break;
      case Kind::keyUp:
      case Kind::leave:
        break;
      case Kind::scroll:
        if (!ui.ownsMouse()) mouse.scroll(session, event.at.y, {event.shift, event.control, event.alt, false});
        break;
    }
  }
  const bool control = window.held(GLFW_KEY_LEFT_CONTROL) || window.held(GLFW_KEY_RIGHT_CONTROL);
  for (const auto& binding : keyBindings())
    if (binding.trigger == Trigger::hold && !control && !ui.ownsKeyboard() && !session.browser.shown() &&
        window.heldAlone(binding.key) && !(ui.navigates() && navigates(binding.key)))
      binding.act(session, -1);
}

}  // namespace satdof
