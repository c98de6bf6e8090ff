#pragma once
#include <memory>

#include "app/scene/scene.h"

namespace satdof {

// A model from a file, lit by an environment. Opaque and alpha-tested surfaces are geometry. Blended surfaces are drawn
// over them, farthest first, or into separate layers (Scene::blended()).
std::unique_ptr<Scene> makeModelScene();

// SceneRow::restart: requests a framing of the model.
void requestModelFraming(SceneSettings& scene);
// SceneRow::sameStart: whether file, camera and scale are equal.
bool sameModelFraming(const SceneSettings& a, const SceneSettings& b);
// SceneRow::sameLight.
bool sameModelLight(const SceneSettings& a, const SceneSettings& b);

}  // namespace satdof
