#include "app/ui/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "app/core/letters.h"
#include "app/device/device.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/focus_ring.h"
#include "app/ui/timeline.h"
#include "app/ui/zoom.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr float kOrbitDegreesPerS = 60.0f;
constexpr float kHeldKeyMaxS = 0.1f;
constexpr int kLargestLoupe = 16;

template <int yaw, int pitch>
void orbitHeld(Session& session, int) {
  if (session.slow.shown || session.strip.focused || !viewpointTurns(session)) return;
  const float degrees = kOrbitDegreesPerS * std::min(session.frameS, kHeldKeyMaxS);
  orbit(session.settings.camera, static_cast<float>(yaw) * degrees, static_cast<float>(pitch) * degrees);
}

void zoomByKey(Session& session, int index) {
  const int steps = index == 2 ? -1 : 1;
  if (cameraMoves(session))
    zoom(session.settings.camera, static_cast<float>(steps));
  else
    stepZoom(session, steps, session.mouseAt);
}

// Names a choice and, if it is automatic, what it stands for.
template <class E>
void sayChoice(Session& session, const char* what, E chosen, E drawn) {
  std::string text = std::string(what) + ": " + name(chosen);
  if (drawn != chosen) text += std::string(" (") + name(drawn) + ")";
  session.say(text);
}

void cycleDevice(Session& session, int) {
  DeviceId& device = session.settings.technique.device;
  cycle(device);
  sayChoice(session, "Device", device, resolve(device));
}
void cycleLens(Session& session, int) {
  const Settings& settings = session.settings;
  LensKind& lens = session.settings.technique.lens.kind;
  cycle(lens, settings.scene.kind);
  sayChoice(session, "Lens", lens, restingTechnique(settings, settings.technique).lens.kind);
}
void cycleFormat(Session& session, int) {
  TableFormat& format = session.settings.technique.table.format;
  cycle(format);
  sayChoice(session, "Table format", format, format);
}
void cycleScan(Session& session, int) {
  Technique& technique = session.settings.technique;
  Scan& scan = technique.table.scan;
  if (const std::string why = missing(deviceOf(technique.device), &DeviceOptions::scan); !why.empty()) {
    session.say("Scan: " + why);
    return;
  }
  cycle(scan, technique.device);
  sayChoice(session, "Scan", scan, scan);
}

void chooseView(Session& session, int index) {
  if (session.showsRing && index >= 0 && index < static_cast<int>(Preferences::kFocusMarks))
    return recallMark(session, static_cast<std::size_t>(index));
  const auto views = entries(View{});
  if (index >= static_cast<int>(views.size())) return;
  const auto& view = views[static_cast<size_t>(index)];
  const std::string missing = viewReason(session.settings, session.settings.technique, view.value);
  if (missing.empty()) session.settings.technique.view = view.value;
  session.say(missing.empty() ? "View " + described(view)
                              : std::string("No view ") + shownName(view.value) + ": " + missing);
}

void stepView(Session& session, int index) {
  const auto views = entries(View{});
  const auto count = static_cast<int>(views.size());
  View& view = session.settings.technique.view;
  int at = 0;
  while (views[static_cast<size_t>(at)].value != view) ++at;
  for (int tried = 0; tried < count; ++tried) {
    at = (at + (index == 0 ? count - 1 : 1)) % count;
    const auto& next = views[static_cast<size_t>(at)];
    if (!viewReason(session.settings, session.settings.technique, next.value).empty()) continue;
    view = next.value;
    session.say("View " + described(next));
    return;
  }
}

void togglePeaking(Session& session, int) {
  View& view = session.settings.technique.view;
  const bool on = view != View::peaking;
  view = on ? View::peaking : View::final;
  session.say(on ? "Focus peaking: edges in focus are red" : "Focus peaking: off");
}

void nextLoupe(Session& session, int) {
  session.loupe = session.loupe == 0 ? 1 : session.loupe >= kLargestLoupe ? 0 : 2 * session.loupe;
  session.say(session.loupe == 0 ? "Loupe: off" : "Loupe: " + std::to_string(session.loupe) + ":1");
}

template <size_t index, bool stores>
void bookmark(Session& session, int) {
  if (stores)
    storeBookmark(session, index);
  else
    useBookmark(session, index);
}

void moveAperture(Session& session, int index) {
  moveFNumber(session.settings.lens, index == 0 ? -1 : 1);
  char text[32];
  std::snprintf(text, sizeof text, "Aperture: f/%g", static_cast<double>(session.settings.lens.fNumber));
  session.say(text);
}

void toggleAnimation(Session& session, int) {
  if (session.slow.shown) {
    session.slow.playing = !session.slow.playing;
    return;
  }
  if (session.timeline.shown) {
    if (!session.sequence) togglePlaying(session);
    return;
  }
  if (spaceIsFree(session)) {
    if (!session.zoom.active()) session.say("Animation: " + session.whyStill);
    return;
  }
  auto& animate = session.settings.scene.animate;
  animate = std::exchange(session.restsAtFirst, false) || !animate;
  session.say(animate ? "Animation: running" : "Animation: paused");
}

void toggleAutofocus(Session& session, int) {
  auto& autofocus = session.settings.lens.autofocus;
  autofocus = !autofocus;
  const AutofocusOn on = session.settings.lens.autofocusOn;
  for (const auto& entry : entries(AutofocusOn{}))
    if (entry.value == on) session.say("Autofocus: " + (autofocus ? described(entry) : std::string("off")));
  if (autofocus && on == AutofocusOn::centre) session.markFocus(session.visibleCentre());
}

void toggleSplit(Session& session, int) {
  auto& enabled = session.settings.split.enabled;
  enabled = !enabled;
  if (enabled) startComparison(session);
  session.say(enabled ? "Compare: A left of the line, B right" : "Compare: off");
}

void swapSidesAndNotify(Session& session, int) {
  swapSides(session);
  session.say("A and B swapped");
}

void resetCameraAndNotify(Session& session, int) {
  resetCamera(session);
  session.say("Camera: reset");
}

void closeOrLeave(Session& session, int) {
  if (session.showKeys || !session.errors.empty() || !session.message.empty()) {
    session.showKeys = false;
    session.closeErrors();
  } else if (session.timeline.pullFromM) {
    session.timeline.pullFromM.reset();
    session.say("Rack focus cancelled");
  } else if (session.slow.shown) {
    session.slow.shown = false;
  } else if (session.lab.shown) {
    session.lab.shown = false;
  } else if (session.timeline.shown) {
    session.timeline.shown = false;
  } else {
    session.settings.present.fullScreen = false;
  }
}

void saveShotNow(Session& session) {
  if (keyCount(session.shot()) > 0) session.timeline.saveFile = session.timeline.fileName.data();
}

// An action of the timeline, while it is shown and no film is recorded.
template <auto act, auto... how>
void inTimeline(Session& session, int) {
  if (session.timeline.shown && !session.slow.shown && !session.sequence) act(session, how...);
}

// The timeline, while it is shown, has these keys.
template <bool forward>
void stepPage(Session& session, int times) {
  if (session.timeline.shown)
    inTimeline<goToKey, forward>(session, times);
  else
    session.strip.step(forward ? 1 : -1);
}
void saveAs(Session& session, int times) {
  if (session.timeline.shown)
    inTimeline<saveShotNow>(session, times);
  else
    session.saveAsNow = true;
}

constexpr std::array kBindings = {
    KeyBinding{.group = "Focus and camera",
               .keys = "click",
               .help = "focus on the surface under the mouse; drag the circle on a photograph"},
    KeyBinding{.keys = "drag", .help = "orbit the camera, or move the split line"},
    KeyBinding{.keys = "right or Shift drag", .help = "move the camera"},
    KeyBinding{.keys = "wheel", .help = "focus distance in equal diopter steps; Shift: finer"},
    KeyBinding{.keys = "Ctrl wheel, + -",
               .help = "camera distance; zoom of a photograph",
               .typed = "+=-",
               .trigger = Trigger::repeat,
               .act = zoomByKey},
    KeyBinding{.keys = "arrows",
               .help = "orbit the camera",
               .key = GLFW_KEY_LEFT,
               .trigger = Trigger::hold,
               .act = orbitHeld<-1, 0>},
    KeyBinding{.key = GLFW_KEY_RIGHT, .trigger = Trigger::hold, .act = orbitHeld<1, 0>},
    KeyBinding{.key = GLFW_KEY_UP, .trigger = Trigger::hold, .act = orbitHeld<0, 1>},
    KeyBinding{.key = GLFW_KEY_DOWN, .trigger = Trigger::hold, .act = orbitHeld<0, -1>},
    KeyBinding{.keys = "R", .help = "reset camera", .typed = "rR", .act = resetCameraAndNotify},
    KeyBinding{.keys = "Ctrl 1 to 6",
               .help = "go to a camera bookmark; with Shift: store it",
               .key = GLFW_KEY_1,
               .control = true,
               .act = bookmark<0, false>},
    KeyBinding{.key = GLFW_KEY_1, .control = true, .shift = true, .act = bookmark<0, true>},
    KeyBinding{.key = GLFW_KEY_2, .control = true, .act = bookmark<1, false>},
    KeyBinding{.key = GLFW_KEY_2, .control = true, .shift = true, .act = bookmark<1, true>},
    KeyBinding{.key = GLFW_KEY_3, .control = true, .act = bookmark<2, false>},
    KeyBinding{.key = GLFW_KEY_3, .control = true, .shift = true, .act = bookmark<2, true>},
    KeyBinding{.key = GLFW_KEY_4, .control = true, .act = bookmark<3, false>},
    KeyBinding{.key = GLFW_KEY_4, .control = true, .shift = true, .act = bookmark<3, true>},
    KeyBinding{.key = GLFW_KEY_5, .control = true, .act = bookmark<4, false>},
    KeyBinding{.key = GLFW_KEY_5, .control = true, .shift = true, .act = bookmark<4, true>},
    KeyBinding{.key = GLFW_KEY_6, .control = true, .act = bookmark<5, false>},
    KeyBinding{.key = GLFW_KEY_6, .control = true, .shift = true, .act = bookmark<5, true>},
    KeyBinding{.group = "Image",
               .keys = "Space",
               .help = "pause or resume the animation",
               .typed = " ",
               .act = toggleAnimation},
    KeyBinding{.keys = "1 to 9, 0",
               .help = "view: final, sharp, circle of confusion, depth, ...",
               .typed = "1234567890",
               .act = chooseView},
    KeyBinding{.keys = ", .",
               .help = "previous or next view",
               .typed = ",.",
               .trigger = Trigger::repeat,
               .act = stepView},
    KeyBinding{.keys = "Alt wheel", .help = "zoom at the mouse, up to 1600 %"},
    KeyBinding{.keys = "Z",
               .help = "zoom to 100 % of a photograph's pixels at the mouse, else 200 %; and back",
               .typed = "zZ",
               .act = [](Session& s, int) { toggleZoom(s, s.mouseAt); }},
    KeyBinding{.keys = "middle drag", .help = "move the zoomed image; also Space drag, where nothing moves"},
    KeyBinding{.keys = "Page Up, Page Down",
               .help = "previous or next photograph; also arrows, after a click on the strip",
               .key = GLFW_KEY_PAGE_UP,
               .trigger = Trigger::repeat,
               .act = stepPage<false>},
    KeyBinding{.key = GLFW_KEY_PAGE_DOWN, .trigger = Trigger::repeat, .act = stepPage<true>},
    KeyBinding{.keys = "O, held",
               .help = "show the image before depth of field",
               .key = GLFW_KEY_O,
               .trigger = Trigger::hold,
               .act = [](Session& s, int) { s.unblurred = true; }},
    KeyBinding{.keys = "M", .help = "loupe at the mouse: 1:1 to 16:1, off", .typed = "mM", .act = nextLoupe},
    KeyBinding{
        .keys = "P", .help = "focus peaking: edges in focus in red", .typed = "pP", .act = togglePeaking},
    KeyBinding{.keys = "[ ]",
               .help = "open or close the aperture by a third of a stop",
               .typed = "[]",
               .trigger = Trigger::repeat,
               .act = moveAperture},
    KeyBinding{.keys = "A", .help = "autofocus, as section Lens says", .typed = "aA", .act = toggleAutofocus},
    KeyBinding{.keys = "D",
               .help = "focus ring with marks; 1 to 6 then pull the focus to them",
               .typed = "dD",
               .act = [](Session& s, int) { s.showsRing = !s.showsRing; }},
    KeyBinding{.group = "Technique", .keys = "L", .help = "next lens model", .typed = "lL", .act = cycleLens},
    KeyBinding{.keys = "B", .help = "next device", .typed = "bB", .act = cycleDevice},
    KeyBinding{.keys = "V", .help = "next scan", .typed = "vV", .act = cycleScan},
    KeyBinding{.keys = "T", .help = "next table format", .typed = "tT", .act = cycleFormat},
    KeyBinding{.keys = "S", .help = "compare A and B", .typed = "sS", .act = toggleSplit},
    KeyBinding{.keys = "X, held",
               .help = "show B alone, to flip between A and B",
               .key = GLFW_KEY_X,
               .trigger = Trigger::hold,
               .act =
                   [](Session& s, int) {
                     makeSidesDiffer(s.settings);
                     s.flipped = true;
                   }},
    KeyBinding{.keys = "Ctrl X",
               .help = "swap A and B",
               .key = GLFW_KEY_X,
               .control = true,
               .act = swapSidesAndNotify},
    KeyBinding{
        .group = "Window",
        .keys = "F",
        .help = "full screen",
        .typed = "fF",
        .act = [](Session& s, int) { s.settings.present.fullScreen = !s.settings.present.fullScreen; }},
    KeyBinding{.keys = "F1 ?",
               .help = "show or hide this list",
               .typed = "?",
               .key = GLFW_KEY_F1,
               .act = [](Session& s, int) { s.showKeys = !s.showKeys; }},
    KeyBinding{.keys = "F2",
               .help = "show or hide the panels",
               .key = GLFW_KEY_F2,
               .act = [](Session& s, int) { s.settings.present.showUi = !s.settings.present.showUi; }},
    KeyBinding{.keys = "F3",
               .help = "show or hide the laboratory",
               .key = GLFW_KEY_F3,
               .act = [](Session& s, int) { s.lab.shown = !s.lab.shown; }},
    KeyBinding{.keys = "F4",
               .help = "CUDA kernels in slow motion; there arrows step, Space plays, Home goes back",
               .key = GLFW_KEY_F4,
               .act = [](Session& s, int) { s.slow.shown = !s.slow.shown; }},
    KeyBinding{.keys = "F6",
               .help = "show or hide the timeline; there Space plays",
               .key = GLFW_KEY_F6,
               .act = [](Session& s, int) { s.timeline.shown = !s.timeline.shown; }},
    KeyBinding{.keys = "F5",
               .help = "reload shaders",
               .key = GLFW_KEY_F5,
               .act = [](Session& s, int) { s.reloadShaders = true; }},
    KeyBinding{.keys = "F12",
               .help = "save image",
               .key = GLFW_KEY_F12,
               .act = [](Session& s, int) { s.captureNow = true; }},
    KeyBinding{.keys = "Ctrl S",
               .help = "save image as: choose name and folder, also of later images",
               .key = GLFW_KEY_S,
               .control = true,
               .act = saveAs},
    KeyBinding{.keys = "Ctrl F12",
               .help = "record the shot of the timeline, else a sequence, as video or images; and stop",
               .key = GLFW_KEY_F12,
               .control = true,
               .act = [](Session& s, int) { toggleFilm(s); }},
    KeyBinding{.keys = "Esc",
               .help = "close a list, this help or a message, then slow motion, laboratory and timeline; "
                       "else leave full screen",
               .key = GLFW_KEY_ESCAPE,
               .act = closeOrLeave},
    KeyBinding{.group = "Timeline",
               .keys = "K",
               .help = "set keys of camera and lens at the playhead",
               .typed = "kK",
               .act = [](Session& s, int) { setKeys(s); }},
    KeyBinding{.keys = "Home End",
               .help = "to the start or the end of what is played",
               .key = GLFW_KEY_HOME,
               .act = inTimeline<goToEnd, false>},
    KeyBinding{.key = GLFW_KEY_END, .act = inTimeline<goToEnd, true>},
    KeyBinding{.keys = "Page Up, Page Down", .help = "to the key before or after"},
    KeyBinding{.keys = "Ctrl left, right",
               .help = "a frame back or on",
               .key = GLFW_KEY_LEFT,
               .control = true,
               .trigger = Trigger::repeat,
               .act = inTimeline<stepFrames, -1>},
    KeyBinding{
        .key = GLFW_KEY_RIGHT, .control = true, .trigger = Trigger::repeat, .act = inTimeline<stepFrames, 1>},
    KeyBinding{.keys = "Ctrl A, Ctrl D",
               .help = "select all keys; copy the selected ones to the playhead",
               .key = GLFW_KEY_A,
               .control = true,
               .act = inTimeline<selectAll>},
    KeyBinding{.key = GLFW_KEY_D, .control = true, .act = inTimeline<copySelectedToPlayhead>},
    KeyBinding{.keys = "Ctrl S", .help = "save the shot"},
    KeyBinding{.keys = "Delete",
               .help = "delete the selected keys",
               .key = GLFW_KEY_DELETE,
               .act = inTimeline<removeSelected>},
    KeyBinding{.group = "Settings",
               .keys = "Ctrl Z",
               .help = "undo",
               .key = GLFW_KEY_Z,
               .control = true,
               .trigger = Trigger::repeat,
               .act = [](Session& s, int) { s.undo = true; }},
    KeyBinding{.keys = "Ctrl Shift Z, Ctrl Y",
               .help = "redo",
               .key = GLFW_KEY_Z,
               .control = true,
               .shift = true,
               .trigger = Trigger::repeat,
               .act = [](Session& s, int) { s.redo = true; }},
    KeyBinding{.key = GLFW_KEY_Y,
               .control = true,
               .trigger = Trigger::repeat,
               .act = [](Session& s, int) { s.redo = true; }},
    KeyBinding{.keys = "Ctrl C",
               .help = "copy the settings as JSON; with Shift: as a command line",
               .key = GLFW_KEY_C,
               .control = true,
               .act = [](Session& s, int) { s.clipboard = Clipboard::copyJson; }},
    KeyBinding{.key = GLFW_KEY_C,
               .control = true,
               .shift = true,
               .act = [](Session& s, int) { s.clipboard = Clipboard::copyOptions; }},
    KeyBinding{.keys = "Ctrl V",
               .help = "paste settings, as JSON or as a command line",
               .key = GLFW_KEY_V,
               .control = true,
               .act = [](Session& s, int) { s.clipboard = Clipboard::paste; }},
    KeyBinding{.keys = "Ctrl L",
               .help = "copy the look; with Shift: paste it on this image",
               .key = GLFW_KEY_L,
               .control = true,
               .act = [](Session& s, int) { s.clipboard = Clipboard::copyLook; }},
    KeyBinding{.key = GLFW_KEY_L,
               .control = true,
               .shift = true,
               .act = [](Session& s, int) { s.clipboard = Clipboard::pasteLook; }},
    KeyBinding{.keys = "Ctrl O",
               .help = "open an image, a model, settings or a shot",
               .key = GLFW_KEY_O,
               .control = true,
               .act =
                   [](Session& s, int) {
                     s.openFor.clear();
                     s.openNow = true;
                   }},
    KeyBinding{
        .keys = "drop files",
        .help = "settings (JSON, a saved image), a shot, an image and its depth, a model, an environment"},
    KeyBinding{.keys = "Ctrl click", .help = "type the value of a slider"},
    KeyBinding{.keys = "Ctrl Q",
               .help = "quit",
               .key = GLFW_KEY_Q,
               .control = true,
               .act = [](Session& s, int) { s.quit = true; }},
};

}  // namespace

std::span<const KeyBinding> keyBindings() { return kBindings; }

std::string startHint(const Settings& settings) {
  const Capability viewpoints = sceneRow(settings.scene.kind).capabilities.otherViewpoints;
  const bool orbits = viewpoints || settings.scene.image.parallax > 0.0f;
  return std::string("Click to focus \u00b7 wheel to pull focus \u00b7 ") +
         (orbits ? "drag to orbit \u00b7 " : "") +
         (sceneRow(settings.scene.kind).capabilities.animated ? "Space\u00a0plays and pauses \u00b7 " : "") +
         "Ctrl\u00a0O opens an image \u00b7 F1\u00a0keys";
}

void pressKey(Session& session, int key, bool control, bool repeated, bool shift) {
  if (session.strip.focused && (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT))
    session.strip.step(key == GLFW_KEY_LEFT ? -1 : 1);
  for (const auto& binding : kBindings)
    if (binding.key == key && key != 0 && binding.control == control &&
        (!control || binding.shift == shift) && binding.trigger != Trigger::hold &&
        (!repeated || binding.trigger == Trigger::repeat))
      binding.act(session, -1);
}

bool editsText(int key, bool control) {
  const bool function = key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25;
  return !function && !(control && key == GLFW_KEY_Q);
}

bool navigates(int key) {
  constexpr std::array kKeys = {GLFW_KEY_UP,    GLFW_KEY_DOWN,  GLFW_KEY_LEFT,     GLFW_KEY_RIGHT,
                                GLFW_KEY_SPACE, GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_ESCAPE,
                                GLFW_KEY_HOME,  GLFW_KEY_END,   GLFW_KEY_PAGE_UP,  GLFW_KEY_PAGE_DOWN};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

bool asksWhetherText(Session& session, unsigned character, double nowS) {
  constexpr double kTypedS = 1.0;
  constexpr std::size_t kLetters = 3;
  auto& typed = session.typedLetters;
  const char letter = character < 128 ? lower(static_cast<char>(character)) : ' ';
  if (session.askedWhetherText || letter < 'a' || letter > 'z') return false;
  std::erase_if(typed,
                [&](const TypedLetter& old) { return nowS - old.timeS > kTypedS || old.letter == letter; });
  typed.push_back({letter, nowS, session.settings});
  if (typed.size() < kLetters) return false;
  session.askedWhetherText = true;
  const float timeS = session.settings.scene.timeS;
  session.settings = std::move(typed.front().before);
  session.settings.scene.timeS = timeS;
  typed.clear();
  session.say("Was that text? Letters are keys of the window (F1): these are undone. Type on to use them");
  session.noticeAgeS = kNoticeS - kSavedNoticeS;
  return true;
}

void pressBrowserKey(Session& session, int key) {
  constexpr int kPage = 10, kAll = 1 << 20;
  FileBrowser& browser = session.browser;
  switch (key) {
    case GLFW_KEY_UP:
      return browser.move(-1);
    case GLFW_KEY_DOWN:
      return browser.move(1);
    case GLFW_KEY_PAGE_UP:
      return browser.move(-kPage);
    case GLFW_KEY_PAGE_DOWN:
      return browser.move(kPage);
    case GLFW_KEY_HOME:
      return browser.move(-kAll);
    case GLFW_KEY_END:
      return browser.move(kAll);
    case GLFW_KEY_BACKSPACE:
      return browser.backspace();
    case GLFW_KEY_ESCAPE:
      return browser.escape();
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      if (const auto file = browser.enter()) session.opened = {*file};
      return;
    default:
      return;
  }
}

void typeCharacter(Session& session, unsigned character, bool repeated) {
  for (const auto& binding : kBindings) {
    const std::string_view typed = binding.typed;
    const auto index = character < 128 ? typed.find(static_cast<char>(character)) : std::string_view::npos;
    if (index != std::string_view::npos && (!repeated || binding.trigger == Trigger::repeat))
      binding.act(session, static_cast<int>(index));
  }
}

}  // namespace satdof
