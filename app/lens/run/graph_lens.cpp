#include "app/lens/run/graph_lens.h"

#include "app/gl/transfer.h"
#include "app/lens/aperture/image.h"
#include "app/lens/bokeh/plan.h"

namespace satdof {

namespace {

// LensFacts::show.
int shown(LensImage image) {
  switch (image) {
    case LensImage::nearCoverage:
      return glsl::kShowNear;
    case LensImage::fill:
      return glsl::kShowFill;
    case LensImage::layers:
      return glsl::kShowLayers;
    case LensImage::weights:
      return glsl::kShowWeights;
    case LensImage::blurred:
    case LensImage::sprites:
      break;
  }
  return glsl::kShowImage;
}

}  // namespace

GraphLens::GraphLens(const Technique& technique, const LensRow& row)
    : GraphLens([technique, &row](const LensFacts& facts) { return row.plan(technique, facts); }, row.layers,
                technique.bokeh.enabled ? row.bokeh : std::nullopt) {}

void GraphLens::resize(glm::ivec2 size) {
  size_ = size;
  blended_ = false;
  reset(size);
  allocate(commonGraph(size));
}

void GraphLens::prepareBlended() {
  blended_ = true;
  allocate(commonGraph(size_));
}

GraphLens::Frame GraphLens::frameOf(const LensInputs& inputs, const gl::Texture& output) {
  const SceneFrame& scene = inputs.scene;
  Frame frame;
  frame.blended = separates_ && blended_ && scene.opaque != nullptr && inputs.redraw != nullptr;
  frame.graph = graphOf({inputs.lens, scene, shown(inputs.image), inputs.mean, inputs.redraw != nullptr, frame.blended},
                        inputs.image);
  frame.textures[kColour] = frame.blended ? scene.opaque : scene.colour;
  frame.textures[kDepth] = scene.depth;
  frame.textures[kOutput] = &output;
  if (const ApertureImage* image = sprites_ ? apertureImage(inputs.lens) : nullptr) {
    if (!aperture_) aperture_ = gl::Texture(GL_R32F, glm::ivec2(glsl::kApertureCells + 1));
    if (apertureFile_ != inputs.lens.apertureImage) gl::upload(aperture_, gl::kRedFloat, image->table().data());
    apertureFile_ = inputs.lens.apertureImage;
    frame.textures[kAperture] = &aperture_;
  }
  if (frame.graph.uses(kBehindColour)) {
    const SceneFrame behind = inputs.redraw->draw({}, scene.depth);
    frame.textures[kBehindColour] = behind.colour;
    frame.textures[kBehindDepth] = behind.depth;
  }
  if (frame.blended)
    for (const bool front : {false, true}) {
      const BlendedLayer layer = inputs.redraw->blended(front);
      frame.textures[static_cast<std::size_t>(front ? kFrontColour : kBackColour)] = layer.colour;
      frame.textures[static_cast<std::size_t>(front ? kFrontDepth : kBackDepth)] = layer.depth;
    }
  return frame;
}

LensGraph GraphLens::graphOf(const LensFacts& facts, LensImage image) const {
  LensGraph graph = plan_(facts);
  if (sprites_) addSprites(graph, facts, *sprites_, image);
  return graph;
}

LensGraph GraphLens::commonGraph(glm::ivec2 size) const {
  const LensSettings lens;
  return graphOf(
      {.lens = lens, .scene = {.size = size, .focalPx = static_cast<float>(size.y)}, .blended = separates_ && blended_},
      LensImage::blurred);
}

LensGraph GraphLens::fullGraph() const {
  const LensSettings lens{.fNumber = 0.1f, .layers = 2};
  return graphOf({.lens = lens, .scene = {.size = {64, 64}}, .secondLayer = true, .blended = separates_},
                 LensImage::blurred);
}

GLenum GraphLens::formatOf(GraphImage::Texels texels) {
  switch (texels) {
    case GraphImage::Texels::float1:
      return GL_R32F;
    case GraphImage::Texels::float4:
      return GL_RGBA32F;
    case GraphImage::Texels::words4:
      return GL_RGBA32UI;
    case GraphImage::Texels::half4:
      break;
  }
  return GL_RGBA16F;
}

}  // namespace satdof
