#include "app/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/capture/capture.h"
#include "app/capture/whole_file.h"
#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/renderer.h"
#include "app/sat/sat_backend.h"
#include "app/settings_io.h"
#include "app/stats_file.h"
#include "app/ui/edit.h"
#include "app/ui/keys.h"
#include "app/ui/picture_mouse.h"
#include "app/ui/ui.h"

namespace satdof {

namespace {

constexpr int kMaxWarmUpFrames = 10;
constexpr double kSettleS = 0.7;  // software OpenGL draws on for so long after the last change,
constexpr int kSettleFrames = 3;  // and for so many frames
constexpr double kTitlePeriodS = 0.5;
constexpr double kLongestStepS = 0.25;       // of the animation, after the window was hidden
constexpr double kAnimationPeriodS = 86400;  // so that single precision stays fine enough
constexpr glm::ivec2 kSmallestWindow{160, 120};

#ifdef NDEBUG
constexpr bool kDebugBuild = false;
#else
constexpr bool kDebugBuild = true;
#endif

std::string glfwReason() {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return reason == nullptr ? "no reason given" : reason;
}

// One thing that the person did, kept until the panels have said whether it was meant for them.
struct InputEvent {
  enum class Kind { key, character, press, release, move, scroll } kind;
  int code = 0;  // GLFW key, mouse button, or character
  bool shift = false, control = false, repeated = false;
  glm::vec2 at{0.0f};  // screen coordinates from the top left, or scroll steps
};

class Glfw {
 public:
  Glfw() {
    if (!glfwInit())
      throw std::runtime_error("cannot open a window: " + glfwReason() +
                               "; set DISPLAY or WAYLAND_DISPLAY, or use --headless");
  }
  ~Glfw() { glfwTerminate(); }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

// A window with a current OpenGL 4.5 core context.
class Window {
 public:
  Window(glm::ivec2 size, bool debug) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "satdof");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "satdof");
    window_.reset(glfwCreateWindow(size.x, size.y, "satdof", nullptr, nullptr));
    if (!window_)
      throw std::runtime_error("cannot make a window with OpenGL 4.5 core: " + glfwReason() +
                               "; update the graphics driver, or try LIBGL_ALWAYS_SOFTWARE=1");
    glfwMakeContextCurrent(handle());
    if (gladLoadGL(glfwGetProcAddress) == 0)
      throw std::runtime_error("cannot load the OpenGL 4.5 functions of the window's driver");
    if (debug) gl::enableDebugOutput();
    glfwSetWindowSizeLimits(handle(), kSmallestWindow.x, kSmallestWindow.y, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwSetInputMode(handle(), GLFW_STICKY_KEYS, GLFW_TRUE);
    glfwSetWindowUserPointer(handle(), this);
    setCallbacks();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_.get(); }
  glm::ivec2 size() const {
    glm::ivec2 size{0};
    glfwGetWindowSize(handle(), &size.x, &size.y);
    return size;
  }
  glm::ivec2 framebufferSize() const {
    glm::ivec2 size{0};
    glfwGetFramebufferSize(handle(), &size.x, &size.y);
    return size;
  }
  // The size to open the next window with.
  glm::ivec2 restoredSize() const { return fullScreen_ ? restoredSize_ : size(); }
  bool hidden() const {
    const auto pixels = framebufferSize();
    return pixels.x == 0 || pixels.y == 0 || glfwGetWindowAttrib(handle(), GLFW_ICONIFIED) ||
           !glfwGetWindowAttrib(handle(), GLFW_VISIBLE);
  }

  void apply(const PresentSettings& present) {
    if (fullScreen_ != present.fullScreen) setFullScreen(present.fullScreen);
    if (swapInterval_ != static_cast<int>(present.vsync)) {
      swapInterval_ = present.vsync;
      glfwSwapInterval(swapInterval_);
    }
  }

  std::vector<InputEvent> takeEvents() { return std::exchange(events_, {}); }
  // Whether anything happened since the last call or takeEvents(), the loss of what was drawn included.
  bool changed() { return std::exchange(exposed_, false) || !events_.empty(); }
  glm::vec2 mouse() const { return mouse_; }

 private:
  struct Destroy {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
  };

  static Window& of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

  void setCallbacks() {
    glfwSetWindowRefreshCallback(handle(), [](GLFWwindow* window) { of(window).exposed_ = true; });
    glfwSetKeyCallback(handle(), [](GLFWwindow* window, int key, int, int action, int mods) {
      of(window).keyRepeats_ = action == GLFW_REPEAT;
      if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT)
        of(window).shift_ = action != GLFW_RELEASE;
      if (key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL)
        of(window).control_ = action != GLFW_RELEASE;
      if (action != GLFW_RELEASE)
        of(window).events_.push_back({.kind = InputEvent::Kind::key,
                                      .code = key,
                                      .control = (mods & GLFW_MOD_CONTROL) != 0,
                                      .repeated = action == GLFW_REPEAT});
    });
    glfwSetCharCallback(handle(), [](GLFWwindow* window, unsigned character) {
      of(window).events_.push_back({.kind = InputEvent::Kind::character,
                                    .code = static_cast<int>(character),
                                    .repeated = of(window).keyRepeats_});
    });
    glfwSetMouseButtonCallback(handle(), [](GLFWwindow* window, int button, int action, int mods) {
      of(window).events_.push_back(
          {.kind = action == GLFW_PRESS ? InputEvent::Kind::press : InputEvent::Kind::release,
           .code = button,
           .shift = (mods & GLFW_MOD_SHIFT) != 0,
           .at = of(window).mouse_});
    });
    glfwSetCursorPosCallback(handle(), [](GLFWwindow* window, double x, double y) {
      of(window).mouse_ = {x, y};
      of(window).events_.push_back({.kind = InputEvent::Kind::move, .at = {x, y}});
    });
    glfwSetScrollCallback(handle(), [](GLFWwindow* window, double x, double y) {
      of(window).events_.push_back({.kind = InputEvent::Kind::scroll,
                                    .shift = of(window).shift_,
                                    .control = of(window).control_,
                                    .at = {x, y != 0 ? y : x}});
    });
  }

  // The monitor that shows most of the window.
  GLFWmonitor* monitor() const {
    glm::ivec2 from{0};
    glfwGetWindowPos(handle(), &from.x, &from.y);
    const auto to = from + size();
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int bestArea = 0;
    for (int i = 0; i < count; ++i) {
      glm::ivec2 corner{0};
      glfwGetMonitorPos(monitors[i], &corner.x, &corner.y);
      const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
      if (mode == nullptr) continue;
      const auto overlap =
          glm::max(glm::min(to, corner + glm::ivec2(mode->width, mode->height)) - glm::max(from, corner),
                   glm::ivec2(0));
      if (overlap.x * overlap.y > bestArea) {
        bestArea = overlap.x * overlap.y;
        best = monitors[i];
      }
    }
    return best;
  }

  void setFullScreen(bool on) {
    fullScreen_ = on;
    if (!on) {
      glfwSetWindowMonitor(handle(), nullptr, restoredPosition_.x, restoredPosition_.y, restoredSize_.x,
                           restoredSize_.y, GLFW_DONT_CARE);
    } else {
      glfwGetWindowPos(handle(), &restoredPosition_.x, &restoredPosition_.y);
      restoredSize_ = size();
      GLFWmonitor* const target = monitor();
      const GLFWvidmode* mode = target == nullptr ? nullptr : glfwGetVideoMode(target);
      if (mode != nullptr)
        glfwSetWindowMonitor(handle(), target, 0, 0, mode->width, mode->height, mode->refreshRate);
    }
    swapInterval_ = -1;
  }

  std::unique_ptr<GLFWwindow, Destroy> window_;
  std::vector<InputEvent> events_;
  glm::vec2 mouse_{-1.0f};
  bool keyRepeats_ = false, shift_ = false, control_ = false;
  bool exposed_ = false;
  bool fullScreen_ = false;
  int swapInterval_ = -1;  // not set yet
  glm::ivec2 restoredPosition_{0}, restoredSize_{0};
};

// Hands what happened to the keys and to the picture's mouse, unless a panel owns it.
void dispatch(Window& window, const Ui& ui, PictureMouse& mouse, Session& session) {
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

const char* extension(PictureFormat format) {
  return format == PictureFormat::hdr ? ".hdr" : format == PictureFormat::pfm ? ".pfm" : ".png";
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
    session_.capture.format = commandLine.bitDepth == 16 ? PictureFormat::png16 : PictureFormat::png8;
    session_.capture.withUi = commandLine.withUi;
    animationS_ = settings.scene.timeS;
    leaveLostBackend();
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
  // A picture that takes several frames is not finished.
  bool refining() const { return renderer_.progress() < 1.0f; }
  bool framesDone() const { return framesDrawn() && !renderer_.focusPending() && !refining(); }

  // A remembered backend may be gone; one that the command line asks for must be there.
  void leaveLostBackend() {
    auto& backend = session_.settings.method.backend;
    const bool asked = !commandLine_.settingsPath.empty() ||
                       std::ranges::any_of(commandLine_.options,
                                           [](const auto& option) { return option.first == "--backend"; });
    if (asked || availability(backend).available) return;
    session_.say(std::string(name(backend)) + ": " + availability(backend).reason);
    backend = Backend::automatic;
  }

  // Whether another frame would look like the last one, and software OpenGL would work for nothing.
  bool still() {
    const bool changes = window_.changed() || session_.settings != lastSettings_ ||
                         window_.framebufferSize() != session_.settings.size ||
                         session_.settings.scene.animate || session_.sequence ||
                         session_.noticeAgeS < kNoticeS || session_.focusMarkerAgeS < kFocusMarkerS ||
                         renderer_.focusPending() || refining() || commandLine_.frames > 0;
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
    ui_.edit(session_, {timings_.stats(), renderer_.state(), renderer_.message(), renderer_.progress(),
                        renderer_.comparison(), mouse_.onSplit(session_, window_.mouse(), window_.size())});
    clampToRanges(settings);
    window_.apply(settings.present);
    settings.size = window_.framebufferSize();
    if (std::exchange(session_.reloadShaders, false)) reloadShaders();

    renderer_.render(settings,
                     {.timeS = settings.scene.timeS,
                      .focusAt = std::exchange(session_.focusAt, std::nullopt),
                      .compare = true},
                     timings_);
    renderer_.present(0, settings.size, settings, timings_);
    {
      const auto scope = timings_.gpu("ui");
      ui_.paint(0);
    }
    capturePictures();
    timings_.endFrame();
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
    options.bitDepth = how.format == PictureFormat::png16 ? 16 : 8;
    if (!how.windowSize) options.size = how.size;
    if (how.windowSize && how.withUi)
      options.drawOver = [this](GLuint framebuffer, glm::ivec2) { ui_.paint(framebuffer); };
    capture(renderer_, session_.settings, session_.settings.scene.timeS, path, options);
  }

  // A picture that cannot be written is the person's to mend, not the end of the run.
  void capturePictures() {
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
      session_.say("wrote " + std::to_string(session_.sequence->written) + " pictures");
      session_.sequence.reset();
    } catch (const std::runtime_error& error) {
      if (commandLine_.frames > 0) throw;
      session_.sequence.reset();
      session_.error = error.what();
    }
  }

  void writeFiles() {
    if (!commandLine_.capture.empty()) write(commandLine_.capture, session_.capture);
    timings_.finish();
    if (!commandLine_.stats.empty())
      writeStats(commandLine_.stats, session_.settings, renderer_.state(), timings_.stats(), frames_,
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
  Glfw glfw_;
  Window window_;
  Ui ui_;
  Renderer renderer_;
  Timings timings_;
  PictureMouse mouse_;
  Session session_;
  double animationS_ = 0.0;
  double lastFrameS_ = 0.0;
  const bool software_ = resolve(Backend::automatic) == Backend::cpu;
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
    applySettingsJson(settings, readSettingsJson(path), path.string());
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "satdof: starting with the defaults: %s\n", error.what());
  }
  return settings;
}

}  // namespace satdof
