#include "app/gl/context.h"

namespace satdof::gl {

namespace {

int contexts = 0;
constexpr GLuint kCompilerThreads = ~0u;  // the driver chooses

}  // namespace

bool loadContext(GLADloadfunc load) {
  ++contexts;
  if (gladLoadGL(load) == 0) return false;
  if (GLAD_GL_KHR_parallel_shader_compile) glMaxShaderCompilerThreadsKHR(kCompilerThreads);
  return true;
}

int contextNumber() { return contexts; }

}  // namespace satdof::gl
