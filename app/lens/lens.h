#pragma once
#include <functional>
#include <glm/vec4.hpp>
#include <memory>
#include <string>

#include "app/core/settings.h"
#include "app/device/device.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/scene/scene.h"

namespace satdof {

// The scene drawn once more, for lenses that need another view of it.
struct SceneRedraw {
  const SceneSettings& scene;
  const CameraSettings& camera;
  double timeS;
  // Scene::draw() from another viewpoint; the textures stay valid until the next call.
  std::function<SceneFrame(const ViewOffset& offset, const gl::Texture* behind)> draw;
};

struct LensInputs {
  const SceneFrame& scene;
  const LensSettings& lens;
  const Technique& technique;
  glm::vec4 mean{0.0f};                 // a recent mean of the colour texture, for float32-mean tables
  const SceneRedraw* redraw = nullptr;  // null in tests of lenses that need one image only
  float exposure = 1.0f;                // of the display, for views that show differences there
};

// A way of blurring. Owns its intermediates and its tables, sized by resize().
class Lens {
 public:
  virtual ~Lens() = default;
  virtual void resize(glm::ivec2 size) = 0;
  // Writes the blurred image, linear light, into `output` (GL_RGBA16F, the scene's size);
  // its alpha is for withBokeh() in sprites.h.
  virtual void process(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) = 0;
  // The table of the last process(), for the table view; texture 0 when there is none.
  virtual Table table() const { return {}; }
  // Whether process() draws sprites, and nothing else for the view `sprites`.
  virtual bool drawsSprites() const { return false; }
  // How much of an image that is refined over several frames is done, 0 to 1.
  virtual float progress() const { return 1.0f; }
  // Draws the mean of one half (0 or 1) of what is accumulated, linear light; how far both are apart is the
  // noise of half as much. False, having done nothing, where there are no halves.
  virtual bool drawHalf(int, const gl::Framebuffer&) const { return false; }
  // One line for the panel; may be empty.
  virtual std::string state() const { return {}; }
};

// The lens that `automatic` stands for here: layered, or box on software OpenGL; any other is returned as it
// is. Needs a current context.
LensKind resolve(LensKind lens);

// Makes the lens and its device; for the view table-error the one of table_error.h. Throws
// std::runtime_error with the reason when the device is not available.
std::unique_ptr<Lens> makeLens(const Technique& technique);

}  // namespace satdof
