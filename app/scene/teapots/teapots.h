#pragma once
#include <memory>

#include "app/scene/scene.h"

namespace satdof {

// Teapots (layout.h) on a tiled floor under the evening sky, with lanterns and strings of bulbs.
std::unique_ptr<Scene> makeTeapots();

}  // namespace satdof
