#pragma once
#include <array>
#include <functional>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/core/settings.h"
#include "app/device/table.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/lens/blur_rule.h"
#include "app/scene/scene.h"

namespace satdof {

// The scene drawn again, for lenses that need another view of it.
struct SceneRedraw {
  double timeS;
  // Scene::draw() from another viewpoint. The textures are valid until the next call.
  std::function<SceneFrame(const ViewOffset& offset, const gl::Texture* behind)> draw;
};

// What a lens draws: its image, or one of its intermediates.
enum class LensImage { blurred, nearCoverage, fill, layers, weights, sprites };

struct LensInputs {
  const SceneFrame& scene;
  const LensSettings& lens;
  LensImage image = LensImage::blurred;
  glm::vec4 mean{0.0f};                 // a recent mean of the colour texture, for float32-mean tables
  const SceneRedraw* redraw = nullptr;  // null: the lens uses this view alone
  bool restart = false;                 // the samples accumulated so far belong to another image
  float exposure = 1.0f;                // of the display, for differences as displayed
};

struct LensResult {
  Table table = {};       // the last table built, for the table view
  float progress = 1.0f;  // of an image that is accumulated over several frames, 0 to 1
  // Sums over the even and the odd samples, GL_RGBA32F, alpha counts them; null: nothing is accumulated.
  std::array<const gl::Texture*, 2> halves{};
};

// A way of blurring. Owns its tables and intermediates.
class Lens {
 public:
  virtual ~Lens() = default;
  // Allocates for images of `size`. Throws std::runtime_error when that fails.
  virtual void resize(glm::ivec2 size) = 0;
  // Draws linear light into `output` (GL_RGBA16F, the scene's size). Where bokeh sprites follow, alpha is the
  // part of each pixel that the near field leaves uncovered.
  virtual LensResult draw(const LensInputs& inputs, const gl::Framebuffer& output, Timings& timings) = 0;
  // One line for the panel; may be empty.
  virtual std::string state() const { return {}; }
};

// What hides bokeh sprites besides the scene's surfaces: nothing, or a near field that the lens has scattered
// over them.
enum class NearField { gathered, scattered };

// The area that a lens averages over for one pixel.
enum class Footprint { box, disc, tent };

// A lens model.
struct LensRow {
  LensKind kind;
  const BlurRule* rule;            // how depth becomes a radius
  std::optional<NearField> bokeh;  // none: bokeh sprites do not go with it
  Footprint footprint = Footprint::disc;
  bool accumulates = false;  // over several frames
  bool layers = false;       // draws nearCoverage, fill, layers and weights
  bool readsFormat = false;  // TableSpec::format; else uint32
  bool readsLensOn = false;  // LensSpec::on
  bool buildsTables = true;  // on the technique's device
  // Makes the lens of a resolved technique. Throws std::runtime_error with the reason when that cannot run
  // here.
  std::unique_ptr<Lens> (*make)(const Technique& technique);
};

// Every lens, once.
std::span<const LensRow> lenses();

// Everything below needs a current context.

// The lens that `automatic` stands for here: layered, or box on software OpenGL. Any other is returned as it
// is.
LensKind resolve(LensKind lens);
// The row of resolve(lens).
const LensRow& lensOf(LensKind lens);

// The technique with nothing automatic left. Bokeh is off where the lens draws none, and where the lens was
// automatic and sprites would be collected on the processor, which costs more than all the rest.
Technique resolve(Technique technique);

// Makes the lens of a resolved technique, with bokeh sprites where they are enabled. Throws
// std::runtime_error with the reason when the device is not available.
std::unique_ptr<Lens> makeLens(const Technique& technique);

}  // namespace satdof
