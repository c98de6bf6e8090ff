#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/input.h"

struct GLFWwindow;

namespace satdof {

// Size and position of a window outside full screen.
struct WindowPlace {
  glm::ivec2 size{0};      // in screen coordinates of a monitor without scaling
  glm::ivec2 position{0};  // in screen coordinates
};

// A resizable window with a current OpenGL 4.5 core context. One object at a time.
class GlfwWindow {
 public:
  // `size`: in screen coordinates of a monitor without scaling; it is scaled for the monitor and reduced to its
  // work area. `debug`: asks for a debug context. Throws std::runtime_error if there is no display or no OpenGL
  // 4.5 core.
  GlfwWindow(glm::ivec2 size, bool debug);
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* handle() const { return window_.get(); }
  glm::ivec2 size() const;             // in screen coordinates
  glm::ivec2 framebufferSize() const;  // in pixels
  WindowPlace place() const;
  void moveTo(glm::ivec2 position) const;     // outside full screen; ignored where the system places windows
  bool hidden() const;                        // minimised, unmapped or empty
  glm::vec2 mouse() const { return mouse_; }  // in screen coordinates from the top left; -1 until it moves

  // Sets vertical sync and full screen, if they differ from the current state.
  void apply(const PresentSettings& present);

  // Takes the input of the next frame.
  std::vector<InputEvent> takeEvents() { return input_.take(); }
  // Whether the key is down in the frame of the last takeEvents().
  bool held(int key) const { return input_.held(key); }
  bool heldAlone(int key) const { return input_.heldAlone(key); }
  // Whether a mouse button or a key other than a modifier is down in that frame.
  bool holding() const { return input_.holding(); }
  // Whether input waits for takeEvents() or takeDropped(); whether it is more than motion of the mouse or modifier
  // keys.
  bool inputWaits() const { return !input_.empty() || !dropped_.empty(); }
  bool actionWaits() const { return input_.acts() || !dropped_.empty(); }
  // Whether input waits, or the system asked to draw the window again since the last call.
  bool changed();
  // How often the user asked to close the window.
  int closeRequests() const { return closeRequests_; }
  // Takes the files dropped on the window since the last call.
  std::vector<std::filesystem::path> takeDropped() { return std::exchange(dropped_, {}); }

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
  // Scales the window for its monitor, on systems whose screen coordinates are pixels.
  void followMonitorScale(glm::ivec2 wanted);

  Glfw glfw_;
  std::unique_ptr<GLFWwindow, Destroy> window_;
  InputQueue input_;
  std::vector<std::filesystem::path> dropped_;
  glm::vec2 mouse_{-1.0f};
  bool keyRepeats_ = false, shift_ = false, control_ = false, alt_ = false;
  bool exposed_ = false;
  int closeRequests_ = 0;
  bool fullScreen_ = false;
  float monitorScale_ = 1.0f;
  int swapInterval_ = -1;  // unknown until apply()
  glm::ivec2 restoredPosition_{0}, restoredSize_{0};
};

}  // namespace satdof
