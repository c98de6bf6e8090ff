#pragma once
#include <memory>

#include "app/scene/scene.h"

namespace satdof {

// An N-body simulation (simulation.h), drawn as discs of light in front of a dark sky.
//
// The light of bodies adds up: a body hides nothing, and dense regions are bright. The depth of a pixel is the depth of
// the nearest body that lights it. The light does not depend on the number of samples: a body lights whole pixels in
// proportion to their coverage, and a disc smaller than a pixel is widened to a pixel and dimmed. Bodies fade out near
// a fixed fraction of the camera's distance, which bounds SceneFacts::nearestM.
std::unique_ptr<Scene> makeBodies();

// SceneRow::restart and SceneRow::sameStart.
void restartBodies(SceneSettings& scene);
bool sameInitialBodies(const SceneSettings& a, const SceneSettings& b);

}  // namespace satdof
