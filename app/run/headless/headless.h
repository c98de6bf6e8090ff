#pragma once
#include <optional>

#include "app/render/renderer.h"
#include "app/run/command_line/command_line.h"
#include "app/run/system/headless_context.h"

namespace satdof {

// Draws without a window. The OpenGL context and the renderer serve several command lines.
class HeadlessSession {
 public:
  // `debug`: every OpenGL call is checked. Throws std::runtime_error if there is no OpenGL 4.5.
  explicit HeadlessSession(bool debug) : context_(debug) {}

  // Draws the frames of a command line and writes its files. Throws std::runtime_error if the image is too large,
  // a technique cannot run on this machine, a file cannot be written, or OpenGL reports an error.
  void run(const CommandLine& line);

 private:
  HeadlessContext context_;
  std::optional<Renderer> renderer_;
};

// Runs one command line in a session of its own.
void runHeadless(const CommandLine& line);

}  // namespace satdof
