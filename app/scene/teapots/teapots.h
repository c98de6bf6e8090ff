#pragma once
#include <memory>

#include "app/scene/scene.h"

namespace satdof {

class LoadProgress;

// Teapots (layout.h) on a tiled floor under the evening sky, with lanterns and strings of bulbs.
std::unique_ptr<Scene> makeTeapots();

// SceneRow::load.
std::shared_ptr<const void> loadTeapots(const SceneSettings& scene, const SceneSettings& shown, LoadProgress& progress);

}  // namespace satdof
