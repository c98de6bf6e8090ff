#pragma once
#include <optional>

#include "app/render/renderer.h"
#include "app/run/command_line.h"
#include "app/run/system/headless_context.h"

namespace satdof {

// Draws without a window. Keeps the OpenGL context and the renderer from one command line to the next.
class HeadlessSession {
 public:
  // `debug`: every OpenGL call is checked. Throws std::runtime_error if there is no OpenGL 4.5.
  explicit HeadlessSession(bool debug) : context_(debug) {}

  // Draws the frames of the command line and writes its files. Throws std::runtime_error if the image is too large, a
  // technique cannot run here, a file cannot be written, or OpenGL reports an error.
  void run(const CommandLine& line);

 private:
  HeadlessContext context_;
  std::optional<Renderer> renderer_;
};

// A session of one command line.
void runHeadless(const CommandLine& line);

}  // namespace satdof
