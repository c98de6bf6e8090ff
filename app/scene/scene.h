#pragma once
#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/frame_stats.h"
#include "app/scene/camera.h"
#include "app/scene/targets.h"

namespace satdof {

// What an image shows, and from where.
struct SceneView {
  SceneSettings scene;
  CameraSettings camera;
  double timeS = 0.0;  // animation time
  // Other than the default: needs the capability otherViewpoints.
  ViewOffset offset{};
  // Other than null: needs the capability secondLayer, and equal near and far scales in `offset`. A depth
  // image as in SceneFrame; only surfaces strictly behind it are drawn.
  const gl::Texture* behind = nullptr;
};

// A scene is a row of registry.cpp; a scene made of geometry derives from GeometryScene. Lenses that need
// more than one image of a frame draw the same scene into targets of their own.
class Scene {
 public:
  virtual ~Scene() = default;
  // Draws into `targets`, timed as the stage `scene`; preparations have stages of their own. The textures stay valid until the targets are drawn
  // into again or resized. Equal views give equal bits.
  virtual SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) = 0;
};

}  // namespace satdof
