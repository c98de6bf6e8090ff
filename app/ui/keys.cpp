#include "app/ui/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/core/text/letters.h"
#include "app/device/device.h"
#include "app/render/resolve.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/image/focus_ring.h"
#include "app/ui/image/zoom.h"
#include "app/ui/timeline/timeline.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr float kOrbitDegreesPerS = 60.0f;
constexpr float kHeldKeyMaxS = 0.1f;
constexpr int kMaxLoupe = 16;

template <int yaw, int pitch>
void orbitHeld(Session& session, int) {
  if (session.slow.shown || session.strip.focused || !checkCameraTurns(session)) return;
  const float degrees = kOrbitDegreesPerS * std::min(session.input.frameS, kHeldKeyMaxS);
  orbit(session.settings.camera, static_cast<float>(yaw) * degrees, static_cast<float>(pitch) * degrees);
}

void zoomByKey(Session& session, int index) {
  const int steps = index == 2 ? -1 : 1;
  if (canMoveCamera(session))
    zoom(session.settings.camera, static_cast<float>(steps));
  else
    stepZoom(session, steps, session.input.mouseAt);
}

// Shows a choice as a notice; if the choice is automatic, also the drawn value.
template <class E>
void sayChoice(Session& session, const char* what, E chosen, E drawn) {
  std::string text = std::string(what) + ": " + name(chosen);
  if (drawn != chosen) text += std::string(" (") + name(drawn) + ")";
  session.say(text);
}

void cycleDevice(Session& session, int) {
  DeviceId& device = session.settings.technique.device;
  cycle(session.settings, "technique.device", device);
  sayChoice(session, "Device", device, deviceOf(device).id);
}
void cycleLens(Session& session, int) {
  const Settings& settings = session.settings;
  LensKind& lens = session.settings.technique.lens.kind;
  cycle(settings, "technique.lens.kind", lens);
  sayChoice(session, "Lens", lens, restingTechnique(settings, settings.technique).lens.kind);
}
void cycleFormat(Session& session, int) {
  TableFormat& format = session.settings.technique.table.format;
  cycle(session.settings, "technique.table.format", format);
  sayChoice(session, "Table format", format, format);
}
void cycleScan(Session& session, int) {
  Scan& scan = session.settings.technique.table.scan;
  if (const std::string why = whyNot(session.settings, "technique.table.scan"); !why.empty())
    return session.say("Scan: " + why);
  cycle(session.settings, "technique.table.scan", scan);
  sayChoice(session, "Scan", scan, scan);
}

void chooseView(Session& session, int index) {
  if (session.focus.showsRing && index >= 0 && index < static_cast<int>(Preferences::kFocusMarks))
    return recallMark(session, static_cast<std::size_t>(index));
  const auto views = entries(View{});
  if (index >= static_cast<int>(views.size())) return;
  const auto& view = views[static_cast<std::size_t>(index)];
  const std::string missing = whyNot(session.settings, "technique.view", view.value);
  if (missing.empty()) session.settings.technique.view = view.value;
  session.say(missing.empty() ? "View " + described(view.value)
                              : std::string("No view ") + shownName(view.value) + ": " + missing);
}

void stepView(Session& session, int index) {
  View& view = session.settings.technique.view;
  cycle(session.settings, "technique.view", view, index == 0 ? -1 : 1);
  session.say("View " + described(view));
}

void endBrush(Session& session) {
  session.brush.last = *std::exchange(session.brush.kind, std::nullopt);
  session.say("Depth brush: off. Clicks focus");
}

// "w" starts or ends the brush, "W" takes the next brush.
void takeBrush(Session& session, int index) {
  DepthTool& brush = session.brush;
  if (!showsPhoto(session.settings)) return session.say("Depth brush: open a photograph first");
  if (brush.kind && index == 0) return endBrush(session);
  auto row = std::ranges::find(kBrushes, brush.kind.value_or(brush.last), &BrushRow::kind);
  if (brush.kind && ++row == kBrushes.end()) row = kBrushes.begin() + 1;
  if (!brush.kind && session.shown.lacksDepth && row->kind == BrushKind::same) ++row;  // all depths are equal
  brush.kind = row->kind;
  session.say(
      std::string("Depth brush: ") + row->name + ". " + row->help + ". W or Esc ends the brush, Shift W takes the next",
      kHintS);
}

void togglePeaking(Session& session, int) {
  View& view = session.settings.technique.view;
  const bool on = view != View::peaking;
  view = on ? View::peaking : View::final;
  session.say(on ? "Focus peaking: edges in focus are red" : "Focus peaking: off");
}

void nextLoupe(Session& session, int) {
  int& loupe = session.loupe.magnification;
  loupe = loupe == 0 ? 1 : loupe >= kMaxLoupe ? 0 : 2 * loupe;
  session.say(loupe == 0 ? "Loupe: off" : "Loupe: " + std::to_string(loupe) + ":1");
}

void moveAperture(Session& session, int index) {
  moveFNumber(session.settings.lens, index == 0 ? -1 : 1);
  session.say(formatted("Aperture: f/%g", static_cast<double>(session.settings.lens.fNumber)));
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
    if (!session.zoom.active()) session.say("Animation: " + session.shown.whyStill);
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
  session.say("Autofocus: " + (autofocus ? described(on) : "off"));
  if (autofocus && on == AutofocusOn::centre) session.markFocus(session.visible.centre());
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
  if (session.showKeys || !session.notices.errors.empty() || !session.notices.ofImage.empty()) {
    session.showKeys = false;
    session.closeErrors();
  } else if (session.timeline.pullFromM) {
    session.timeline.pullFromM.reset();
    session.say("Rack focus cancelled");
  } else if (session.brush.kind) {
    endBrush(session);
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
  if (keyCount(session.shot()) > 0) session.request({Command::saveShot, {session.timeline.fileName.data()}});
}

// Runs an action of the timeline if it is shown and no film is recorded.
template <auto act, auto... how>
void inTimeline(Session& session, int) {
  if (session.timeline.shown && !session.slow.shown && !session.sequence) act(session, how...);
}

// Keys with another meaning while the timeline is shown.
template <bool forward>
void stepPage(Session& session, int times) {
  if (session.timeline.shown)
    inTimeline<goToKey, forward>(session, times);
  else
    session.request({.command = Command::stepPhotos, .number = forward ? 1 : -1});
}
void saveAs(Session& session, int times) {
  if (session.timeline.shown)
    inTimeline<saveShotNow>(session, times);
  else
    session.request({Command::saveImageAs});
}

using Act = void (*)(Session&, int);

// Make rows of kBindings. A row without texts is described by the row before it.
constexpr KeyBinding typedKey(const char* keys, const char* help, const char* typed, Act act,
                              Trigger trigger = Trigger::press) {
  return {.keys = keys, .help = help, .typed = typed, .trigger = trigger, .act = act};
}
constexpr KeyBinding typedKey(const char* typed, Act act) { return {.typed = typed, .act = act}; }
constexpr KeyBinding pressedKey(const char* keys, const char* help, int key, Act act,
                                Trigger trigger = Trigger::press) {
  return {.keys = keys, .help = help, .key = key, .trigger = trigger, .act = act};
}
constexpr KeyBinding pressedKey(int key, Act act, Trigger trigger = Trigger::press) {
  return pressedKey(nullptr, nullptr, key, act, trigger);
}
constexpr KeyBinding controlKey(const char* keys, const char* help, int key, Act act,
                                Trigger trigger = Trigger::press) {
  return {.keys = keys, .help = help, .key = key, .control = true, .trigger = trigger, .act = act};
}
constexpr KeyBinding controlKey(int key, Act act, Trigger trigger = Trigger::press) {
  return controlKey(nullptr, nullptr, key, act, trigger);
}
constexpr KeyBinding shiftKey(const char* keys, const char* help, int key, Act act, Trigger trigger = Trigger::press) {
  KeyBinding binding = controlKey(keys, help, key, act, trigger);
  binding.shift = true;
  return binding;
}
constexpr KeyBinding shiftKey(int key, Act act, Trigger trigger = Trigger::press) {
  return shiftKey(nullptr, nullptr, key, act, trigger);
}
constexpr KeyBinding byMouse(const char* keys, const char* help) { return {.keys = keys, .help = help}; }
constexpr KeyBinding ofBookmarks(KeyBinding binding) {
  binding.keyCount = static_cast<int>(Preferences::kBookmarks);
  return binding;
}
constexpr KeyBinding inGroup(const char* group, KeyBinding binding) {
  binding.group = group;
  return binding;
}

template <Command kCommand>
void request(Session& session, int) {
  session.request({kCommand});
}
template <auto kMember>
void toggleFlag(Session& session, int) {
  session.*kMember = !(session.*kMember);
}
template <auto kPanel>
void togglePanel(Session& session, int) {
  (session.*kPanel).shown = !(session.*kPanel).shown;
}
template <auto kMember>
void toggleShown(Session& session, int) {
  session.settings.present.*kMember = !(session.settings.present.*kMember);
}

constexpr std::array kBindings = {
    inGroup("Focus and camera",
            byMouse("click", "focus on the surface under the mouse; drag the circle on a photograph")),
    byMouse("drag", "orbit the camera, or move the split line"),
    byMouse("right or Shift drag", "move the camera"),
    byMouse("wheel", "focus distance in equal diopter steps; Shift: finer. The size of a brush"),
    typedKey("Ctrl wheel, + -", "camera distance; zoom of a photograph", "+=-", zoomByKey, Trigger::repeat),
    pressedKey("arrows", "orbit the camera", GLFW_KEY_LEFT, orbitHeld<-1, 0>, Trigger::hold),
    pressedKey(GLFW_KEY_RIGHT, orbitHeld<1, 0>, Trigger::hold),
    pressedKey(GLFW_KEY_UP, orbitHeld<0, 1>, Trigger::hold),
    pressedKey(GLFW_KEY_DOWN, orbitHeld<0, -1>, Trigger::hold),
    typedKey("R", "reset camera", "rR", resetCameraAndNotify),
    ofBookmarks(controlKey("Ctrl 1 to 6", "go to a camera bookmark; with Shift: store it", GLFW_KEY_1,
                           [](Session& s, int i) { useBookmark(s, static_cast<std::size_t>(i)); })),
    ofBookmarks(shiftKey(GLFW_KEY_1, [](Session& s, int i) { storeBookmark(s, static_cast<std::size_t>(i)); })),
    inGroup("Image", typedKey("Space", "pause or resume the animation", " ", toggleAnimation)),
    typedKey("1 to 9, 0", "view: final, sharp, circle of confusion, depth, ...", "1234567890", chooseView),
    typedKey(", .", "previous or next view", ",.", stepView, Trigger::repeat),
    byMouse("Alt wheel", "zoom at the mouse, up to 1600 %"),
    typedKey("Z", "zoom to 100 % of a photograph's pixels at the mouse, else 200 %; and back", "zZ",
             [](Session& s, int) { toggleZoom(s, s.input.mouseAt); }),
    byMouse("middle drag", "move the zoomed image; also Space drag, where nothing moves, and drag, of a photograph"),
    pressedKey("Page Up, Page Down", "previous or next photograph; also arrows, after a click on the strip",
               GLFW_KEY_PAGE_UP, stepPage<false>, Trigger::repeat),
    pressedKey(GLFW_KEY_PAGE_DOWN, stepPage<true>, Trigger::repeat),
    pressedKey(
        "O, held", "show the image before depth of field", GLFW_KEY_O,
        [](Session& s, int) { s.input.unblurred = true; }, Trigger::hold),
    typedKey("M", "loupe at the mouse: 1:1 to 16:1, off", "mM", nextLoupe),
    typedKey("P", "focus peaking: edges in focus in red", "pP", togglePeaking),
    typedKey("W", "brush for the depth of a photograph, and off; Shift W: the next brush", "wW", takeBrush),
    typedKey("[ ]", "open or close the aperture by a third of a stop", "[]", moveAperture, Trigger::repeat),
    typedKey("A", "autofocus, as section Lens says", "aA", toggleAutofocus),
    typedKey("D", "focus ring with marks; 1 to 6 then pull the focus to them", "dD",
             [](Session& s, int) { s.focus.showsRing = !s.focus.showsRing; }),
    inGroup("Technique", typedKey("L", "next lens model", "lL", cycleLens)),
    typedKey("B", "next device", "bB", cycleDevice),
    typedKey("V", "next scan", "vV", cycleScan),
    typedKey("T", "next table format", "tT", cycleFormat),
    typedKey("S", "compare A and B", "sS", toggleSplit),
    pressedKey(
        "X, held", "show B alone, to flip between A and B", GLFW_KEY_X,
        [](Session& s, int) {
          makeSidesDiffer(s.settings);
          s.input.flipped = true;
        },
        Trigger::hold),
    controlKey("Ctrl X", "swap A and B", GLFW_KEY_X, swapSidesAndNotify),
    inGroup("Window", typedKey("F", "full screen", "fF", toggleShown<&PresentSettings::fullScreen>)),
    pressedKey("F1 ?", "show or hide this list", GLFW_KEY_F1, toggleFlag<&Session::showKeys>),
    typedKey("?", toggleFlag<&Session::showKeys>),
    pressedKey("F2", "show or hide the panels", GLFW_KEY_F2, toggleShown<&PresentSettings::showUi>),
    pressedKey("F3", "show or hide the laboratory", GLFW_KEY_F3, togglePanel<&Session::lab>),
    pressedKey("F4", "CUDA kernels in slow motion; there arrows step, Space plays, Home goes back", GLFW_KEY_F4,
               togglePanel<&Session::slow>),
    pressedKey("F6", "show or hide the timeline; there Space plays", GLFW_KEY_F6, togglePanel<&Session::timeline>),
    pressedKey("F5", "reload shaders", GLFW_KEY_F5, request<Command::reloadShaders>),
    pressedKey("F12", "save image", GLFW_KEY_F12, request<Command::saveImage>),
    controlKey("Ctrl S", "save image as: choose name and folder, also of later images", GLFW_KEY_S, saveAs),
    controlKey("Ctrl F12", "record the shot of the timeline, else a sequence, as video or images; and stop",
               GLFW_KEY_F12, [](Session& s, int) { toggleFilm(s); }),
    pressedKey("Esc",
               "close a list, this help or a message, end the brush, then slow motion, laboratory and "
               "timeline; else leave full screen",
               GLFW_KEY_ESCAPE, closeOrLeave),
    inGroup("Timeline",
            typedKey("K", "set keys of camera and lens at the playhead", "kK", [](Session& s, int) { setKeys(s); })),
    pressedKey("Home End", "to the start or the end of what is played", GLFW_KEY_HOME, inTimeline<goToEnd, false>),
    pressedKey(GLFW_KEY_END, inTimeline<goToEnd, true>),
    controlKey("Ctrl Home, Ctrl End", "what is played begins or ends at the playhead", GLFW_KEY_HOME,
               inTimeline<setRangeEnd, false>),
    controlKey(GLFW_KEY_END, inTimeline<setRangeEnd, true>),
    byMouse("Page Up, Page Down", "to the key before or after"),
    controlKey("Ctrl left, right", "a frame back or on", GLFW_KEY_LEFT, inTimeline<stepFrames, -1>, Trigger::repeat),
    controlKey(GLFW_KEY_RIGHT, inTimeline<stepFrames, 1>, Trigger::repeat),
    shiftKey("Ctrl Shift left, right", "scale the times of the selected keys: the last one moves by a frame",
             GLFW_KEY_LEFT, inTimeline<scaleSelected, -1>, Trigger::repeat),
    shiftKey(GLFW_KEY_RIGHT, inTimeline<scaleSelected, 1>, Trigger::repeat),
    byMouse("arrows",
            "at a row: move the selected keys, with curves their values; with Shift: select the next one. At "
            "the ruler: a frame, closer and back"),
    controlKey("Ctrl A, Ctrl D", "select all keys, at a row its own; copy the selected ones to the playhead",
               GLFW_KEY_A, inTimeline<selectAll>),
    controlKey(GLFW_KEY_D, inTimeline<copySelectedToPlayhead>),
    byMouse("Ctrl S", "save the shot"),
    pressedKey("Delete", "delete the selected keys", GLFW_KEY_DELETE, inTimeline<removeSelected>),
    inGroup("Settings", controlKey("Ctrl Z", "undo", GLFW_KEY_Z, request<Command::undo>, Trigger::repeat)),
    shiftKey("Ctrl Shift Z, Ctrl Y", "redo", GLFW_KEY_Z, request<Command::redo>, Trigger::repeat),
    controlKey(GLFW_KEY_Y, request<Command::redo>, Trigger::repeat),
    controlKey("Ctrl C", "copy the settings as JSON; with Shift: as a command line", GLFW_KEY_C,
               request<Command::copyJson>),
    shiftKey(GLFW_KEY_C, request<Command::copyOptions>),
    controlKey("Ctrl V", "paste settings, as JSON or as a command line", GLFW_KEY_V, request<Command::paste>),
    controlKey("Ctrl L", "copy the look; with Shift: paste it on this image", GLFW_KEY_L, request<Command::copyLook>),
    shiftKey(GLFW_KEY_L, request<Command::pasteLook>),
    controlKey("Ctrl O", "open an image, a model, settings or a shot; twice: in the window's own list", GLFW_KEY_O,
               request<Command::open>),
    byMouse("drop files", "settings (JSON, a saved image), a shot, an image and its depth, a model, an environment"),
    byMouse("Ctrl click", "type the value of a slider"),
    byMouse("Tab, Ctrl Tab",
            "to the next control; from the panels to timeline and focus ring. Until Esc, Space presses it"),
    controlKey("Ctrl Q", "quit", GLFW_KEY_Q, request<Command::quit>),
};

}  // namespace

std::span<const KeyBinding> keyBindings() { return kBindings; }

std::string startHint(const Settings& settings) {
  const Capability viewpoints = sceneRow(settings.scene.kind).capabilities.otherViewpoints;
  const bool orbits = viewpoints || settings.scene.image.parallax > 0.0f;
  return std::string("Click to focus \u00b7 wheel to pull focus \u00b7 ") + (orbits ? "drag to orbit \u00b7 " : "") +
         (sceneRow(settings.scene.kind).capabilities.animated ? "Space\u00a0plays and pauses \u00b7 " : "") +
         "Ctrl\u00a0O opens an image \u00b7 F1\u00a0keys";
}

void pressKey(Session& session, int key, bool control, bool repeated, bool shift) {
  if (session.strip.focused && (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT))
    session.request({.command = Command::stepPhotos, .number = key == GLFW_KEY_LEFT ? -1 : 1});
  for (const auto& binding : kBindings)
    if (const int index = key - binding.key; index >= 0 && index < binding.keyCount && key != 0 &&
                                             binding.control == control && (!control || binding.shift == shift) &&
                                             binding.trigger != Trigger::hold &&
                                             (!repeated || binding.trigger == Trigger::repeat))
      binding.act(session, binding.keyCount > 1 ? index : -1);
}

bool editsText(int key, bool control) {
  const bool function = key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25;
  return !function && !(control && key == GLFW_KEY_Q);
}

bool navigates(int key, bool control) {
  constexpr std::array kPress = {GLFW_KEY_SPACE, GLFW_KEY_ENTER, GLFW_KEY_KP_ENTER, GLFW_KEY_ESCAPE};
  constexpr std::array kMove = {GLFW_KEY_UP,   GLFW_KEY_DOWN, GLFW_KEY_LEFT,    GLFW_KEY_RIGHT,
                                GLFW_KEY_HOME, GLFW_KEY_END,  GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN};
  return std::ranges::find(kPress, key) != kPress.end() || (!control && std::ranges::find(kMove, key) != kMove.end());
}

void askWhetherText(Session& session, unsigned character, double nowS) {
  constexpr double kTypedS = 1.0;
  constexpr std::size_t kLetters = 3;
  auto& typed = session.input.letters;
  const char letter = character < 128 ? lower(static_cast<char>(character)) : ' ';
  if (session.input.askedWhetherText || letter < 'a' || letter > 'z') return;
  std::erase_if(typed, [&](const TypedLetter& old) { return nowS - old.earliestS > kTypedS || old.letter == letter; });
  typed.push_back({letter, nowS - session.input.ageS});
  if (typed.size() < kLetters) return;
  session.input.askedWhetherText = true;
  session.notices.hint = "Was that text? Letters are keys of the window (F1). Ctrl Z undoes";
  session.notices.hintAgeS = 0.0f;
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
