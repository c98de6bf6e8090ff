#include "app/gl/debug.h"

#include <cstdio>

#include "app/gl/gl.h"

namespace satdof::gl {

namespace {

int errors = 0;
std::string firstError;

void GLAD_API_PTR onMessage(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei, const GLchar* message,
                            const void*) {
  if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) return;
  if (type != GL_DEBUG_TYPE_ERROR && type != GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) return;
  if (errors++ == 0) firstError = message;
  std::fprintf(stderr, "OpenGL %u (severity 0x%x): %s\n", id, severity, message);
}

}  // namespace

void enableDebugOutput() {
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(onMessage, nullptr);
}

int debugErrorCount() { return errors; }
const std::string& firstDebugError() { return firstError; }

}  // namespace satdof::gl
