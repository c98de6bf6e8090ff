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

// A frame of a lens as a list of steps over images: plain values. app/lens/run/ runs such a list.
namespace satdof {

// An image of a graph. The first kLensInputs come from outside, in this order:
//   kColour, kDepth               SceneFrame
//   kBehindColour, kBehindDepth   the second layer
//   kBackColour ... kFrontDepth   BlendedLayer behind and in front of the focus plane
//   kOutput                       the image of the lens
//   kAperture                     ApertureImage::table(), if the aperture has an image
using ImageId = int;
inline constexpr ImageId kNoImage = -1;
inline constexpr ImageId kColour = 0, kDepth = 1, kBehindColour = 2, kBehindDepth = 3, kBackColour = 4,
                         kBackDepth = 5, kFrontColour = 6, kFrontDepth = 7, kOutput = 8, kAperture = 9,
                         kLensInputs = 10;

// An image that a graph draws.
struct GraphImage {
  enum class Texels { half4, float1, float4, words4 };  // GL_RGBA16F, GL_R32F, GL_RGBA32F, GL_RGBA32UI
  // image: as large as the output. half: half of it, rounded up. pyramid: glsl::fillSizeOf() and glsl::kFillLevels levels.
  // table: as image, or transposed, as the device builds it.
  enum class Extent { image, half, pyramid, table, halfTable };
  Texels texels = Texels::half4;
  Extent extent = Extent::image;
  bool operator==(const GraphImage&) const = default;
};

// Scatters the pixels of an image over their discs and sums the result to a table.
struct ScatterStep {
  Scattered scattered = Scattered::nearPixels;
  ImageId colour = kNoImage, depth = kNoImage, table = kNoImage;
  ScatterRule rule;
  bool operator==(const ScatterStep&) const = default;
};

// Builds the table of an image, or of a table.
struct TableStep {
  ImageId image = kNoImage, table = kNoImage;
  TableFormat format = TableFormat::uint32;
  Quantisation quantisation = {};
  bool operator==(const TableStep&) const = default;
};

// A pass. The order of its images is the order in the shader and in the kernel; kNoImage: the rule needs none there.
struct PassStep {
  PassRule rule;
  std::vector<ImageId> reads, writes;
  bool operator==(const PassStep&) const = default;
};

// Collects the bokeh sprites of an image, and draws the image without their light.
struct CollectStep {
  ImageId colour = kNoImage, depth = kNoImage, reduced = kNoImage;
  BokehRule rule;
  bool operator==(const CollectStep&) const = default;
};

// Adds the sprites of all CollectSteps to kOutput, in the order of the steps. rules: one a CollectStep.
struct SpritesStep {
  std::vector<SpriteRule> rules;
  ImageId backColour = kNoImage, backDepth = kNoImage;  // the blended surfaces behind the focus plane
  bool operator==(const SpritesStep&) const = default;
};

using LensStep = std::variant<ScatterStep, TableStep, PassStep, CollectStep, SpritesStep>;

struct LensGraph {
  std::vector<GraphImage> images;  // from kLensInputs on
  std::vector<LensStep> steps;
  ImageId shownTable = kNoImage;  // LensResult::table
  float shownScale = 1.0f;        // its units of linear light 1
  bool operator==(const LensGraph&) const = default;

  ImageId add(GraphImage::Texels texels, GraphImage::Extent extent = GraphImage::Extent::image);
  const GraphImage& image(ImageId id) const { return images[static_cast<size_t>(id - kLensInputs)]; }
  bool reads(ImageId id) const;
};

// What a lens plans a frame from.
struct LensFacts {
  const LensSettings& lens;
  SceneFacts scene;
  int show = glsl::kShowImage;  // what the layered lens draws: shaders/lens/layered/compose.glsl
  glm::vec4 mean{0.0f};         // of the image, for float32-mean tables
  bool secondLayer = false;     // the scene can be drawn behind its nearest surfaces
  bool blended = false;         // the blended surfaces are layers of their own
};

// The shader of a pass below shaders/, and the stage of the frame that it belongs to. Null: CUDA alone.
struct PassRow {
  const char* shader;
  const char* stage;
  bool ofPixelStage = false;  // in fragment and in compute shaders; reads no pyramid
  bool readsTables = false;
  enum class Levels {
    none,
    own,
    means
  } levels = Levels::none;  // how levels of a pyramid follow: by the pass, or as means
};
const PassRow& rowOf(const PassRule& rule);

// Blocks of memory for the images of a graph but its tables. Images whose lifetimes do not meet share a block.
struct GraphMemory {
  std::vector<GraphImage> blocks;
  std::vector<int> blockOf;  // of each image of the graph; -1: a table, or an image that no step uses
  explicit GraphMemory(const LensGraph& graph);
};

// Pixels or cells of level 0 of an image of a graph, tables as if not transposed.
glm::ivec2 extentOf(const GraphImage& image, glm::ivec2 size);

// Bytes that the images and tables of a graph for images of `size` take, with the scratch memory of its scatters. The device's
// builders of tables may need more.
double bytesOf(const LensGraph& graph, glm::ivec2 size);

}  // namespace satdof
