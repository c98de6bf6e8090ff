#pragma once
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/device/scene_frame.h"
#include "app/gl/frame_stats.h"
#include "app/scene/camera.h"
#include "app/scene/load_status.h"
#include "app/scene/scene_report.h"
#include "app/scene/targets.h"
#include "app/scene/tracked_point.h"
#include "shaders/lens/focus_surface.h"

namespace satdof {

struct Field;

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
  // image as in SceneFrame; only surfaces behind it by kSeparation of shaders/scene/separation.glsl are drawn.
  const gl::Texture* behind = nullptr;
  // Draws this part of an image. The targets have the size of the part.
  ImagePart part{};

  // Of the whole image, for targets of `size`.
  glm::ivec2 wholeSize(glm::ivec2 size) const { return part.whole == glm::ivec2(0) ? size : part.whole; }
};

// Where a lens is in focus: at nearM / z = depth - bendAt(surface, pixel).
struct FocusDepth {
  float depth;
  FocusSurface surface{};
};

// The camera, the lens and the exposure that suit a file.
struct Framing {
  CameraSettings camera;
  float focusDistanceM = 1.0f;
  // Of a camera that the file describes.
  std::optional<float> focalLengthMm, sensorHeightMm;
  std::optional<float> exposureStops{};
};
// Changes camera, lens and exposure, within the ranges of their fields, but for SceneSettings::typed, and ends SceneSettings::frame.
void applyFraming(Settings& settings, const Framing& framing);
// Lets the scene choose the exposure again, and nothing else, once its light is read.
void exposeAgain(SceneSettings& scene);
// Whether a framing may change the field.
bool isFramed(const Field& field);

// A scene is a row of registry.cpp; a scene made of geometry derives from GeometryScene. Lenses that need
// more than one image of a frame draw the same scene into targets of their own.
class Scene {
 public:
  virtual ~Scene() = default;
  // A lower bound of the distances in an image of `size` pixels from the centre of the aperture, before it is drawn.
  virtual float nearestM(const SceneView& /*view*/, glm::ivec2 /*size*/) { return kNearM; }
  // Draws into `targets`, timed as the stage `scene`; preparations have stages of their own. The textures stay
  // valid until the targets are drawn into again or resized. Equal views give equal bits, unless they are live.
  virtual SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) = 0;
  // Draws the blended surfaces of a frame whose SceneFrame::opaque is not null, into `targets` of its draw():
  // those on or in front of a surface of focus, or those behind. Valid until the targets are drawn into again.
  virtual BlendedLayer blended(const SceneView& /*view*/, Targets& /*targets*/, bool /*front*/,
                               const FocusDepth& /*focus*/, Timings& /*timings*/) {
    return {};
  }
  // What moves a point that the image of a view shows, in the world. May wait for the GPU.
  virtual TrackedPoint surfaceAt(const SceneView& /*view*/, const glm::vec3& point) { return {0, point}; }
  // Call after draw(). Where the point is at the time of the view; none if its object is gone. A body waits for the GPU, unless the view is live.
  virtual std::optional<glm::vec3> positionOf(const SceneView& /*view*/, const TrackedPoint& point) {
    return point.at;
  }
  // Call before draw(). The camera and the lens for the file that the settings name, if view.scene.frame asks
  // for them and the file is loaded.
  virtual std::optional<Framing> framing(const SceneView& /*view*/) { return std::nullopt; }
  // Why the last image does not show what the settings ask for; usually empty.
  virtual std::string message() const { return {}; }
  // Of the file that a live scene reads in the background (loading.h); none if nothing is being read. The scene
  // shows its old contents meanwhile.
  virtual std::optional<LoadStatus> loading() const { return std::nullopt; }
  virtual void cancelLoading() {}
  // Different for every file that was read: equal settings then show another image.
  virtual int contents() const { return 0; }
  virtual SceneReport report(const SceneSettings& /*scene*/) const { return {}; }
};

}  // namespace satdof
