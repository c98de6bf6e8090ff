#pragma once
#include <memory>

namespace satdof {

// A current OpenGL 4.5 core context without a display or default framebuffer: through EGL on a device, else
// surfaceless. On Windows, the context of a hidden window.
class HeadlessContext {
 public:
  // Throws std::runtime_error, which lists what EGL offers and what to install, if there is no such context.
  explicit HeadlessContext(bool debug);
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  struct Native;
  std::unique_ptr<Native> native_;
};

}  // namespace satdof
