#pragma once
#include "app/gl/objects.h"

namespace satdof {

// The texture unit of SceneView::behind in shaders/scene/output.glsl.
constexpr GLuint kBehindUnit = 3;

}  // namespace satdof
