#include "app/run/window/glfw_window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <glm/common.hpp>
#include <stdexcept>
#include <string>

#include "app/gl/context.h"
#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/run/limits.h"

namespace satdof {

namespace {

constexpr glm::ivec2 kMinWindow{160, 120};

std::string glfwReason() {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return reason == nullptr ? "no reason given" : reason;
}

// The monitor that shows the largest part of the window.
GLFWmonitor* monitorOf(GLFWwindow* window, glm::ivec2 size) {
  glm::ivec2 from{0};
  glfwGetWindowPos(window, &from.x, &from.y);
  const auto to = from + size;
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
        glm::max(glm::min(to, corner + glm::ivec2(mode->width, mode->height)) - glm::max(from, corner), glm::ivec2(0));
    if (overlap.x * overlap.y > bestArea) {
      bestArea = overlap.x * overlap.y;
      best = monitors[i];
    }
  }
  return best;
}

// Translates a key to the letter on it: GLFW names keys by their place on an American keyboard.
int letterOf(int key, int scancode) {
  const char* const name = glfwGetKeyName(key, scancode);
  const bool letter = name != nullptr && name[0] >= 'a' && name[0] <= 'z' && name[1] == '\0';
  return letter ? GLFW_KEY_A + (name[0] - 'a') : key;
}

// The size, reduced to the work area of the primary monitor.
glm::ivec2 fitted(glm::ivec2 size) {
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return size;
  glm::ivec2 corner{0}, area{0};
  glfwGetMonitorWorkarea(monitor, &corner.x, &corner.y, &area.x, &area.y);
  return area.x > 0 && area.y > 0 ? glm::min(size, area) : size;
}

}  // namespace

GlfwWindow::Glfw::Glfw() {
  requireResources();
  if (!glfwInit())
    throw std::runtime_error("cannot open a window: " + glfwReason() +
                             "; set DISPLAY or WAYLAND_DISPLAY, or use --headless");
}
GlfwWindow::Glfw::~Glfw() { glfwTerminate(); }

void GlfwWindow::Destroy::operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }

GlfwWindow::GlfwWindow(glm::ivec2 size, bool debug) {
  size = fitted(size);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);  // where the driver offers it
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "satdof");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "satdof");
  window_.reset(glfwCreateWindow(size.x, size.y, "satdof", nullptr, nullptr));
  if (!window_)
    throw std::runtime_error("cannot open a window with OpenGL 4.5 core: " + glfwReason() +
                             "; update the graphics driver, or try LIBGL_ALWAYS_SOFTWARE=1");
  glfwMakeContextCurrent(handle());
  if (!gl::loadContext(glfwGetProcAddress))
    throw std::runtime_error("cannot load the OpenGL 4.5 functions of the window; update the graphics driver");
  if (debug) gl::enableDebugOutput();
  followMonitorScale(size);
  glfwSetWindowSizeLimits(handle(), kMinWindow.x, kMinWindow.y, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(handle(), this);
  setCallbacks();
}

void GlfwWindow::followMonitorScale(glm::ivec2 wanted) {
  float scale = 1.0f;
  glfwGetWindowContentScale(handle(), &scale, nullptr);
  if (framebufferSize() != size() || scale <= 1.0f) return;  // the system scales, or nothing is to be scaled
  monitorScale_ = scale;
  const auto scaled = fitted(glm::ivec2(glm::round(glm::vec2(wanted) * scale)));
  glfwSetWindowSize(handle(), scaled.x, scaled.y);
}

glm::ivec2 GlfwWindow::size() const {
  glm::ivec2 size{0};
  glfwGetWindowSize(handle(), &size.x, &size.y);
  return size;
}

glm::ivec2 GlfwWindow::framebufferSize() const {
  glm::ivec2 size{0};
  glfwGetFramebufferSize(handle(), &size.x, &size.y);
  return size;
}

WindowPlace GlfwWindow::place() const {
  WindowPlace place{restoredSize_, restoredPosition_};
  if (!fullScreen_) {
    place.size = size();
    glfwGetWindowPos(handle(), &place.position.x, &place.position.y);
  }
  place.size = glm::ivec2(glm::round(glm::vec2(place.size) / monitorScale_));
  return place;
}

void GlfwWindow::moveTo(glm::ivec2 position) const { glfwSetWindowPos(handle(), position.x, position.y); }

bool GlfwWindow::hidden() const {
  const auto pixels = framebufferSize();
  return pixels.x == 0 || pixels.y == 0 || glfwGetWindowAttrib(handle(), GLFW_ICONIFIED) ||
         !glfwGetWindowAttrib(handle(), GLFW_VISIBLE);
}

void GlfwWindow::apply(const PresentSettings& present) {
  if (fullScreen_ != present.fullScreen) setFullScreen(present.fullScreen);
  if (swapInterval_ != static_cast<int>(present.vsync)) {
    swapInterval_ = present.vsync;
    glfwSwapInterval(swapInterval_);
  }
}

bool GlfwWindow::changed() { return std::exchange(exposed_, false) || inputWaits(); }

void GlfwWindow::setCallbacks() const {
  static constexpr auto of = [](GLFWwindow* window) -> GlfwWindow& {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
  };
  glfwSetWindowRefreshCallback(handle(), [](GLFWwindow* window) { of(window).exposed_ = true; });
  glfwSetWindowCloseCallback(handle(), [](GLFWwindow* window) { ++of(window).closeRequests_; });
  glfwSetDropCallback(handle(), [](GLFWwindow* window, int count, const char** paths) {
    of(window).dropped_.insert(of(window).dropped_.end(), paths, paths + count);
  });
  glfwSetKeyCallback(handle(), [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    key = letterOf(key, scancode);
    of(window).keyRepeats_ = action == GLFW_REPEAT;
    if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) of(window).shift_ = action != GLFW_RELEASE;
    if (key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL) of(window).control_ = action != GLFW_RELEASE;
    if (key == GLFW_KEY_LEFT_ALT || key == GLFW_KEY_RIGHT_ALT) of(window).alt_ = action != GLFW_RELEASE;
    of(window).input_.push({.kind = action == GLFW_RELEASE ? InputEvent::Kind::keyUp : InputEvent::Kind::key,
                            .code = key,
                            .shift = (mods & GLFW_MOD_SHIFT) != 0,
                            .control = (mods & GLFW_MOD_CONTROL) != 0,
                            .alt = (mods & GLFW_MOD_ALT) != 0,
                            .repeated = action == GLFW_REPEAT,
                            .scancode = scancode});
  });
  glfwSetCharCallback(handle(), [](GLFWwindow* window, unsigned character) {
    of(window).input_.push(
        {.kind = InputEvent::Kind::character, .code = static_cast<int>(character), .repeated = of(window).keyRepeats_});
  });
  glfwSetMouseButtonCallback(handle(), [](GLFWwindow* window, int button, int action, int mods) {
    of(window).input_.push({.kind = action == GLFW_PRESS ? InputEvent::Kind::press : InputEvent::Kind::release,
                            .code = button,
                            .shift = (mods & GLFW_MOD_SHIFT) != 0,
                            .control = (mods & GLFW_MOD_CONTROL) != 0,
                            .at = of(window).mouse_});
  });
  glfwSetCursorPosCallback(handle(), [](GLFWwindow* window, double x, double y) {
    of(window).mouse_ = {x, y};
    of(window).input_.push({.kind = InputEvent::Kind::move, .at = {x, y}});
  });
  glfwSetCursorEnterCallback(handle(), [](GLFWwindow* window, int entered) {
    if (entered == GLFW_FALSE) of(window).input_.push({.kind = InputEvent::Kind::leave});
  });
  glfwSetScrollCallback(handle(), [](GLFWwindow* window, double x, double y) {
    of(window).input_.push({.kind = InputEvent::Kind::scroll,
                            .shift = of(window).shift_,
                            .control = of(window).control_,
                            .alt = of(window).alt_,
                            .at = {x, y != 0 ? y : x}});
  });
}

void GlfwWindow::setFullScreen(bool on) {
  fullScreen_ = on;
  if (!on) {
    glfwSetWindowMonitor(handle(), nullptr, restoredPosition_.x, restoredPosition_.y, restoredSize_.x, restoredSize_.y,
                         GLFW_DONT_CARE);
  } else {
    glfwGetWindowPos(handle(), &restoredPosition_.x, &restoredPosition_.y);
    restoredSize_ = size();
    GLFWmonitor* const target = monitorOf(handle(), size());
    const GLFWvidmode* mode = target == nullptr ? nullptr : glfwGetVideoMode(target);
    if (mode != nullptr) glfwSetWindowMonitor(handle(), target, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
  swapInterval_ = -1;
}

}  // namespace satdof
