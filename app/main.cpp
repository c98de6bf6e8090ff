#include <cstdio>

#include "app/gl/gl.h"
#include "app/headless.h"

int main() {
  satdof::HeadlessContext context(false);
  std::puts(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
}
