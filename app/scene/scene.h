#pragma once
#include <string>
#include <vector>

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
  // A window shows the image: a scene that cannot reach timeS quickly stays behind rather than wait.
  bool live = false;
  // Other than the default: needs the capability otherViewpoints.
  ViewOffset offset{};
  // Other than null: needs the capability secondLayer, and equal near and far scales in `offset`. A depth
  // image as in SceneFrame; only surfaces strictly behind it are drawn.
  const gl::Texture* behind = nullptr;
};

// A line of the scene's panel.
struct SceneReading {
  std::string label, value, help;
};

// A scene is a row of registry.cpp; a scene made of geometry derives from GeometryScene. Lenses that need
// more than one image of a frame draw the same scene into targets of their own.
class Scene {
 public:
  virtual ~Scene() = default;
  // Draws into `targets`, timed as the stage `scene`; preparations have stages of their own. The textures stay
  // valid until the targets are drawn into again or resized. Equal views give equal bits, unless they are live.
  virtual SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) = 0;
  // Why the last image does not show what the settings ask for; usually empty.
  virtual std::string message() const { return {}; }
  // What a live scene measures; usually empty.
  virtual std::vector<SceneReading> readings() const { return {}; }
};

}  // namespace satdof
