#pragma once
#include "app/scene/model/model.h"
#include "app/scene/scene.h"

namespace satdof {

// Camera and focus for a model. settings.camera > 0 selects a camera of the file; else the camera keeps
// the direction of `camera` and moves to a distance that shows the whole model. The focus is the focus
// distance of the file's camera, else the surface in the middle of the image. A camera of the file
// orbits that surface; without a surface, the point of its view axis nearest to the centre of the model.
Framing frameModel(const ModelSettings& settings, const CameraSettings& camera, const ModelData& model,
                   const ModelPose& pose);

// Metres per unit of the file: settings.scale, if set; else 1 for models with a radius of 0.1 to 60. Other models are
// scaled to a radius of 0.5 m. A large model is scaled to more, up to 60 m, if its first camera would be nearer than 1
// m to its subject.
float modelScale(const ModelSettings& settings, const ModelData& model);

}  // namespace satdof
