#pragma once
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

#include "app/core/settings.h"

struct GLFWwindow;

namespace satdof {

// One input event. Events are kept until the panels say which of them they own.
struct InputEvent {
  enum class Kind { key, character, press, release, move, scroll } kind;
  int code = 0;  // GLFW key, mouse button, or character
  bool shift = false, control = false, repeated = false;
  glm::vec2 at{0.0f};  // screen coordinates from the top left, or scroll steps
};

// A resizable window with a current OpenGL 4.5 core context. One at a time.
class GlfwWindow {
 public:
  // `size` in screen coordinates. Throws std::runtime_error if there is no display or no OpenGL 4.5 core.
  GlfwWindow(glm::ivec2 size, bool debug);
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* handle() const { return window_.get(); }
  glm::ivec2 size() const;             // in screen coordinates
  glm::ivec2 framebufferSize() const;  // in pixels
  glm::ivec2 restoredSize() const;     // size() outside full screen
  bool hidden() const;                 // minimised, unmapped or empty
  glm::vec2 mouse() const { return mouse_; }

  // Sets vertical sync and full screen, if they differ from the current state.
  void apply(const PresentSettings& present);

  std::vector<InputEvent> takeEvents();
  // Whether an event or the loss of the drawn image happened since the last call or takeEvents().
  bool changed();

 private:
  struct Glfw {
    Glfw();
    ~Glfw();
  };
  struct Destroy {
    void operator()(GLFWwindow* window) const;
  };
  void setCallbacks() const;
  void setFullScreen(bool on);

  Glfw glfw_;
  std::unique_ptr<GLFWwindow, Destroy> window_;
  std::vector<InputEvent> events_;
  glm::vec2 mouse_{-1.0f};
  bool keyRepeats_ = false, shift_ = false, control_ = false;
  bool exposed_ = false;
  bool fullScreen_ = false;
  int swapInterval_ = -1;  // unknown until apply()
  glm::ivec2 restoredPosition_{0}, restoredSize_{0};
};

}  // namespace satdof
