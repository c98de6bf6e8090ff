#include "app/run/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/settings_json.h"
#include "app/core/whole_file.h"
#include "app/device/device.h"
#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/io/settings_file.h"
#include "app/lab/table_benchmark.h"
#include "app/render/renderer.h"
#include "app/run/capture.h"
#include "app/run/glfw_window.h"
#include "app/run/limits.h"
#include "app/run/stats_file.h"
#include "app/ui/edit.h"
#include "app/ui/image_mouse.h"
#include "app/ui/keys.h"
#include "app/ui/ui.h"

namespace satdof {

namespace {

constexpr int kMaxWarmUpFrames = 10;
constexpr double kSettleS = 0.7;  // software OpenGL draws on for so long after the last change,
constexpr int kSettleFrames = 3;  // and for so many frames
constexpr double kTitlePeriodS = 0.5;
constexpr double kLongestStepS = 0.25;       // of the animation, after the window was hidden
constexpr double kAnimationPeriodS = 86400;  // so that single precision stays fine enough

#ifdef NDEBUG
constexpr bool kDebugBuild = false;
#else
constexpr bool kDebugBuild = true;
#endif

// Hands what happened to the keys and to the image's mouse, unless a panel owns it.
void dispatch(GlfwWindow& window, const Ui& ui, ImageMouse& mouse, Session& session) {
  using Kind = InputEvent::Kind;
  const glm::vec2 size = window.size();
  for (const auto& event : window.takeEvents()) {
    const auto button = static_cast<MouseButton>(event.code);
    const bool knownButton = event.code <= static_cast<int>(MouseButton::middle);
    switch (event.kind) {
      case Kind::key:
        if (!ui.ownsKeyboard()) pressKey(session, event.code, event.control, event.repeated);
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
      case Kind::scroll:
        if (!ui.ownsMouse()) mouse.scroll(session, event.at.y, event.shift, event.control);
        break;
    }
  }
  for (const auto& binding : keyBindings())
    if (binding.trigger == Trigger::hold && !ui.ownsKeyboard() &&
        glfwGetKey(window.handle(), binding.key) == GLFW_PRESS)
      binding.act(session, -1);
}

// Whether times of frames with `a` and with `b` tell of the same stages on as many pixels.
bool sameWork(const Settings& a, const Settings& b) {
  return a.size == b.size && a.technique == b.technique && a.split.enabled == b.split.enabled &&
         (!a.split.enabled || a.split.other == b.split.other);
}

const char* extension(CaptureFormat format) {
  return format == CaptureFormat::hdr ? ".hdr" : format == CaptureFormat::pfm ? ".pfm" : ".png";
}

// The window's frame loop and what it owns.
class WindowRun {
 public:
  WindowRun(Settings settings, const CommandLine& commandLine)
      : commandLine_(commandLine),
        debug_(commandLine.glDebug || kDebugBuild),
        window_(settings.size, debug_),
        ui_(window_.handle()) {
    session_.settings = settings;
    session_.capture.format = commandLine.bitDepth == 16 ? CaptureFormat::png16 : CaptureFormat::png8;
    session_.capture.withUi = commandLine.withUi;
    animationS_ = settings.scene.timeS;
    leaveLostDevice();
    if (!commandLine.sequence.empty())
      session_.sequence = Sequence{.frames = std::max(commandLine.frames, 1)};
  }

  void run() {
    while (!session_.quit && !glfwWindowShouldClose(window_.handle()) && !framesDone()) {
      glfwPollEvents();
      if (!window_.hidden() && !still()) {
        frame();
      } else {
        timings_.pause();
        glfwWaitEvents();
      }
    }
    if (framesDone()) writeFiles();
    session_.settings.size = window_.restoredSize();
  }

  const Settings& settings() const { return session_.settings; }

 private:
  bool framesDrawn() const { return commandLine_.frames > 0 && frames_ >= commandLine_.frames; }
  // An image that takes several frames is not finished.
  bool refining() const { return result_.progress < 1.0f; }
  bool framesDone() const { return framesDrawn() && !result_.focusPending && !refining(); }

  // A remembered device may be gone; one that the command line asks for must be there.
  void leaveLostDevice() {
    auto& device = session_.settings.technique.device;
    const bool asked = !commandLine_.settingsPath.empty() ||
                       std::ranges::any_of(commandLine_.options,
                                           [](const auto& option) { return option.first == "--backend"; });
    if (asked || availability(device).available) return;
    session_.say(std::string(name(device)) + ": " + availability(device).reason);
    device = DeviceId::automatic;
  }

  // Whether another frame would look like the last one, and software OpenGL would work for nothing.
  bool still() {
    const bool changes = window_.changed() || session_.settings != lastSettings_ ||
                         window_.framebufferSize() != session_.settings.size ||
                         session_.settings.scene.animate || session_.sequence || session_.benchmarking ||
                         session_.noticeAgeS < kNoticeS || session_.focusMarkerAgeS < kFocusMarkerS ||
                         result_.focusPending || refining() || commandLine_.frames > 0;
    if (changes) {
      lastChangeS_ = glfwGetTime();
      lastChangeFrame_ = frames_;
    }
    lastSettings_ = session_.settings;
    return software_ && glfwGetTime() - lastChangeS_ > kSettleS && frames_ - lastChangeFrame_ > kSettleFrames;
  }

  void frame() {
    auto& settings = session_.settings;
    if (commandLine_.frames > 0 && frames_ == warmUpFrames_) timings_.clear();
    timings_.beginFrame();
    advance();
    ui_.begin();
    dispatch(window_, ui_, mouse_, session_);
    clampToRanges(settings);
    settings.size = window_.framebufferSize();
    ui_.edit(session_, {timings_.stats(), result_.state, result_.message, result_.progress,
                        result_.comparison, mouse_.onSplit(session_, window_.mouse(), window_.size()),
                        benchmark_ ? &*benchmark_ : nullptr});
    clampToRanges(settings);
    sweepFocus(settings.lens);
    window_.apply(settings.present);
    settings.size = window_.framebufferSize();
    if (std::exchange(session_.reloadShaders, false)) reloadShaders();

    if (commandLine_.frames == 0 && !sameWork(settings, lastSettings_)) timings_.restart();
    result_ = renderer_.render(settings,
                               {.timeS = settings.scene.timeS,
                                .focusAt = std::exchange(session_.focusAt, std::nullopt),
                                .compare = true,
                                .cursor = cursor()},
                               timings_);
    applyFocus(settings, result_);
    renderer_.present(0, settings.size, settings, timings_);
    {
      const auto scope = timings_.gpu("ui");
      ui_.paint(0);
    }
    captureImages();
    timings_.endFrame();
    advanceBenchmark();
    {
      const auto scope = timings_.cpu("swap");
      glfwSwapBuffers(window_.handle());
    }
    ++frames_;
    updateTitle();
    if (debug_ && gl::debugErrorCount() > 0)
      throw std::runtime_error("OpenGL error: " + gl::firstDebugError());
  }

  // Moves time on by what the last frame took, or by the fixed step of a sequence.
  void advance() {
    const double now = glfwGetTime();
    const double passedS = std::min(now - lastFrameS_, kLongestStepS);
    lastFrameS_ = now;
    session_.frameS = static_cast<float>(passedS);
    session_.noticeAgeS += session_.frameS;
    session_.focusMarkerAgeS += session_.frameS;
    if (!session_.settings.scene.animate || framesDrawn() || (session_.sequence && refining())) return;
    const double stepS = commandLine_.framesPerSecond > 0 ? 1.0 / commandLine_.framesPerSecond
                         : session_.sequence              ? 1.0 / session_.capture.framesPerSecond
                                                          : passedS;
    if (frames_ > 0) animationS_ = std::fmod(animationS_ + stepS, kAnimationPeriodS);
    session_.settings.scene.timeS = static_cast<float>(animationS_);
  }

  // 0 to 1 from the image's bottom left; its centre before the mouse was seen.
  glm::vec2 cursor() const {
    const glm::vec2 at = window_.mouse() / glm::vec2(window_.size());
    return at.x < 0.0f ? glm::vec2(0.5f) : glm::vec2(at.x, 1.0f - at.y);
  }

  // Wins over keys, mouse and panels.
  void sweepFocus(LensSettings& lens) {
    if (!commandLine_.focusSweep) return;
    lens.autofocus = false;
    session_.focusAt.reset();
    const int frame = session_.sequence ? session_.sequence->written : frames_;
    lens.focusDistanceM = focusDistanceM(*commandLine_.focusSweep, frame, commandLine_.frames);
  }

  void reloadShaders() {
    session_.error.clear();
    for (const auto& log : gl::reloadAll()) session_.error += log + "\n";
    if (session_.error.empty())
      session_.say("shaders compiled anew");
    else
      std::fprintf(stderr, "%s", session_.error.c_str());
  }

  void write(const std::filesystem::path& path, const CaptureSettings& how) {
    CaptureOptions options;
    options.bitDepth = how.format == CaptureFormat::png16 ? 16 : 8;
    if (!how.windowSize) options.size = how.size;
    if (how.windowSize && how.withUi)
      options.drawOver = [this](GLuint framebuffer, glm::ivec2) { ui_.paint(framebuffer); };
    capture(renderer_, session_.settings, session_.settings.scene.timeS, path, options);
  }

  // An image that cannot be written is the person's to mend, not the end of the run.
  void captureImages() {
    const auto& how = session_.capture;
    try {
      if (std::exchange(session_.captureNow, false)) {
        const auto path = numberedPath(std::string("satdof") + extension(how.format));
        write(path, how);
        session_.say("wrote " + path.string());
      }
      if (!session_.sequence || refining()) return;
      const std::filesystem::path panel = std::string("sequence") + extension(how.format);
      write(numberedPath(commandLine_.sequence.empty() ? panel : commandLine_.sequence), how);
      if (++session_.sequence->written < session_.sequence->frames) return;
      session_.say("wrote " + std::to_string(session_.sequence->written) + " images");
      session_.sequence.reset();
    } catch (const std::runtime_error& error) {
      if (commandLine_.frames > 0) throw;
      session_.sequence.reset();
      session_.error = error.what();
    }
  }

  // One build a frame, at the size that the person sees.
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
        benchmark_.emplace(renderer_.image());
      }
      benchmark_->advance();
      session_.benchmarking = !benchmark_->finished();
    } catch (const std::runtime_error& error) {
      benchmark_.reset();
      session_.benchmarking = false;
      session_.error = error.what();
    }
  }

  void writeFiles() {
    if (!commandLine_.capture.empty()) write(commandLine_.capture, session_.capture);
    timings_.finish();
    if (!commandLine_.stats.empty())
      writeStats(commandLine_.stats, session_.settings, result_.state, timings_.stats(), frames_,
                 warmUpFrames_);
  }

  void updateTitle() {
    const double now = glfwGetTime();
    if (now - titleS_ < kTitlePeriodS) return;
    char title[64];
    std::snprintf(title, sizeof title, "satdof: %.0f fps", (frames_ - titleFrames_) / (now - titleS_));
    glfwSetWindowTitle(window_.handle(), title);
    titleS_ = now;
    titleFrames_ = frames_;
  }

  const CommandLine& commandLine_;
  const bool debug_;
  GlfwWindow window_;
  Ui ui_;
  Renderer renderer_;
  FrameResult result_;
  Timings timings_;
  std::optional<TableBenchmark> benchmark_;
  ImageMouse mouse_;
  Session session_;
  double animationS_ = 0.0;
  double lastFrameS_ = 0.0;
  const bool software_ = resolve(DeviceId::automatic) == DeviceId::cpu;
  Settings lastSettings_;
  double lastChangeS_ = 0.0;
  int lastChangeFrame_ = 0;
  const int warmUpFrames_ = std::min(kMaxWarmUpFrames, commandLine_.frames / 2);
  int frames_ = 0;
  double titleS_ = 0.0;
  int titleFrames_ = 0;
};

}  // namespace

void runWindow(Settings settings, const CommandLine& commandLine) {
  WindowRun run(settings, commandLine);
  run.run();
  if (commandLine.frames > 0) return;
  const auto path = rememberedSettingsPath();
  try {
    std::filesystem::create_directories(path.parent_path());
    writeWholeFile(path, settingsToJson(run.settings()));
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "satdof: the settings are not remembered: %s\n", error.what());
  }
}

std::filesystem::path rememberedSettingsPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && config[0] != '\0') return std::filesystem::path(config) / "satdof/settings.json";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "." : home) / ".config/satdof/settings.json";
}

Settings rememberedSettings() {
  Settings settings;
  const auto path = rememberedSettingsPath();
  if (!std::filesystem::exists(path)) return settings;
  try {
    applySettingsJson(settings, readSettingsText(path), path.string());
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "satdof: starting with the defaults: %s\n", error.what());
  }
  return settings;
}

}  // namespace satdof
