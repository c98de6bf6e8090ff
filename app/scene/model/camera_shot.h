#pragma once
#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/scene/model/model.h"

namespace satdof {

// Returns the path of an animated camera of the file as a shot: position, target, roll and field of view, in metres,
// over one period of the clip that the settings select. Empty if the clip does not move the camera, or if the camera is
// too far away. settings.camera 0 selects the first camera. `scale`: modelScale().
Shot cameraShot(const ModelData& model, const ModelSettings& settings, float scale);

}  // namespace satdof
