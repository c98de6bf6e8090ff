#pragma once
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

#include "app/core/settings.h"

struct GLFWwindow;

namespace satdof {

// One thing that the person did, kept until the panels have said whether it was meant for them.
struct InputEvent {
  enum class Kind { key, character, press, release, move, scroll } kind;
  int code = 0;  // GLFW key, mouse button, or character
  bool shift = false, control = false, repeated = false;
  glm::vec2 at{0.0f};  // screen coordinates from the top left, or scroll steps
};

// A resizable window with a current OpenGL 4.5 core context. One at a time.
class GlfwWindow {
 public:
  // `size` in screen coordinates. Throws std::runtime_error when there is no display or no OpenGL 4.5 core.
  GlfwWindow(glm::ivec2 size, bool debug);
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* handle() const { return window_.get(); }
  glm::ivec2 size() const;             // in screen coordinates
  glm::ivec2 framebufferSize() const;  // in pixels
  glm::ivec2 restoredSize() const;     // size() less full screen
  bool hidden() const;                 // nothing of it can be seen
  glm::vec2 mouse() const { return mouse_; }

  // Changes vertical sync and full screen where they differ from what they are.
  void apply(const PresentSettings& present);

  std::vector<InputEvent> takeEvents();
  // Whether anything happened since the last call or takeEvents(), the loss of what was drawn included.
  bool changed();

 private:
  struct Glfw {
    Glfw();
    ~Glfw();
  };
  struct Destroy {
    void operator()(GLFWwindow* window) const;
  };
  void setCallbacks();
  void setFullScreen(bool on);

  Glfw glfw_;
  std::unique_ptr<GLFWwindow, Destroy> window_;
  std::vector<InputEvent> events_;
  glm::vec2 mouse_{-1.0f};
  bool keyRepeats_ = false, shift_ = false, control_ = false;
  bool exposed_ = false;
  bool fullScreen_ = false;
  int swapInterval_ = -1;  // not set yet
  glm::ivec2 restoredPosition_{0}, restoredSize_{0};
};

}  // namespace satdof
