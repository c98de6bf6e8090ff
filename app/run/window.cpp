#include "app/run/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <glm/common.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "app/core/fields.h"
#include "app/core/files.h"
#include "app/core/foreign_text.h"
#include "app/core/resources.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/io/settings_file.h"
#include "app/lab/experiment.h"
#include "app/lab/files.h"
#include "app/lab/laboratory.h"
#include "app/lab/machine.h"
#include "app/lab/table_benchmark.h"
#include "app/render/renderer.h"
#include "app/run/available.h"
#include "app/run/batch.h"
#include "app/run/capture.h"
#include "app/run/dropped.h"
#include "app/run/frame_loop.h"
#include "app/run/glfw_window.h"
#include "app/run/limits.h"
#include "app/run/quality.h"
#include "app/run/remembered.h"
#include "app/run/settings_text.h"
#include "app/run/stats_file.h"
#include "app/run/termination.h"
#include "app/run/video.h"
#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"
#include "app/ui/image_mouse.h"
#include "app/ui/keys.h"
#include "app/ui/loupe.h"
#include "app/ui/ui.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Gives the name of a claimed file back if nothing has been written to it.
class ClaimedFile {
 public:
  ClaimedFile() = default;
  explicit ClaimedFile(std::filesystem::path path) : path_(std::move(path)) {}
  ClaimedFile(ClaimedFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ClaimedFile& operator=(ClaimedFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~ClaimedFile() {
    std::error_code missing;
    if (!path_.empty() && std::filesystem::is_empty(path_, missing) && !missing)
      std::filesystem::remove(path_, missing);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Drawing stops this long, and this many frames, after the last change.
constexpr double kSettleS = 0.7;
constexpr int kSettleFrames = 3;
constexpr double kTitlePeriodS = 0.5;
constexpr double kLabFrameUs = 1e4;  // of measurements in a frame; one sample may take longer
constexpr lab::Budget kLabBudget{.pointUs = 5e4, .sampleUs = 1e5};
constexpr std::chrono::seconds kCalmAfterReset{
    10};                             // a driver that is reset again within this time ends the run
constexpr double kWakeS = 0.1;       // to look whether time alone changes something
constexpr double kTidyS = 5.0;       // after images were allocated: long enough to flip between A and B
constexpr double kInputS = 0.3;      // after input: no slow refinement, so that the panels answer
constexpr float kLongestAgeS = 1.0;  // that one frame adds to the age of a notice

// Sends the events to the key bindings and to the mouse control of the image, unless a panel owns them.
void dispatch(const GlfwWindow& window, const std::vector<InputEvent>& events, const Ui& ui,
              ImageMouse& mouse, Session& session) {
  using Kind = InputEvent::Kind;
  const glm::vec2 size = window.size();
  for (const auto& event : events) {
    const auto button = static_cast<MouseButton>(event.code);
    const bool knownButton = event.code <= static_cast<int>(MouseButton::middle);
    switch (event.kind) {
      case Kind::key:
        if (!ui.ownsKeyboard()) pressKey(session, event.code, event.control, event.repeated, event.shift);
        break;
      case Kind::character:
        if (!ui.ownsKeyboard()) typeCharacter(session, static_cast<unsigned>(event.code), event.repeated);
        break;
      case Kind::press:
        if (!ui.ownsMouse() && knownButton) mouse.press(session, button, event.shift, event.at, size);
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
        if (!ui.ownsMouse()) mouse.scroll(session, event.at.y, event.shift, event.control);
        break;
    }
  }
  const bool control = window.held(GLFW_KEY_LEFT_CONTROL) || window.held(GLFW_KEY_RIGHT_CONTROL);
  for (const auto& binding : keyBindings())
    if (binding.trigger == Trigger::hold && !control && !ui.ownsKeyboard() && window.held(binding.key))
      binding.act(session, -1);
}

const char* extension(CaptureFormat format) {
  switch (format) {
    case CaptureFormat::hdr:
      return ".hdr";
    case CaptureFormat::pfm:
      return ".pfm";
    case CaptureFormat::exr16:
    case CaptureFormat::exr32:
      return ".exr";
    default:
      return ".png";
  }
}

int bitDepth(CaptureFormat format) {
  return format == CaptureFormat::exr32 ? 32 : format == CaptureFormat::png8 ? 8 : 16;
}

FramePlan planOf(const CommandLine& line) {
  return {.frames = line.frames,
          .framesPerSecond = line.framesPerSecond,
          .focusSweep = line.focusSweep,
          .capture = line.capture};
}

Session sessionOf(const Settings& settings, const CommandLine& line) {
  Session session;
  session.settings = settings;
  session.preferences.capture.format = line.bitDepth == 16 ? CaptureFormat::png16 : CaptureFormat::png8;
  session.preferences.capture.withUi = line.withUi;
  session.videoMissing = videoMissing();
  if (!line.sequence.empty()) session.sequence = Sequence{.frames = std::max(line.frames, 1)};
  return session;
}

// What one window leaves to the next.
struct WindowState {
  Settings settings;  // with the size of the window
  Preferences preferences;
  std::vector<ErrorReport> errors;     // shown
  std::optional<glm::ivec2> position;  // of the window before
  bool panelsWereHidden = false;       // in the window before
};

// The window with its panels.
class WindowRun : public FrameHost {
 public:
  WindowRun(const WindowState& before, const CommandLine& commandLine, const Termination& termination)
      : commandLine_(commandLine),
        termination_(termination),
        window_(before.settings.size, commandLine.debugContext()),
        ui_(window_.handle()),
        session_(sessionOf(before.settings, commandLine)),
        loop_(planOf(commandLine), session_.settings),
        history_(session_.settings),
        observed_(session_.settings) {
    if (before.position) window_.moveTo(*before.position);
    replaceLostDevice();
    session_.errors = before.errors;
    if (commandLine.frames > 0) return;
    if (commandLine.given("--split")) makeSidesDiffer(session_.settings);
    session_.centreCamera = commandLine.settingsPath.empty() && before.settings.camera == CameraSettings{};
    const CaptureFormat format = session_.preferences.capture.format;
    session_.preferences = before.preferences;
    if (commandLine.bitDepth == 16) session_.preferences.capture.format = format;
    if (const auto folder = configFolder(); !folder.empty()) {
      session_.presetFolder = folder / "presets";
      session_.ownPresets = ownPresets(folder);
    }
    if (before.panelsWereHidden && !session_.settings.present.showUi)
      showHint("Panels are hidden: F2 shows them \u00b7 F1 keys");
    else if (!before.preferences.hintSeen)
      showHint("Click to focus \u00b7 wheel to pull focus \u00b7 drag to orbit \u00b7 F1 keys");
    session_.preferences.hintSeen = true;
  }

  void run() {
    while (!session_.quit && termination_.signal() == 0 && !glfwWindowShouldClose(window_.handle()) &&
           !loop_.done()) {
      glfwPollEvents();
      tidy();
      if (!window_.hidden() && !still()) {
        loop_.step(*this);
        reportSequence();
      } else {
        loop_.pause();
        if (untidySinceS_ || (!window_.hidden() && willChange(quality_, qualitySettings(), qualityInputs())))
          glfwWaitEventsTimeout(kWakeS);
        else
          glfwWaitEvents();
      }
    }
    finishVideo();
    if (loop_.done() && !commandLine_.stats.empty())
      writeStats(commandLine_.stats, session_.settings, loop_.result().state, loop_.stats(), loop_.frames(),
                 loop_.warmUpFrames());
  }

  WindowState state() const {
    WindowState state{session_.settings, session_.preferences, session_.errors, window_.position(),
                      !session_.settings.present.showUi};
    state.settings.size = window_.restoredSize();
    return state;
  }

 private:
  using ShownImage = std::pair<Settings, Quality>;  // imageOf() its settings, and what it shows
  // What the memory of the images depends on: size, samples, whether B is drawn, views of A and B, whether no filter.
  using MemoryUse = std::tuple<glm::ivec2, int, bool, View, View, bool>;

  void showHint(const char* text) {
    session_.hint = text;
    session_.hintAgeS = 0.0f;
  }

  // A remembered device may be missing today; a device of the command line must be available.
  void replaceLostDevice() {
    auto& device = session_.settings.technique.device;
    const bool asked = !commandLine_.settingsPath.empty() ||
                       std::ranges::any_of(commandLine_.options,
                                           [](const auto& option) { return option.first == "--device"; });
    if (asked || availability(device).available) return;
    session_.say(std::string(name(device)) + ": " + availability(device).reason);
    device = DeviceId::automatic;
  }

  // The settings without those that are changed in every frame and allocate nothing.
  static Settings allocating(Settings settings) {
    settings.camera = {};
    settings.lens.focusDistanceM = {};
    settings.scene.timeS = {};
    return settings;
  }

  // Call when images may have been allocated or freed.
  void expectTidying() {
    if (!untidySinceS_ && commandLine_.frames == 0) untidySinceS_ = glfwGetTime();
  }

  // Frees what images no longer use, kTidyS after they began to change.
  void tidy() {
    if (!untidySinceS_ || glfwGetTime() - *untidySinceS_ < kTidyS) return;
    untidySinceS_.reset();
    auto& reference = renderers_[static_cast<size_t>(Shown::reference)];
    if (reference && quality_.chosen.shown != Shown::reference &&
        reference->image().size() != session_.settings.size)
      reference.reset();
    for (const auto& renderer : renderers_)
      if (renderer) renderer->freeUnused();
    returnFreeMemory();
  }

  // Whether the next frame would look like the last one.
  bool still() {
    const bool changes = window_.changed() || session_.settings != lastSettings_ ||
                         window_.framebufferSize() != session_.settings.size || imageChanged() ||
                         session_.settings.scene.animate || session_.sequence || session_.benchmarking ||
                         session_.lab.running || session_.noticeAgeS < kNoticeS ||
                         session_.hintAgeS < kHintS || session_.cursorM != shownCursorM_ ||
                         session_.focusMarkerAgeS < kFocusMarkerS ||
                         advance(quality_, qualitySettings(), qualityInputs()).chosen != quality_.chosen;
    if (changes) {
      lastChangeS_ = glfwGetTime();
      lastChangeDraw_ = draws_;
    }
    lastSettings_ = session_.settings;
    return glfwGetTime() - lastChangeS_ > kSettleS && draws_ - lastChangeDraw_ > kSettleFrames;
  }

  // A run of a given number of frames draws the settings as they are.
  QualitySettings qualitySettings() const {
    return commandLine_.frames > 0 ? QualitySettings{false, false, false} : session_.settings.quality;
  }

  QualityInputs qualityInputs() const {
    const Settings& settings = session_.settings;
    return {.nowS = glfwGetTime(),
            .waiting = loop_.result().focusPending,
            .mayConverge = !loop_.result().loading && !settings.scene.animate && !session_.sequence &&
                           !session_.benchmarking && !session_.lab.running && canConverge(settings)};
  }

  // Shifts the camera to the middle of the visible image, if that is asked for, or if it was there before the panels or
  // the window changed their width.
  void centreCamera() {
    const PresentSettings& present = session_.settings.present;
    float& shiftX = session_.settings.camera.shiftX;
    const float middle = 0.5f * session_.visibleLeft;
    const bool follows = present.showUi && shiftX == middleX_ && commandLine_.frames == 0;
    if (std::exchange(session_.centreCamera, false) || follows) {
      shiftX = middle;
      history_.amendShift(middle);
    }
    if (present.showUi) middleX_ = middle;
  }

  // Draws the panels, which change the session.
  void edit() {
    const FrameResult& last = loop_.result();
    ui_.edit(session_,
             {loop_.timings().stats(), shownText() + last.state, last.message, last.progress, last.comparison,
              mouse_.onSplit(session_, window_.mouse(), window_.size()), last.readings, last.loading,
              benchmark_ ? &*benchmark_ : nullptr, lab_ ? &*lab_ : nullptr});
  }

  // Chooses what this frame shows.
  void chooseQuality() {
    const Settings& settings = session_.settings;
    const bool changed = imageOf(settings) != imageOf(observed_);
    observed_ = settings;
    heldChanges_ = window_.holding() ? heldChanges_ + changed : 0;
    QualityInputs inputs = qualityInputs();
    inputs.moving = changed || heldChanges_ > 0;
    inputs.dragging = heldChanges_ > 1;  // once: a click or a key
    inputs.drawnS = std::exchange(drawnS_, std::nullopt);
    const Shown before = quality_.chosen.shown;
    quality_ = advance(quality_, qualitySettings(), inputs);
    if (session_.sequence && qualitySettings().adaptive) quality_.chosen = {Shown::best, 1.0f};
    if (quality_.chosen.shown == before) return;
    if (quality_.chosen.shown == Shown::reference) under_ = before;
    loop_.timings().restart();
  }

  // The settings without the fields that do not change the image; while flipped, B alone.
  Settings imageOf(Settings settings) const {
    flip(settings);
    const float exposure = settings.present.exposureStops;
    settings.present = {.exposureStops = exposure};
    settings.quality = {};
    return settings;
  }

  void flip(Settings& settings) const {
    if (!session_.flipped) return;
    settings.split.enabled = true;
    settings.split.position = 0.0f;
  }

  // The settings that draw what is chosen.
  Settings shownSettings(Settings settings) const {
    flip(settings);
    if (quality_.chosen.shown == Shown::best) return bestSettings(settings);
    if (quality_.chosen.shown == Shown::reference) {
      settings.lens.autofocus = false;
      return referenceSettings(settings);
    }
    if (qualitySettings().adaptive) settings = quickSettings(settings, quality_.chosen.step);
    settings.size =
        glm::max(glm::ivec2(glm::round(glm::vec2(settings.size) * quality_.chosen.scale)), glm::ivec2(1));
    return settings;
  }

  Renderer& rendererOf(Shown shown) {
    auto& renderer = renderers_[static_cast<size_t>(shown)];
    if (!renderer) renderer = std::make_unique<Renderer>(scene_);
    return *renderer;
  }
  Renderer& shownRenderer() { return rendererOf(quality_.chosen.shown); }

  // Whether the image must be drawn again, not only the panels on top of it.
  bool imageChanged() override {
    const FrameResult& last = loop_.result();
    const bool settled = commandLine_.frames == 0 && drawn_ && drawn_->first == imageOf(session_.settings) &&
                         drawn_->second == quality_.chosen;
    return !settled || session_.focusAt || last.focusPending || last.loading || refines() ||
           last.comparisonPending || session_.benchmarking || session_.sequence ||
           drawnReloads_ != gl::shaderReloads() || (showsCursor() && drawnCursor_ != cursor()) ||
           (session_.settings.lens.autofocus && drawnCentre_ != session_.visibleCentre());
  }

  // Whether the image needs further samples. Slow samples wait while input arrives.
  bool refines() const {
    const bool answers = drawS_ > kGoalS && glfwGetTime() - inputS_ < kInputS;
    return loop_.result().progress < 1.0f && !answers;
  }

  bool showsCursor() const {
    return viewOf(session_.settings.technique.view).outlinesFootprint ||
           (session_.settings.split.enabled && viewOf(session_.settings.split.b.view).outlinesFootprint);
  }

  double nowS() const override { return glfwGetTime(); }

  void update() override {
    auto& settings = session_.settings;
    session_.frameS = static_cast<float>(loop_.elapsedS());
    session_.flipped = false;
    shownCursorM_ = session_.cursorM;
    const double now = glfwGetTime();
    const float ageS = std::min(static_cast<float>(now - std::exchange(updateS_, now)), kLongestAgeS);
    for (float* age : {&session_.noticeAgeS, &session_.hintAgeS, &session_.focusMarkerAgeS}) *age += ageS;
    if (settings.scene.animate) settings.scene.timeS = loop_.timeS();
    const auto events = window_.takeEvents();
    if (!events.empty()) inputS_ = now;
    ui_.begin(events, session_.preferences.uiScale);
    dispatch(window_, events, ui_, mouse_, session_);
    clampToRanges(settings);
    settings.size = window_.framebufferSize();
    if (std::exchange(session_.undo, false)) tell("Undo", history_.undo(settings));
    if (std::exchange(session_.redo, false)) tell("Redo", history_.redo(settings));
    edit();
    if (draws_ == 0) {  // panels are hidden while their size is unknown
      ui_.begin({}, session_.preferences.uiScale);
      edit();
    }
    exchangeTexts();
    centreCamera();
    rememberFiles();
    clampToRanges(settings);
    window_.apply(settings.present);
    settings.size = window_.framebufferSize();
    if (std::exchange(session_.reloadShaders, false)) reloadShaders();
    if (session_.sequence && !loop_.sequence())
      startSequence();
    else if (!session_.sequence)
      stopSequence();
    history_.observe(settings, glfwGetTime(), window_.holding());
    chooseQuality();
  }

  FrameResult draw(const Settings& settings, float timeS, Timings& timings) override {
    const auto pick = std::exchange(session_.focusAt, std::nullopt);
    const Settings shown = affordable(shownSettings(settings));
    const Settings allocates = allocating(shown);
    if (allocates != allocated_ || loop_.result().loading) expectTidying();
    allocated_ = allocates;
    // The first image of other settings also compiles and allocates: no measure of the machine.
    const ShownImage now{imageOf(settings), quality_.chosen};
    const bool steady = drawn_ && drawn_->second == now.second &&
                        drawn_->first.technique == now.first.technique &&
                        drawn_->first.size == now.first.size;
    drawStartS_ = steady ? std::optional(glfwGetTime()) : std::nullopt;
    FrameResult result;
    if (failed_ != now)
      result = renderOrReport(shown,
                              {.timeS = timeS,
                               .focusAt = commandLine_.focusSweep ? std::nullopt : pick,
                               .compare = true,
                               .live = commandLine_.frames == 0 && !session_.sequence,
                               .cancelLoading = std::exchange(session_.cancelLoading, false),
                               .cursor = cursor(),
                               .samplesPerFrame = samples_,
                               .alone = session_.sequence.has_value(),
                               .centre = session_.visibleCentre()},
                              now, timings);
    drawn_ = now;
    applyResult(drawn_->first, result);
    drawnReloads_ = gl::shaderReloads();
    drawnCursor_ = cursor();
    drawnCentre_ = session_.visibleCentre();
    if (result.framing && commandLine_.frames == 0) session_.centreCamera = true;
    present(result.progress, timings);
    return result;
  }

  // Draws, or reports why that fails: the window stays open, without an image until something changes.
  FrameResult renderOrReport(const Settings& shown, const FrameRequest& request, const ShownImage& now,
                             Timings& timings) {
    failed_.reset();
    try {
      FrameResult result = renderOnWorkingDevices(shown, request, timings);
      if (!drawStartS_) requireGlSuccess();  // the first image of other settings allocates
      session_.forget("image");
      return result;
    } catch (const std::runtime_error& error) {
      if (commandLine_.frames > 0 || draws_ == 0) throw;
      session_.report("image", error.what());
      renderers_[static_cast<size_t>(quality_.chosen.shown)].reset();
      failed_ = now;
      return {};
    }
  }

  // Draws. If a device stops working meanwhile, draws again without it.
  FrameResult renderOnWorkingDevices(const Settings& shown, const FrameRequest& request, Timings& timings) {
    try {
      FrameResult result = shownRenderer().render(shown, request, timings);
      const bool fails = !result.message.empty() && result.message != loop_.result().message;
      if (!fails || !leaveLostDevices()) return result;
    } catch (const std::runtime_error&) {
      if (!leaveLostDevices()) throw;
    }
    return shownRenderer().render(withAvailable(shown), request, timings);
  }

  // Replaces devices that stopped working, and all that may use them. Returns whether there are any. A scripted run keeps its
  // devices.
  bool leaveLostDevices() {
    if (commandLine_.frames > 0) return false;
    const std::string reason = noticeLostDevices();
    if (reason.empty()) return false;
    renderers_ = {};
    scene_ = std::make_shared<SharedScene>();
    benchmark_.reset();
    session_.settings = withAvailable(session_.settings);
    session_.report("device", reason);
    std::fprintf(stderr, "satdof: %s\n", reason.c_str());
    return true;
  }

  // The settings, with a smaller image if theirs needs more memory than there is. Asks only if the need changes.
  Settings affordable(Settings settings) {
    const MemoryUse use{settings.size,           settings.scene.samples, showsB(settings),
                        settings.technique.view, settings.split.b.view,  settings.filter.mask.none()};
    if (use != checkedUse_) {
      const double free = freeImageBytes();
      const std::string lacking = shortage(settings, free);
      if (!lacking.empty() && commandLine_.frames > 0) throw std::runtime_error(lacking);
      checkedUse_ = use;
      affordableSize_ = sizeWithin(settings, free);
      if (lacking.empty())
        session_.forget("memory");
      else
        session_.report("memory", lacking);
    }
    settings.size = affordableSize_;
    return settings;
  }

  // The image has not changed: shows it with the panels of now.
  void repaint() override {
    idleTimings_.beginFrame();
    present(loop_.result().progress, idleTimings_);
    idleTimings_.endFrame();
  }

  void present(float progress, Timings& timings) {
    const Settings& settings = session_.settings;
    const bool fades = quality_.chosen.shown == Shown::reference;
    const auto& under = renderers_[static_cast<size_t>(under_)];
    const bool overImage = window_.mouse().x >= 0.0f && !ui_.ownsMouse();
    session_.cursorM = overImage && !failed_ ? shownRenderer().distanceAt(cursor()) : std::nullopt;
    const bool canFade = fades && under && under->image().size() == settings.size;
    if (failed_) {
      const float black[] = {0.0f, 0.0f, 0.0f, 1.0f};
      glClearNamedFramebufferfv(0, GL_COLOR, 0, black);
    } else {
      shownRenderer().present(0, settings.size, settings, timings,
                              {canFade ? &under->image() : nullptr, canFade ? fadeOf(progress) : 1.0f});
    }
    if (session_.loupe > 0 && window_.mouse().x >= 0.0f) {
      session_.loupeColour = loupe_.draw(settings.size, cursor(), session_.loupe);
      session_.loupeMark = loupe_.mark();
    }
    const auto scope = timings.gpu("ui");
    ui_.paint(0);
  }

  // What the window shows, in words; so few that the panels below do not jump between one line and two.
  std::string shownText() const {
    if (!qualitySettings().adaptive && !qualitySettings().converge) return {};
    const Quality& chosen = quality_.chosen;
    std::string lens = ": ";
    if (!session_.settings.split.enabled)
      lens.insert(
          0, std::string(" (") + name(resolve(shownSettings(session_.settings).technique.lens.kind)) + ")");
    if (chosen.shown == Shown::quick && chosen.scale < 1.0f)
      return "Quick at " + std::to_string(std::lround(100.0f * chosen.scale)) + " %" + lens;
    if (chosen.shown == Shown::quick) return "Quick image" + lens;
    if (chosen.shown == Shown::best) return "Best image" + lens;
    return loop_.result().progress < 1.0f ? "Converging: " : "Reference: ";
  }

  void tell(const char* what, const std::string& change) {
    session_.say(change.empty() ? std::string("Nothing to ") + (what[0] == 'U' ? "undo" : "redo")
                                : std::string(what) + ": " + change);
  }

  // Serves the clipboard and dropped files.
  void exchangeTexts() {
    const auto request = std::exchange(session_.clipboard, Clipboard::none);
    try {
      if (request == Clipboard::copyJson)
        glfwSetClipboardString(window_.handle(), settingsToJson(session_.settings).c_str());
      if (request == Clipboard::copyOptions)
        glfwSetClipboardString(window_.handle(), ("satdof " + optionsText(session_.settings)).c_str());
      if (request == Clipboard::copyJson || request == Clipboard::copyOptions)
        session_.say(request == Clipboard::copyJson ? "Settings copied as JSON"
                                                    : "Settings copied as a command line");
      if (request == Clipboard::paste) {
        const char* text = glfwGetClipboardString(window_.handle());
        use(settingsFromText(session_.settings, text == nullptr ? "" : text), "Settings pasted");
      }
      if (const auto files = window_.takeDropped(); !files.empty()) {
        const Dropped found = dropped(session_.settings, files);
        use(found.settings, found.notice);
      }
      if (const auto path = std::exchange(session_.loadFile, std::nullopt)) load(*path);
      if (const auto path = std::exchange(session_.saveFile, std::nullopt)) {
        if (session_.presetFolder.empty())
          throw std::runtime_error(
              "cannot save settings: there is no folder for them; set HOME or XDG_CONFIG_HOME");
        std::filesystem::create_directories(path->parent_path());
        writeWholeFile(*path, settingsToJson(session_.settings));
        session_.ownPresets = ownPresets(configFolder());
        session_.forget("settings");
        session_.say("Settings saved to " + path->string());
      }
    } catch (const std::runtime_error& error) {
      session_.report("settings", error.what());
    }
  }

  // Keeps the files that the scene could read, newest first.
  void rememberFiles() {
    const ImageSettings& image = session_.settings.scene.image;
    const FrameResult& last = loop_.result();
    const bool shows = drawn_ && sceneRow(session_.settings.scene.kind).imageSize != nullptr &&
                       drawn_->first.scene.kind == session_.settings.scene.kind &&
                       drawn_->first.scene.image == image;
    if (!shows || image.file.none() || last.loading || !last.message.empty() || last.readings.empty()) return;
    auto& recent = session_.preferences.recentImages;
    const RecentImage now{image.file, image.depth};
    if (!recent.empty() && recent.front() == now) return;
    std::erase(recent, now);
    recent.insert(recent.begin(), now);
    recent.resize(std::min(recent.size(), Preferences::kRecentImages));
  }

  void load(const std::filesystem::path& path) {
    Settings loaded = session_.settings;
    applySettingsJson(loaded, readSettingsText(path), path.string());
    use(loaded, "Settings of " + path.filename().string());
  }

  // The window keeps its own size, full screen and panels.
  void use(Settings settings, const std::string& notice) {
    const PresentSettings& present = session_.settings.present;
    settings.size = session_.settings.size;
    settings.present.fullScreen = present.fullScreen;
    settings.present.showUi = present.showUi;
    settings.present.vsync = present.vsync;
    if (settings.scene.timeS != session_.settings.scene.timeS) loop_.setTime(settings.scene.timeS);
    session_.settings = settings;
    session_.forget("settings");
    session_.say(notice);
  }

  void endDraw() override {
    if (std::exchange(session_.captureNow, false)) captureNumbered();
    advanceBenchmark();
    advanceLab();
    {
      const auto scope = loop_.timings().cpu("swap");
      glfwSwapBuffers(window_.handle());
    }
    if (drawStartS_) {
      drawS_ = static_cast<float>(glfwGetTime() - *std::exchange(drawStartS_, std::nullopt));
      drawnS_ = drawS_;
      samples_ = samplesFor(samples_, drawS_);
    }
    ++draws_;
    updateTitle();
    requireNoGlErrors();
  }

  void captureNumbered() {
    std::filesystem::path path;
    try {
      path = claimNumberedPath(std::string("satdof") + extension(session_.preferences.capture.format));
    } catch (const std::runtime_error& error) {
      session_.report("capture", error.what());
      return;
    }
    if (write(path)) session_.say("Saved " + path.string());
  }

  // A failed write is reported and the window stays open, unless the command line asked for the file.
  bool write(const std::filesystem::path& path) override {
    const CaptureSettings& how = session_.preferences.capture;
    CaptureOptions options;
    const bool asked = path == commandLine_.capture || !commandLine_.sequence.empty();
    options.bitDepth = asked ? commandLine_.bitDepth : bitDepth(how.format);
    if (asked) options.layers = commandLine_.layers;
    options.dated = !session_.sequence;
    if (!how.windowSize) options.size = how.size;
    if (how.windowSize && how.withUi)
      options.drawOver = [this](GLuint framebuffer, glm::ivec2) { ui_.paint(framebuffer); };
    try {
      takeBest(options, [&](Renderer& renderer, const Settings& settings, const CaptureOptions& taken) {
        capture(renderer, settings, loop_.timeS(), path, taken);
      });
      session_.forget("capture");
      return true;
    } catch (const std::runtime_error& error) {
      if (commandLine_.frames > 0) throw;
      session_.sequence.reset();
      session_.report("capture", error.what());
      return false;
    }
  }

  // Captures the reference if it is shown alone, else the best image: calls take(renderer, settings, options).
  template <class Take>
  void takeBest(CaptureOptions options, const Take& take) {
    expectTidying();
    Settings settings = session_.settings;
    const bool converged = quality_.chosen.shown == Shown::reference && loop_.result().progress == 1.0f;
    if (!qualitySettings().adaptive && !converged) {
      options.progress = loop_.result().progress;
      take(rendererOf(Shown::quick), settings, options);
    } else if (converged) {
      take(shownRenderer(), shownSettings(settings), options);
    } else {
      settings = bestSettings(settings);
      settings.lens.autofocus = false;
      Renderer& best = rendererOf(Shown::best);
      if (quality_.chosen.shown == Shown::quick)
        while (best.render(settings, {.timeS = loop_.timeS(), .focusAt = {}}, idleTimings_).progress < 1.0f) {
        }
      take(best, settings, options);
    }
  }

  // Recording begins in the next frame.
  void startSequence() {
    const CaptureSettings& how = session_.preferences.capture;
    const bool video = session_.sequence->video;
    if (video && !startVideo()) {
      session_.sequence.reset();
      return;
    }
    loop_.startSequence({.path = video ? std::filesystem::path() : sequencePath(),
                         .video = video,
                         .frames = session_.sequence->frames,
                         .framesPerSecond = how.framesPerSecond});
  }

  void stopSequence() {
    loop_.stopSequence();
    finishVideo();
  }

  bool startVideo() {
    const CaptureSettings& how = session_.preferences.capture;
    videoSize_ = how.windowSize ? window_.framebufferSize() : how.size;
    try {
      videoFile_ = ClaimedFile(claimNumberedPath("satdof.mp4"));
      video_ = satdof::startVideo(videoFile_.path(), videoSize_, how.framesPerSecond);
      return true;
    } catch (const std::runtime_error& error) {
      dropVideo(error.what());
      return false;
    }
  }

  // Adds the best image to the video, at the size that the video began with.
  bool append() override {
    CaptureOptions options{.size = videoSize_};
    const CaptureSettings& how = session_.preferences.capture;
    if (how.windowSize && how.withUi && videoSize_ == session_.settings.size)
      options.drawOver = [this](GLuint framebuffer, glm::ivec2) { ui_.paint(framebuffer); };
    try {
      takeBest(options, [&](Renderer& renderer, const Settings& settings, const CaptureOptions& taken) {
        video_->append(captureRgb(renderer, settings, loop_.timeS(), taken));
      });
      session_.forget("capture");
      return true;
    } catch (const std::runtime_error& error) {
      session_.sequence.reset();
      dropVideo(error.what());
      return false;
    }
  }

  void finishVideo() {
    if (!video_) return;
    try {
      video_->finish();
      video_.reset();
      session_.say("Saved " + videoFile_.path().string());
    } catch (const std::runtime_error& error) {
      dropVideo(error.what());
    }
  }

  void dropVideo(const std::string& reason) {
    video_.reset();
    videoFile_ = {};
    session_.report("capture", reason);
  }

  std::filesystem::path sequencePath() const {
    if (!commandLine_.sequence.empty()) return commandLine_.sequence;
    return std::string("sequence") + extension(session_.preferences.capture.format);
  }

  // Copies the state of the loop's sequence to the session.
  void reportSequence() {
    if (!session_.sequence) return;
    if (loop_.sequence()) {
      session_.sequence->written = loop_.sequence()->written;
      return;
    }
    if (video_)
      finishVideo();
    else
      session_.say("Saved " + std::to_string(session_.sequence->frames) + " images");
    session_.sequence.reset();
  }

  // 0 to 1 from the bottom left of the image; the centre until the mouse has moved.
  glm::vec2 cursor() const {
    const glm::vec2 at = window_.mouse() / glm::vec2(window_.size());
    return at.x < 0.0f ? glm::vec2(0.5f) : glm::vec2(at.x, 1.0f - at.y);
  }

  void reloadShaders() {
    std::string logs;
    for (const auto& log : gl::reloadAll()) logs += log + "\n";
    session_.forget("shaders");
    if (logs.empty()) {
      session_.say("Shaders reloaded");
    } else {
      session_.report("shaders", logs);
      std::fprintf(stderr, "%s", logs.c_str());
    }
  }

  // Does one build a frame. A new window size ends the benchmark.
  void advanceBenchmark() {
    if (benchmark_ && benchmark_->size() != session_.settings.size) {
      benchmark_.reset();
      session_.benchmarking = false;
    }
    if (!session_.benchmarking) {
      if (benchmark_) benchmark_->cancel();
      return;
    }
    try {
      if (!benchmark_ || benchmark_->finished()) {
        Settings both = session_.settings;
        both.split.enabled = true;
        requireRoom(both);
        benchmark_.emplace(shownRenderer().image());
      }
      benchmark_->advance();
      session_.benchmarking = !benchmark_->finished();
    } catch (const std::runtime_error& error) {
      benchmark_.reset();
      session_.benchmarking = false;
      session_.report("benchmark", error.what());
    }
  }

  // Measures for a part of the frame, and saves what the panel asks for.
  void advanceLab() {
    LabPanel& panel = session_.lab;
    if (!panel.shown) panel.running = false;
    if (panel.shown && !lab_) lab_.emplace(lab::experiments(), kLabBudget);
    if (!lab_) return;
    if (!panel.running)
      lab_->cancel();
    else if (!lab_->running())
      lab_->start(panel.experiment);
    lab_->advance(kLabFrameUs);
    panel.running = lab_->running();
    if (!panel.save.empty()) saveLab(std::exchange(panel.save, {}));
  }

  void saveLab(const std::string& extension) {
    try {
      const auto path = claimNumberedPath("satdof-lab" + extension);
      lab::Results results{lab::machineAndVersions(), {lab_->result(session_.lab.experiment)}};
      results.context.emplace_back("command", "satdof, Laboratory");
      results.context.emplace_back("origin", "measured by satdof between frames");
      writeWholeFile(path, lab::encode(lab::fileFormat(path), results, session_.lab.plot));
      session_.say("Saved " + path.string());
    } catch (const std::runtime_error& error) {
      session_.report("laboratory", error.what());
    }
  }

  void updateTitle() {
    const double now = glfwGetTime();
    if (now - titleS_ < kTitlePeriodS) return;
    requireContext();
    char title[64];
    const auto fps = static_cast<double>(draws_ - titleDraws_) / (now - titleS_);
    if (!session_.settings.scene.animate)
      std::snprintf(title, sizeof title, "satdof: paused");
    else
      std::snprintf(title, sizeof title, "satdof: %.0f fps", fps);
    glfwSetWindowTitle(window_.handle(), title);
    titleS_ = now;
    titleDraws_ = draws_;
  }

  const CommandLine& commandLine_;
  const Termination& termination_;
  GlfwWindow window_;
  Ui ui_;
  std::shared_ptr<SharedScene> scene_ = std::make_shared<SharedScene>();
  std::array<std::unique_ptr<Renderer>, 3> renderers_;  // by Shown; made when first needed
  std::optional<TableBenchmark> benchmark_;
  ClaimedFile videoFile_;
  std::unique_ptr<Video> video_;  // that is being recorded
  glm::ivec2 videoSize_{0};
  std::optional<lab::Laboratory> lab_;  // once its window has been opened
  ImageMouse mouse_;
  Session session_;
  FrameLoop loop_;
  Settings lastSettings_;
  History history_;
  QualityState quality_;
  Shown under_ = Shown::best;  // what the reference fades from
  float middleX_ = -1.0f;      // CameraSettings::shiftX of the middle beside the panels; -1: unknown
  std::optional<float> shownCursorM_;
  Loupe loupe_;
  Settings observed_;                 // in the last chooseQuality()
  int heldChanges_ = 0;               // of the image since a mouse button or a key went down
  std::optional<ShownImage> drawn_;   // the last image
  std::optional<ShownImage> failed_;  // the last image, if drawing it failed
  std::optional<MemoryUse> checkedUse_;
  std::optional<Settings> allocated_;   // allocating() the shown settings
  std::optional<double> untidySinceS_;  // when images were allocated that tidy() has not seen
  glm::ivec2 affordableSize_{1};        // for checkedUse_
  int drawnReloads_ = 0;
  glm::vec2 drawnCursor_{0.0f}, drawnCentre_{0.5f};
  std::optional<double> drawStartS_;
  std::optional<float> drawnS_;  // for chooseQuality()
  float drawS_ = 0.0f;           // time that the last image took
  int samples_ = 1;              // of the reference in the next frame
  double inputS_ = -1e9;         // time of the last input
  double updateS_ = 0.0;         // time of the last update()
  Timings idleTimings_;          // of draws that are no frames
  long draws_ = 0;
  double lastChangeS_ = 0.0;
  long lastChangeDraw_ = 0;
  double titleS_ = 0.0;
  long titleDraws_ = 0;
};

}  // namespace

namespace {

// Opens a window with the aspect of the image that the command line names. The paths of files are remembered, so that
// they become absolute.
void usePhotograph(const CommandLine& commandLine, Settings& settings) {
  constexpr glm::ivec2 kLargest{1600, 900};
  describe(settings, []<class T>(const Field&, T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (!value.none()) value.text = std::filesystem::absolute(value.text).string();
  });
  if (commandLine.files.empty()) return;
  try {
    useImageSize(commandLine, settings);
  } catch (const std::runtime_error&) {  // the scene says what is wrong with the file
  }
  const float scale = std::max({static_cast<float>(settings.size.x) / static_cast<float>(kLargest.x),
                                static_cast<float>(settings.size.y) / static_cast<float>(kLargest.y), 1.0f});
  if (!commandLine.given("--size"))
    settings.size = glm::max(glm::ivec2(glm::round(glm::vec2(settings.size) / scale)), glm::ivec2(1));
}

// Draws in one window until it is closed; leaves its state, whatever ends it.
void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination) {
  WindowRun run(state, commandLine, termination);
  try {
    whileContextLasts([&] { run.run(); });
  } catch (const std::exception&) {
    state = run.state();
    throw;
  }
  state = run.state();
}

// Draws until the window is closed. Opens another window if the driver was reset, but not twice within a short time.
void drawWindows(WindowState& state, const CommandLine& commandLine, const Termination& termination) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> lost;
  for (;;) {
    try {
      return drawWindow(state, commandLine, termination);
    } catch (const ContextLost&) {
      const auto now = Clock::now();
      if (commandLine.frames > 0 || (lost && now - *lost < kCalmAfterReset)) throw;
      lost = now;
    }
    const char* const text = "the graphics driver was reset; the window was opened again with its settings";
    std::fprintf(stderr, "satdof: %s\n", text);
    std::erase_if(state.errors, [](const ErrorReport& error) { return error.source == "driver"; });
    state.errors.push_back({"driver", text});
  }
}

}  // namespace

void runWindow(const CommandLine& commandLine) {
  useOneHeap();
  const Termination termination(glfwPostEmptyEvent);
  const bool remembers = !commandLine.fresh && commandLine.frames == 0;
  const auto folder = remembers ? configFolder() : std::filesystem::path();
  Remembered last;
  WindowState state;
  if (remembers && folder.empty())
    std::fputs("satdof: settings are not remembered: set HOME or XDG_CONFIG_HOME\n", stderr);
  if (!folder.empty()) state.preferences = rememberedPreferences(folder);
  if (!folder.empty() && commandLine.settingsPath.empty()) last = rememberedSettings(folder);
  if (!last.problem.empty()) {
    std::fprintf(stderr, "satdof: %s\n", printable(last.problem).c_str());
    state.errors.push_back({"settings", last.problem});
  }
  state.settings = commandLine.settings(last.settings);
  state.panelsWereHidden = !last.settings.present.showUi;
  usePhotograph(commandLine, state.settings);
  std::exception_ptr failure;  // thrown on after the settings are saved
  try {
    drawWindows(state, commandLine, termination);
  } catch (const std::exception&) {
    if (!state.position) throw;  // no window opened
    failure = std::current_exception();
  }
  if (!folder.empty()) {
    try {
      rememberSettings(folder, state.settings);
      rememberPreferences(folder, state.preferences);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "satdof: cannot save the settings for the next start: %s\n",
                   printable(error.what()).c_str());
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (termination.signal() != 0) endBy(termination.signal());
}

}  // namespace satdof
