#pragma once
#include "app/core/settings.h"
#include "app/core/shot.h"
#include "app/scene/model/model.h"

namespace satdof {

// Returns the shot of the file's camera while the clip that the settings choose moves it: its path with roll and field of
// view, in metres, from the clip's start to its end. Empty if the clip does not move the camera, or if it is too far away.
// Camera 0 stands for the first. `scale`: modelScale().
Shot cameraShot(const ModelData& model, const ModelSettings& settings, float scale);

}  // namespace satdof
