#pragma once
#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <variant>
#include <vector>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/bokeh/bokeh.h"
#include "shaders/bokeh/sprite.h"
#include "shaders/lens/near_scatter.h"
#include "shaders/lens/passes.h"
#include "shaders/sat/quantisation.h"

// A frame of a lens as plain values: images, and steps that read and write them. app/lens/run/ runs the steps on a
// device.
namespace satdof {

// An image of a graph. The caller gives the first kLensInputs images:
//   kColour, kDepth               SceneFrame
//   kBehindColour, kBehindDepth   the second layer of depth
//   kBackColour ... kFrontDepth   BlendedLayer behind and in front of the focus plane
//   kOutput                       the image of the lens
//   kAperture                     ApertureImage::table(), if the aperture is an image
using ImageId = int;
inline constexpr ImageId kNoImage = -1;
inline constexpr ImageId kColour = 0, kDepth = 1, kBehindColour = 2, kBehindDepth = 3, kBackColour = 4, kBackDepth = 5,
                         kFrontColour = 6, kFrontDepth = 7, kOutput = 8, kAperture = 9, kLensInputs = 10;

// An image that the steps of a graph write.
struct GraphImage {
  enum class Texels { half4, float1, float4, words4 };  // GL_RGBA16F, GL_R32F, GL_RGBA32F, GL_RGBA32UI
  // image: as large as the output. half: half as large along each axis, rounded up. pyramid: glsl::kFillLevels levels,
  // the first one of size glsl::fillSizeOf(). table, halfTable: a summed-area table of such an image; some devices
  // transpose it.
  enum class Extent { image, half, pyramid, table, halfTable };
  Texels texels = Texels::half4;
  Extent extent = Extent::image;
  bool operator==(const GraphImage&) const = default;
};

// Scatters the pixels of an image over their discs and builds the table of the result.
struct ScatterStep {
  Scattered scattered = Scattered::nearPixels;
  ImageId colour = kNoImage, depth = kNoImage, table = kNoImage;
  ScatterRule rule;
  bool operator==(const ScatterStep&) const = default;
};

// Builds the table of an image, or of a table (second order).
struct TableStep {
  ImageId image = kNoImage, table = kNoImage;
  TableFormat format = TableFormat::uint32;
  Quantisation quantisation = {};
  bool operator==(const TableStep&) const = default;
};

// Runs a pass over all pixels. Shader and kernel take the images in this order; kNoImage stands for one that the rule
// does not need.
struct PassStep {
  PassRule rule;
  std::vector<ImageId> reads, writes;
  bool operator==(const PassStep&) const = default;
};

// Collects the bokeh sprites of an image. Writes the image without their light to `reduced`.
struct CollectStep {
  ImageId colour = kNoImage, depth = kNoImage, reduced = kNoImage;
  BokehRule rule;
  bool operator==(const CollectStep&) const = default;
};

// Adds the sprites of all CollectSteps to kOutput, in the order of these steps. rules: one for each CollectStep.
struct SpritesStep {
  std::vector<SpriteRule> rules;
  ImageId backColour = kNoImage, backDepth = kNoImage;  // the blended surfaces behind the focus plane
  bool operator==(const SpritesStep&) const = default;
};

using LensStep = std::variant<ScatterStep, TableStep, PassStep, CollectStep, SpritesStep>;

struct LensGraph {
  std::vector<GraphImage> images;  // from kLensInputs on
  std::vector<LensStep> steps;
  ImageId shownTable = kNoImage;  // becomes LensResult::table
  float shownScale = 1.0f;        // elements of linear light 1 in shownTable
  bool operator==(const LensGraph&) const = default;

  // Adds an image.
  ImageId add(GraphImage::Texels texels, GraphImage::Extent extent = GraphImage::Extent::image);
  const GraphImage& image(ImageId id) const { return images[static_cast<std::size_t>(id - kLensInputs)]; }
  // Whether a step reads or writes the image.
  bool uses(ImageId id) const;
};

// The input of a lens's plan of a frame.
struct LensFacts {
  const LensSettings& lens;
  SceneFacts scene;
  int show = glsl::kShowImage;  // of the layered lens: shaders/lens/layered/compose.glsl
  glm::vec4 mean{0.0f};         // of the image, for float32-mean tables
  bool secondLayer = false;     // a second layer of depth is available
  bool blended = false;         // the blended surfaces are two layers, not part of the image
};

struct PassRow {
  const char* shader;         // path below shaders/, without extension; null: the pass runs on CUDA only
  const char* stage;          // of the frame, for timings
  bool ofPixelStage = false;  // has a fragment and a compute shader, and writes no pyramid
  bool readsTables = false;
  // How OpenGL draws a pyramid. own: the shader draws every level. means: the shader draws level 0, and each cell above
  // is the mean of four cells.
  enum class Levels { none, own, means } levels = Levels::none;
};
// The row of the pass that the type of the rule selects.
PassRow rowOf(const PassRule& rule);

// The memory of the images of a graph, except its tables: blocks, each for images of one kind. Images share a block if
// their lifetimes do not overlap.
struct GraphMemory {
  std::vector<GraphImage> blocks;
  std::vector<int> blockOf;  // by image of the graph; -1: a table, or an image that no step uses
  explicit GraphMemory(const LensGraph& graph);
};

// The size of an image of a graph, or of level 0 of a pyramid. `size`: of the output. A transposed table has the size
// swapped.
glm::ivec2 extentOf(const GraphImage& image, glm::ivec2 size);

// Bytes of the images and tables of a graph for images of `size`, including the scratch memory of scatters. The table
// builders of a device may need more.
double bytesOf(const LensGraph& graph, glm::ivec2 size);

}  // namespace satdof
