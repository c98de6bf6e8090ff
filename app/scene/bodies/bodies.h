#pragma once
#include <memory>

#include "app/scene/scene.h"

namespace satdof {

// Bodies that move by their gravity (simulation.h), as discs of light in front of a dark sky.
//
// Light adds: a body hides nothing, so dense regions shine. A pixel has the depth of the nearest body
// that lights the pixel. The image has the same light with any number of samples per pixel: a body lights
// whole pixels, by the part of each that its disc covers; a disc below a pixel is widened to one and dimmed.
// Bodies nearer than a fixed part of the camera's distance fade out, which bounds SceneFacts::nearestM.
std::unique_ptr<Scene> makeBodies();

// SceneRow::restart and startsAlike.
void restartBodies(SceneSettings& scene);
bool bodiesStartAlike(const SceneSettings& a, const SceneSettings& b);

}  // namespace satdof
