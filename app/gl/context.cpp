#include "app/gl/context.h"

namespace satdof::gl {

namespace {

int contexts = 0;

}  // namespace

bool loadContext(GLADloadfunc load) {
  ++contexts;
  return gladLoadGL(load) != 0;
}

int contextNumber() { return contexts; }

}  // namespace satdof::gl
