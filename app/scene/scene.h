#pragma once
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/core/system/load_status.h"
#include "app/device/scene_frame.h"
#include "app/gl/frame_stats.h"
#include "app/scene/camera.h"
#include "app/scene/scene_report.h"
#include "app/scene/targets.h"
#include "app/scene/tracked_point.h"
#include "shaders/lens/focus_surface.h"

namespace satdof {

struct Field;

// Texture unit of SceneView::behind, as in shaders/scene/output.glsl.
constexpr GLuint kBehindUnit = 3;

// A scene, a camera and a time: all that determines an image.
struct SceneView {
  SceneSettings scene;
  CameraSettings camera;
  double timeS = 0.0;  // animation time
  // A window shows the image: a simulation that cannot reach timeS within its budget falls behind instead of blocking.
  bool live = false;
  // A value other than the default needs the capability otherViewpoints.
  ViewOffset offset{};
  // Depth peeling: draws only surfaces behind this depth image (as in SceneFrame), by at least kSeparation of
  // shaders/scene/separation.glsl. Needs the capability secondLayer, and equal near and far scales in `offset`. Null:
  // draws all.
  const gl::Texture* behind = nullptr;
  // The radius of the circle of confusion at the distance z is blurM |1 / z - 1 / focusM| times the height of the
  // image. 0: the image is shown sharp.
  float blurM = 0.0f, focusM = 1.0f;
  // The part of the image to draw. The targets have the size of the part.
  ImagePart part{};

  // Size of the whole image, for targets of `size`.
  glm::ivec2 wholeSize(glm::ivec2 size) const { return part.whole == glm::ivec2(0) ? size : part.whole; }
};

// The surface of focus of a lens: nearM / z = depth - bendAt(surface, pixel).
struct FocusDepth {
  float depth;
  FocusSurface surface{};
};

// Camera, focus and exposure that suit the contents of a file.
struct Framing {
  CameraSettings camera;
  float focusDistanceM = 1.0f;
  std::optional<float> focalLengthMm, sensorHeightMm;  // of a camera that the file describes
  std::optional<float> exposureStops{};
};
// Sets camera, lens and exposure, clamped to the ranges of their fields.
// Keeps the fields in SceneSettings::typed. Clears SceneSettings::frame.
void applyFraming(Settings& settings, const Framing& framing);
// Requests a framing that changes the exposure alone.
void exposeAgain(SceneSettings& scene);
// Whether a framing may change the field.
bool isFramed(const Field& field);

// A scene has a row in registry.cpp; a scene with geometry derives from GeometryScene. A lens that needs several images
// of a frame draws the same scene into targets of its own.
class Scene {
 public:
  virtual ~Scene() = default;
  // Lower bound of the distances in an image of `size` pixels from the centre of the aperture. Call before draw().
  virtual float nearestM(const SceneView& /*view*/, glm::ivec2 /*size*/) { return kNearM; }
  // Draws into `targets`. The result is valid until the targets are drawn into again or resized. Views that are not
  // live are reproducible: equal views give equal bits. Timed as the stage `scene`; preparations have their own stages.
  virtual SceneFrame draw(const SceneView& view, Targets& targets, Timings& timings) = 0;
  // Draws the blended surfaces of a frame whose SceneFrame::opaque is not null, into the `targets` of its draw().
  // `front`: the surfaces on or in front of the surface of focus; else those behind. Valid until the targets are drawn
  // into again.
  virtual BlendedLayer blended(const SceneView& /*view*/, Targets& /*targets*/, bool /*front*/,
                               const FocusDepth& /*focus*/, Timings& /*timings*/) {
    return {};
  }
  // Attaches a visible point of the world to the object that moves it. May wait for the GPU.
  virtual TrackedPoint surfaceAt(const SceneView& /*view*/, const glm::vec3& point) { return {0, point}; }
  // World position of the point at the time of the view; none if its object is gone. Call after draw(). The bodies wait
  // for the GPU, unless the view is live.
  virtual std::optional<glm::vec3> positionOf(const SceneView& /*view*/, const TrackedPoint& point) { return point.at; }
  // The framing of the file that the settings name. None unless view.scene.frame is set and the file is loaded. Call
  // before draw().
  virtual std::optional<Framing> framing(const SceneView& /*view*/) { return std::nullopt; }
  // Why the last image does not show what the settings request; usually empty.
  virtual std::string message() const { return {}; }
  // Progress of the file that a live scene reads in the background; none if nothing is being read. The scene shows its
  // last contents until the new ones are ready.
  virtual std::optional<LoadStatus> loading() const { return std::nullopt; }
  virtual void cancelLoading() {}
  // Changes when files have been read: equal settings may then show another image.
  virtual int contents() const { return 0; }
  virtual SceneReport report(const SceneSettings& /*scene*/) const { return {}; }
};

}  // namespace satdof
