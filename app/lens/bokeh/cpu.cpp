#include "app/lens/bokeh/cpu.h"

#include <cmath>
#include <glm/common.hpp>
#include <glm/trigonometric.hpp>

#include "app/device/bokeh_collector.h"
#include "app/device/cpu/vector4.h"
#include "app/gl/abandon.h"
#include "app/lens/bokeh/sprites.h"
#include "app/lens/thin_lens.h"
#include "shaders/bokeh/sprite.h"

namespace satdof {

namespace {

constexpr int kBandRows = glsl::kDepthTilePx;

// What hides a wide sprite changes slowly across it: one ray for so many columns, linear between them. Cost of a sprite of radius R:
// pi R^2 / rayStep(R) rays.
int rayStep(float radiusPx) { return std::clamp(static_cast<int>(std::abs(radiusPx) / 48.0f), 1, 8); }

// A frame, for shaders/bokeh/sprite.glsl.
struct SceneImages {
  std::span<const float> depth;
  CpuPanes panes;
  glm::ivec2 size;
  float depthAt(glm::ivec2 p) const {
    return depth[static_cast<size_t>(p.y) * static_cast<size_t>(size.x) + static_cast<size_t>(p.x)];
  }
  glm::vec4 depthsAt(glm::ivec2 p) const {
    const glm::ivec2 low = glm::clamp(p, glm::ivec2(0), size - 1),
                     high = glm::clamp(p + 1, glm::ivec2(0), size - 1);
    return {depthAt(low), depthAt({high.x, low.y}), depthAt({low.x, high.y}), depthAt(high)};
  }
  glm::vec2 paneAt(glm::ivec2 p) const {
    p = glm::clamp(p, glm::ivec2(0), size - 1);
    const size_t pixel = static_cast<size_t>(p.y) * static_cast<size_t>(size.x) + static_cast<size_t>(p.x);
    const glm::vec4 depths = panes.depth[pixel];
    return {panes.colour[pixel].w, depths.x / std::max(depths.w, 1e-4f)};
  }
};

// The nearest depth of each tile, for shaders/bokeh/depth_tiles.glsl.
struct DepthTiles {
  std::span<const float> depth;
  glm::ivec2 size;
  float tileDepthAt(glm::ivec2 tile) const {
    return depth[static_cast<size_t>(tile.y) * static_cast<size_t>(size.x) + static_cast<size_t>(tile.x)];
  }
};

}  // namespace

CpuBokeh::CpuBokeh(NearField nearField, float margin)
    : nearField_(nearField),
      margin_(margin),
      pool_(hardwareThreads()),
      collector_(hardwareThreads(), kParallelCpuCompaction, kParallelCpuSort) {}

void CpuBokeh::resize(glm::ivec2 size) {
  collector_.reserve(size);
  bands_.resize(static_cast<size_t>((size.y + kBandRows - 1) / kBandRows));
}

void CpuBokeh::extract(const CpuFrame& frame, const LensInputs& inputs, Timings& timings) {
  const auto stage = timings.cpu("collect highlights");
  const BokehRule rule = bokehRule(inputs);
  collector_.collect(frame.colour, frame.depth, frame.facts.size, rule, kBokehCapacity, sprites_);
  collector_.removeLight(frame.colour, frame.depth, rule);
}

SATDOF_INLINE inline void CpuBokeh::drawSprite(const BokehSprite& sprite, const Shape& shape, int y,
                                               const CpuFrame& frame, const ThinLens& lens,
                                               const glsl::Aperture& aperture,
                                               std::span<glm::vec4> image) const {
  const glm::ivec2 size = frame.facts.size;
  const float fromCentre = static_cast<float>(y) + 0.5f - sprite.yPx;
  const float left = shape.reach * shape.reach - fromCentre * fromCentre;
  if (left <= 0.0f) return;
  const float halfPx = std::sqrt(left) * aperture.anamorphicRatio;
  const int from = static_cast<int>(std::max(sprite.xPx - halfPx, 0.0f));
  const int last = std::min(static_cast<int>(std::max(sprite.xPx + halfPx, 0.0f)), size.x - 1);
  const glm::vec3 variance(sprite.varianceX, sprite.covariance, sprite.varianceY);
  const glm::vec2 centre(sprite.xPx, sprite.yPx);
  const bool scattered = nearField_ == NearField::scattered;
  const float nearest = glsl::signedRadius(lens, frame.facts.nearM / frame.facts.nearestM);
  const SceneImages scene{frame.depth, frame.back, size};
  const Float4 light{shape.light.x, shape.light.y, shape.light.z, 0.0f};
  const bool dimmed = frame.hasPanes() && sprite.radiusPx >= 0.0f;
  const auto reaching = [&](int x) SATDOF_INLINE {
    const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    float part = 1.0f;
    if (shape.hidden)
      part = glsl::reachingPart(scene, lens, p, centre, variance, sprite.radiusPx, nearest, margin_);
    if (dimmed && part > 0.0f) part *= glsl::passingPanes(scene, lens, p, centre, sprite.radiusPx);
    return part;
  };
  const bool traced = scattered && (shape.hidden || dimmed);
  const int step = rayStep(sprite.radiusPx);
  float before = 0.0f, after = 0.0f;  // reaching() at the columns around x
  for (int x = from; x <= last; ++x) {
    const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    const int within = x % step;
    if (traced && step > 1 && (within == 0 || x == from)) {
      before = x == from ? reaching(x - within) : after;
      after = reaching(x - within + step);
    }
    const glm::vec2 at = (p - centre) / glm::vec2(aperture.anamorphicRatio, 1.0f);
    float part = 1.0f;
    if (shape.solid <= 0.0f || glm::dot(at, at) > shape.solid * shape.solid)
      part = glsl::apertureCoverage(aperture, p - centre, sprite.radiusPx, variance);
    if (part <= 0.0f) continue;
    float* const pixel =
        &image[static_cast<size_t>(y) * static_cast<size_t>(size.x) + static_cast<size_t>(x)].x;
    if (traced) {
      part *= step > 1 ? glm::mix(before, after, static_cast<float>(within) / static_cast<float>(step))
                       : reaching(x);
    } else if (!scattered) {
      const float surface = glsl::signedRadius(lens, scene.depthAt({x, y}));
      part *= glsl::visiblePart(scene, lens, size, p, surface, centre, sprite.radiusPx);
    }
    if (dimmed) part *= pixel[3];
    storeVector(pixel, loadVector<Float4>(pixel) + light * part);
  }
}

SATDOF_INLINE inline void CpuBokeh::drawBand(int band, const CpuFrame& frame, const ThinLens& lens,
                                             const glsl::Aperture& aperture,
                                             std::span<glm::vec4> image) const {
  const int end = std::min((band + 1) * kBandRows, frame.facts.size.y);
  for (const unsigned i : bands_[static_cast<size_t>(band)])
    for (int y = band * kBandRows; y < end; ++y)
      drawSprite(sprites_[i], shapes_[i], y, frame, lens, aperture, image);
}

void CpuBokeh::findDepthTiles(const CpuFrame& frame) {
  const glm::ivec2 size = frame.facts.size;
  depthTiles_.resize(static_cast<size_t>((size.x + kBandRows - 1) / kBandRows) * bands_.size());
  pool_.forEach(static_cast<int>(bands_.size()), [&](int band) {
    float* tile = &depthTiles_[static_cast<size_t>(band) * (depthTiles_.size() / bands_.size())];
    for (int left = 0; left < size.x; left += kBandRows, ++tile) {
      *tile = 0.0f;
      for (int y = band * kBandRows; y < std::min((band + 1) * kBandRows, size.y); ++y)
        for (int x = left; x < std::min(left + kBandRows, size.x); ++x)
          *tile = std::max(
              *tile,
              frame.depth[static_cast<size_t>(y) * static_cast<size_t>(size.x) + static_cast<size_t>(x)]);
    }
  });
}

void CpuBokeh::draw(const CpuFrame& frame, const LensInputs& inputs, std::span<glm::vec4> image,
                    Timings& timings) {
  const auto stage = timings.cpu("sprites");
  const ThinLens lens = bokehRule(inputs).lens;
  const glsl::Aperture aperture{inputs.lens.blades, glm::radians(inputs.lens.bladeRotationDegrees),
                                lens.anamorphicRatio};
  const int bands = (frame.facts.size.y + kBandRows - 1) / kBandRows;
  bands_.resize(static_cast<size_t>(bands));
  for (auto& band : bands_) band.clear();
  shapes_.resize(sprites_.size());
  const bool scattered = nearField_ == NearField::scattered;
  if (scattered) findDepthTiles(frame);
  const glm::ivec2 tileCount((frame.facts.size.x + kBandRows - 1) / kBandRows, bands);
  const DepthTiles tiles{depthTiles_, tileCount};
  const float nearest = glsl::signedRadius(lens, frame.facts.nearM / frame.facts.nearestM);
  for (size_t i = 0; i < sprites_.size(); ++i) {
    const BokehSprite& sprite = sprites_[i];
    const glm::vec3 variance(sprite.varianceX, sprite.covariance, sprite.varianceY);
    const float reach = glsl::apertureReach(aperture, sprite.radiusPx, variance);
    shapes_[i] = {
        reach, glsl::apertureSolid(aperture, sprite.radiusPx, reach),
        glm::vec3(sprite.r, sprite.g, sprite.b) / glsl::apertureArea(aperture, sprite.radiusPx, variance),
        scattered && glsl::mayBeHidden(tiles, lens, tileCount, {sprite.xPx, sprite.yPx}, sprite.radiusPx,
                                       reach * glm::vec2(aperture.anamorphicRatio, 1.0f), nearest, margin_)};
    const int from = static_cast<int>(std::max(sprite.yPx - reach, 0.0f)) / kBandRows;
    const int last = std::min(static_cast<int>(std::max(sprite.yPx + reach, 0.0f)) / kBandRows, bands - 1);
    for (int band = from; band <= last; ++band)
      bands_[static_cast<size_t>(band)].push_back(static_cast<unsigned>(i));
  }
  pool_.forEach(bands, [&](int band) {
    gl::throwIfAbandoned();  // wide sprites take seconds
    vectorised([&]() SATDOF_INLINE { drawBand(band, frame, lens, aperture, image); });
  });
}

}  // namespace satdof
