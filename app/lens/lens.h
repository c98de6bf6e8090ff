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

// Draws the scene again from another viewpoint, for the reference lens and for the second layer.
struct SceneRedraw {
  double timeS;
  // Scene::draw() with these parts of SceneView. The textures are valid until the next call.
  std::function<SceneFrame(const ViewOffset& offset, const gl::Texture* behind)> draw;
  // Scene::blended() of the frame. Not null if SceneFrame::opaque is not null.
  std::function<BlendedLayer(bool front)> blended = nullptr;
  // Whether a lens that accumulates leaves its next sample to the next frame; null: never.
  std::function<bool()> yields = nullptr;
};

struct LensInputs {
  SceneFrame scene;
  const LensSettings& lens;
  LensImage image = LensImage::blurred;
  glm::vec4 mean{0.0f};                 // a recent mean of the colour texture, for float32-mean tables
  const SceneRedraw* redraw = nullptr;  // null: the lens uses this view alone
  bool restart = false;                 // discard the samples accumulated so far
  float exposure = 1.0f;                // of the display, for the table-error view
  int samplesPerFrame = 8;              // of a lens that accumulates
  bool mayDefer = false;                // the image may stay in LensResult::pixels until Lens::store()
  bool wantsTable = false;              // LensResult::table will be read
  float centreX = 0.5f;                 // of the visible image, 0 to 1: where the halves of a view meet
};

struct LensResult {
  Table table = {};       // the last table built; may be empty without LensInputs::wantsTable
  float progress = 1.0f;  // of an image that is accumulated over several frames, 0 to 1
  // Sums over the even and over the odd samples: GL_RGBA32F, alpha is the number of samples. Null if nothing
  // is accumulated.
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
  // Call after resize() for a scene with blended surfaces. Allocates for Scene::blended().
  virtual void prepareBlended() {}
  // Draws linear light into `output` (GL_RGBA16F, the size of the scene). If bokeh sprites follow, alpha is the part of light from
  // behind that passes the blended surfaces in front of the focus plane, or the near field if there are no blended surfaces.
  virtual LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) = 0;
  // Writes an image that the last draw() has deferred to its output.
  virtual void store(const gl::Target&) {}
  // Frees what the last draw() did not use.
  virtual void freeUnused() {}
  // One line for the panel; may be empty.
  virtual std::string state() const { return {}; }
};

// The area that a lens averages over for one pixel.
enum class Footprint { box, disc, tent };

// A row of the lens registry.
struct LensRow {
  LensKind kind;
  const BlurRule* rule;            // how depth becomes a radius
  std::optional<NearField> bokeh;  // none: this lens draws no bokeh sprites
  Footprint footprint = Footprint::disc;
  bool accumulates = false;  // refines its image over several frames
  bool layers = false;       // can draw LensImage::nearCoverage, fill, layers and weights
  bool readsFormat = false;  // reads TableSpec::format; else uint32
  bool readsLensOn = false;  // reads LensSpec::on: its passes run on CUDA, too
  bool convolves = false;    // can blur without a table: LensOn::cudaDirect and cudaSeparable
  // The steps of a frame for a resolved technique. Null: make() makes the lens, which is no graph.
  LensGraph (*plan)(const Technique& technique, const LensFacts& facts) = nullptr;
  std::unique_ptr<Lens> (*make)() = nullptr;
  // The same lens in main memory, for devices that draw whole lenses there; null: there is none.
  std::unique_ptr<CpuBlur> (*makeCpu)(const Technique& technique, int threads) = nullptr;

  // On the technique's device.
  constexpr bool buildsTables() const { return plan != nullptr; }
};

// All lenses, each once.
std::span<const LensRow> lenses();

// The functions below need a current OpenGL context.

// Returns the lens that `automatic` selects where QualitySettings::adaptive chooses none: layered, or box on
// software OpenGL. Returns any other lens unchanged.
LensKind resolve(LensKind lens);
// The row of resolve(lens).
const LensRow& lensOf(LensKind lens);

// Returns the technique with every `automatic` replaced. Disables bokeh if the lens draws no sprites, or if
// the lens was automatic and its sprites would take longer than the rest of the frame.
Technique resolve(Technique technique);

// Returns the technique with every `automatic` replaced by what gives the best image, however slow.
Technique resolveBest(Technique technique);

// Returns the technique with every `automatic` replaced by what is fastest. Bokeh as in resolve().
Technique resolveFastest(Technique technique);
// The same with the bokeh sprites that are asked for, however slow.
Technique resolveFastLens(Technique technique);

// Makes the lens of a resolved technique, with bokeh sprites if enabled. Throws std::runtime_error with the
// reason if the device is not available.
std::unique_ptr<Lens> makeLens(const Technique& technique);

}  // namespace satdof
