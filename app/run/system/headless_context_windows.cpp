#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdexcept>

#include "app/gl/context.h"
#include "app/gl/debug.h"
#include "app/run/limits.h"
#include "app/run/system/headless_context.h"

namespace satdof {

struct HeadlessContext::Native {
  Native() = default;
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  ~Native() { glfwTerminate(); }
  GLFWwindow* window = nullptr;  // hidden
};

HeadlessContext::HeadlessContext(bool debug) {
  const auto refuse = [](const char* what) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    throw std::runtime_error(std::string(what) + ": " + (reason == nullptr ? "no reason given" : reason) +
                             "; update the graphics driver");
  };
  requireResources();
  if (!glfwInit()) refuse("cannot start GLFW");
  native_ = std::make_unique<Native>();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);  // where the driver offers it
  native_->window = glfwCreateWindow(64, 64, "satdof", nullptr, nullptr);
  if (native_->window == nullptr) refuse("cannot create a headless OpenGL 4.5 core context");
  glfwMakeContextCurrent(native_->window);
  if (!gl::loadContext(glfwGetProcAddress))
    throw std::runtime_error("cannot load the OpenGL 4.5 functions; update the graphics driver");
  if (debug) gl::enableDebugOutput();
}

HeadlessContext::~HeadlessContext() = default;

}  // namespace satdof
