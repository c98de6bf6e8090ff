#pragma once
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/scene/scene_frame.h"

namespace satdof {

// Where on the aperture an image is taken from. A point off the lens's centre shears the
// view so that the plane at focusDistanceM stays where it is: the mean over the aperture is the thin lens's
// image.
struct ViewOffset {
  glm::vec2 apertureM{0.0f};  // right, up
  float focusDistanceM = 1.0f;
  float nearScale = 1.0f,
        farScale = 1.0f;  // multiply apertureM for what is before and behind the focus plane
};

// Draws the teapots, the ground and the lamps. Reversed depth with an infinite far plane: depth = nearM / z.
class ScenePass {
 public:
  ScenePass();
  ~ScenePass();
  // Allocates the targets; `samples` is lowered to what the driver offers; 0 chooses
  // 4, or 1 on software OpenGL.
  void resize(glm::ivec2 size, int samples);
  // Draws and resolves: colour is the mean of a pixel's samples, depth is its nearest sample. The textures
  // stay valid until the next draw. With `behind` (a depth texture as in SceneFrame), only what lies strictly
  // behind it is drawn, and the offset has equal scales. With unequal ones the geometry is drawn twice, far
  // side first; both sides meet where the focus plane cuts it, which no offset moves.
  SceneFrame draw(const SceneSettings& scene, const CameraSettings& camera, double timeS, Timings& timings,
                  const ViewOffset& offset = {}, const gl::Texture* behind = nullptr);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Eye and axes of an orbit camera, world space, y up.
struct CameraFrame {
  glm::vec3 eye, right, up, forward;
};
CameraFrame cameraFrame(const CameraSettings& camera);

}  // namespace satdof
