#pragma once
#include <memory>

#include <vector>

#include "app/scene/model/model.h"
#include "app/scene/scene.h"

namespace satdof {

// A model from a file, lit by an environment. Opaque and alpha-tested surfaces are geometry; blended surfaces are drawn
// over them, farthest first, and have layers of their own for lenses that ask (Scene::blended()).
std::unique_ptr<Scene> makeModelScene();

// SceneRow::restart and startsAlike: another file or camera frames the model again.
void frameModel(SceneSettings& scene);
bool modelsFrameAlike(const SceneSettings& a, const SceneSettings& b);
// SceneRow::litAlike.
bool modelsLitAlike(const SceneSettings& a, const SceneSettings& b);

// Camera and focus for a model in the world: a camera of the file (from 1 on), or the direction of `camera` at a
// distance that shows the model. The focus is on what is in the middle of the image, if the file's camera states no focus
// distance. A camera of the file orbits that point; if nothing is there, the point of its view axis nearest to the centre of
// the model's bounds. `world`, `weights`: of pose() and morphWeights().
Framing frameModel(const ModelSettings& settings, const CameraSettings& camera, const ModelData& model,
                   const std::vector<glm::mat4>& world, const std::vector<float>& weights);

// Metres of a unit of the file: settings.scale, or 1 unless the model is smaller than 10 cm or larger than 60 m. Then its radius
// becomes half a metre, or more, as far as the first camera of the file needs a metre to its subject.
float modelScale(const ModelSettings& settings, const ModelData& model);

}  // namespace satdof
