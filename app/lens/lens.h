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
#include "app/lens/lens_image.h"
#include "app/scene/scene.h"

namespace satdof {

// Draws the scene of a frame again: from another viewpoint for the reference lens, behind a depth image for the second
// layer.
struct SceneRedraw {
  double timeS;
  // Scene::draw() with these members of SceneView. The textures are valid until the next call.
  std::function<SceneFrame(const ViewOffset& offset, const gl::Texture* behind)> draw;
  // Scene::blended() of the frame. Not null if SceneFrame::opaque is not null.
  std::function<BlendedLayer(bool front)> blended = nullptr;
  // Whether a lens that accumulates must leave its next sample to the next frame; null: never.
  std::function<bool()> yields = nullptr;
};

struct LensInputs {
  SceneFrame scene;
  const LensSettings& lens;
  LensImage image = LensImage::blurred;
  glm::vec4 mean{0.0f};                 // a recent mean of the colour texture, for float32-mean tables
  const SceneRedraw* redraw = nullptr;  // null: the scene cannot be drawn again
  bool restart = false;                 // discard the samples accumulated so far
  float exposure = 1.0f;                // of the display, for the table-error view
  int samplesPerFrame = 8;              // for a lens that accumulates
  bool mayDefer = false;                // the image may stay in LensResult::pixels until Lens::store()
  bool wantsTable = false;              // LensResult::table will be read
  float centreX = 0.5f;                 // of the visible image, 0 to 1: where the halves of a view meet
};

struct LensResult {
  Table table = {};       // the last table built; may be empty without LensInputs::wantsTable
  float progress = 1.0f;  // of an image that is accumulated over several frames, 0 to 1
  // Sums over the even and over the odd samples: GL_RGBA32F, alpha is the number of samples. Null if the lens does not
  // accumulate, or has fewer than two samples.
  std::array<const gl::Texture*, 2> halves{};
  // The image in main memory, if the lens draws there; valid until the next draw().
  std::span<const glm::vec4> pixels{};
};

class CpuBlur;     // app/lens/run/cpu_graph.h
struct LensFacts;  // app/lens/graph.h
struct LensGraph;

// A depth-of-field algorithm. Owns its tables and intermediate images.
class Lens {
 public:
  virtual ~Lens() = default;
  // Allocates for images of `size`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Allocates for a scene with blended surfaces (Scene::blended()). Call after resize().
  virtual void prepareBlended() {}
  // Draws linear light into `output` (GL_RGBA16F, the size of the scene). If bokeh sprites follow, alpha is the part of
  // light that passes the blended surfaces in front of the focus plane, or the near field if there are no blended
  // surfaces.
  virtual LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) = 0;
  // Writes the image to `output` if the last draw() deferred it.
  virtual void store(const gl::Target& /*output*/) {}
  // Frees what the last draw() did not use.
  virtual void freeUnused() {}
  // One line for the panel; may be empty.
  virtual std::string state() const { return {}; }
};

// The shape over which a lens averages for one pixel.
enum class Footprint { box, disc, tent };

// A row of the lens registry.
struct LensRow {
  LensKind kind;
  const BlurRule* rule;            // how depth becomes a radius
  std::optional<NearField> bokeh;  // how the near field hides bokeh sprites; none: the lens draws no sprites
  Footprint footprint = Footprint::disc;
  bool accumulates = false;  // refines its image over several frames
  bool layers = false;       // can draw LensImage::nearCoverage, fill, layers and weights
  bool readsFormat = false;  // reads TableSpec::format; else uint32
  bool readsLensOn = false;  // reads LensSpec::on: its passes also run on CUDA or the processor
  bool convolves = false;    // can blur without a table: LensOn::cudaDirect and cudaSeparable
  // Returns the graph of a frame for a resolved technique. Null if make() makes the lens.
  LensGraph (*plan)(const Technique& technique, const LensFacts& facts) = nullptr;
  std::unique_ptr<Lens> (*make)() = nullptr;
  // Makes the lens in main memory, for devices with Device::lenses. Null if there is none.
  std::unique_ptr<CpuBlur> (*makeCpu)(const Technique& technique, int threads) = nullptr;

  // Whether the lens builds tables on the technique's device.
  constexpr bool buildsTables() const { return plan != nullptr; }
};

// All lenses, each once.
std::span<const LensRow> lenses();

// The functions below need a current OpenGL context.

// The row of a lens. For `automatic` as with Prefer::balance: layered, or box on software OpenGL.
const LensRow& lensOf(LensKind lens);

// How an automatic lens is chosen. An automatic lens draws requested bokeh sprites only if the choice says so.
enum class Prefer {
  balance,           // layered, or box on software OpenGL; sprites where they take less time than the rest of the frame
  quality,           // layered, with sprites
  speed,             // box, with sprites where `balance` has them
  speedWithSprites,  // box, with sprites
};

// Returns the technique with every `automatic` replaced. Disables bokeh if the lens draws no sprites.
Technique resolve(Technique technique, Prefer prefer = Prefer::balance);

// Makes the lens of a resolved technique, with bokeh sprites if enabled. Throws std::runtime_error with the
// reason if the device is not available.
std::unique_ptr<Lens> makeLens(const Technique& technique);

}  // namespace satdof
