#pragma once
#include "app/gl/objects.h"

namespace satdof {

// Texture unit of SceneView::behind, as in shaders/scene/output.glsl.
constexpr GLuint kBehindUnit = 3;

}  // namespace satdof
