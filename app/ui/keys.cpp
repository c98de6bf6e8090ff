#include "app/ui/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "app/sat/sat_backend.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

constexpr float kOrbitDegreesPerS = 60.0f;
constexpr float kHeldKeyMaxS = 0.1f;

template <float yaw, float pitch>
void orbitHeld(Session& session, int) {
  const float degrees = kOrbitDegreesPerS * std::min(session.frameS, kHeldKeyMaxS);
  orbit(session.settings.camera, yaw * degrees, pitch * degrees);
}

template <auto Method::*field>
void cycleField(Session& session, int) {
  auto& value = session.settings.method.*field;
  cycle(value);
  session.say(name(value));
}

void chooseView(Session& session, int index) {
  const auto views = entries(View{});
  if (index >= static_cast<int>(views.size())) return;
  session.settings.method.view = views[static_cast<size_t>(index)].value;
  session.say(views[static_cast<size_t>(index)].summary);
}

void cycleScan(Session& session, int index) {
  if (resolve(session.settings.method.backend) != Backend::cuda)
    session.say("scan variants belong to the cuda backend");
  else
    cycleField<&Method::scan>(session, index);
}

void moveAperture(Session& session, int index) {
  moveFNumber(session.settings.lens, index == 0 ? -1 : 1);
  clampToRanges(session.settings);
  char text[32];
  std::snprintf(text, sizeof text, "f/%.2g", static_cast<double>(session.settings.lens.fNumber));
  session.say(text);
}

void closeOverlay(Session& session, int) {
  session.showKeys = false;
  session.error.clear();
}

constexpr std::array kBindings = {
    KeyBinding{"click", "focus on what is there", "", 0, false, Trigger::press, nullptr},
    KeyBinding{"drag", "turn the camera, or move the split line", "", 0, false, Trigger::press, nullptr},
    KeyBinding{"right, middle or Shift drag", "move the camera", "", 0, false, Trigger::press, nullptr},
    KeyBinding{"wheel", "focus distance, evenly in diopters; Shift: ten steps", "", 0, false, Trigger::press,
               nullptr},
    KeyBinding{"Ctrl wheel", "camera distance", "", 0, false, Trigger::press, nullptr},
    KeyBinding{"+ -", "camera distance", "+=-", 0, false, Trigger::repeat,
               [](Session& s, int index) { zoom(s.settings.camera, index == 2 ? -1.0f : 1.0f); }},
    KeyBinding{"Left", "turn the camera", "", GLFW_KEY_LEFT, false, Trigger::hold, orbitHeld<-1.0f, 0.0f>},
    KeyBinding{"Right", "turn the camera", "", GLFW_KEY_RIGHT, false, Trigger::hold, orbitHeld<1.0f, 0.0f>},
    KeyBinding{"Up", "raise the camera", "", GLFW_KEY_UP, false, Trigger::hold, orbitHeld<0.0f, 1.0f>},
    KeyBinding{"Down", "lower the camera", "", GLFW_KEY_DOWN, false, Trigger::hold, orbitHeld<0.0f, -1.0f>},
    KeyBinding{"R", "the camera as it was at first", "rR", 0, false, Trigger::press,
               [](Session& s, int) { s.settings.camera = {}; }},
    KeyBinding{"Space", "pause the animation, and go on", " ", 0, false, Trigger::press,
               [](Session& s, int) { s.settings.scene.animate = !s.settings.scene.animate; }},
    KeyBinding{"1 to 9", "view: final, sharp, coc, depth, table, ...", "123456789", 0, false, Trigger::press,
               chooseView},
    KeyBinding{"[ ]", "open and close the aperture by a third of a stop", "[]", 0, false, Trigger::repeat,
               moveAperture},
    KeyBinding{"A", "autofocus on the picture's centre", "aA", 0, false, Trigger::press,
               [](Session& s, int) { s.settings.lens.autofocus = !s.settings.lens.autofocus; }},
    KeyBinding{"L", "next lens", "lL", 0, false, Trigger::press, cycleField<&Method::lens>},
    KeyBinding{"B", "next backend", "bB", 0, false, Trigger::press, cycleField<&Method::backend>},
    KeyBinding{"V", "next scan variant", "vV", 0, false, Trigger::press, cycleScan},
    KeyBinding{"T", "next element type of the table", "tT", 0, false, Trigger::press,
               cycleField<&Method::format>},
    KeyBinding{"S", "split: two methods side by side", "sS", 0, false, Trigger::press,
               [](Session& s, int) { s.settings.split.enabled = !s.settings.split.enabled; }},
    KeyBinding{"F", "full screen", "fF", 0, false, Trigger::press,
               [](Session& s, int) { s.settings.present.fullScreen = !s.settings.present.fullScreen; }},
    KeyBinding{"F1 ?", "these keys", "?", GLFW_KEY_F1, false, Trigger::press,
               [](Session& s, int) { s.showKeys = !s.showKeys; }},
    KeyBinding{"F2", "hide the panels, and show them", "", GLFW_KEY_F2, false, Trigger::press,
               [](Session& s, int) { s.settings.present.showUi = !s.settings.present.showUi; }},
    KeyBinding{"F5", "compile the shaders anew", "", GLFW_KEY_F5, false, Trigger::press,
               [](Session& s, int) { s.reloadShaders = true; }},
    KeyBinding{"F12", "write the picture to a file", "", GLFW_KEY_F12, false, Trigger::press,
               [](Session& s, int) { s.captureNow = true; }},
    KeyBinding{"Esc", "close this and any message", "", GLFW_KEY_ESCAPE, false, Trigger::press, closeOverlay},
    KeyBinding{"Ctrl Q", "quit", "", GLFW_KEY_Q, true, Trigger::press,
               [](Session& s, int) { s.quit = true; }},
};

}  // namespace

std::span<const KeyBinding> keyBindings() { return kBindings; }

void pressKey(Session& session, int key, bool control, bool repeated) {
  for (const auto& binding : kBindings)
    if (binding.key == key && key != 0 && binding.control == control && binding.trigger != Trigger::hold &&
        (!repeated || binding.trigger == Trigger::repeat))
      binding.act(session, -1);
}

void typeCharacter(Session& session, unsigned character, bool repeated) {
  for (const auto& binding : kBindings) {
    const std::string_view characters = binding.characters;
    const auto index =
        character < 128 ? characters.find(static_cast<char>(character)) : std::string_view::npos;
    if (index != std::string_view::npos && (!repeated || binding.trigger == Trigger::repeat))
      binding.act(session, static_cast<int>(index));
  }
}

}  // namespace satdof
