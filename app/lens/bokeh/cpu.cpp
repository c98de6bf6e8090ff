#include "app/lens/bokeh/cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>

#include "app/core/pixels.h"
#include "app/core/system/abandon.h"
#include "app/device/cpu/vector4.h"
#include "app/lens/aperture/image.h"

namespace satdof {

namespace {

constexpr int kBandRows = glsl::kDepthTilePx;

// Columns between two rays of a sprite. The visible part is linear in between, because it changes slowly across a wide
// sprite. Cost of a sprite of radius R: pi R^2 / rayStep(R) rays.
int rayStep(float radiusPx) { return std::clamp(static_cast<int>(std::abs(radiusPx) / 48.0f), 1, 8); }

// The scene of shaders/bokeh/sprite.glsl.
struct SceneImages : ApertureTable {
  std::span<const float> depth;
  CpuBlended back;
  glm::ivec2 size;
  float depthAt(glm::ivec2 p) const { return depth[pixelIndex(size, p)]; }
  glm::vec4 depthsAt(glm::ivec2 p) const {
    const glm::ivec2 low = glm::clamp(p, glm::ivec2(0), size - 1), high = glm::clamp(p + 1, glm::ivec2(0), size - 1);
    return {depthAt(low), depthAt({high.x, low.y}), depthAt({low.x, high.y}), depthAt(high)};
  }
  glm::vec2 blendedAt(glm::ivec2 p) const {
    p = glm::clamp(p, glm::ivec2(0), size - 1);
    const std::size_t pixel = pixelIndex(size, p);
    return {back.colour[pixel].w, glsl::meanDepth(back.depth[pixel])};
  }
};

// The tiles of shaders/bokeh/depth_tiles.glsl.
struct DepthTiles {
  std::span<const float> depth;
  glm::ivec2 size;
  float tileDepthAt(glm::ivec2 tile) const { return depth[pixelIndex(size, tile)]; }
};

}  // namespace

CpuBokeh::CpuBokeh(int threads) : pool_(threads), collector_(threads, kParallelCpuCompaction, kParallelCpuSort) {}

void CpuBokeh::resize(glm::ivec2 size) {
  collector_.reserve(size);
  bands_.resize(static_cast<std::size_t>((size.y + kBandRows - 1) / kBandRows));
}

void CpuBokeh::extract(const CpuLayer& layer, glm::ivec2 size, const BokehRule& rule, CpuTimings& timings) {
  const auto stage = timings.cpu("collect highlights");
  collector_.collect(layer.colour, layer.depth, size, rule, kBokehCapacity, sprites_);
  collector_.removeLight(layer.colour, layer.depth, rule);
}

SATDOF_INLINE inline void CpuBokeh::drawSprite(const glsl::PreparedSprite& sprite, int y, const CpuFrame& frame,
                                               const SpriteRule& rule, std::span<glm::vec4> image) const {
  const glm::ivec2 size = frame.facts.size;
  const glm::vec2 centre(sprite.place);
  const float radiusPx = sprite.place.z, reach = sprite.place.w;
  const float fromCentre = static_cast<float>(y) + 0.5f - centre.y;
  const float left = reach * reach - fromCentre * fromCentre;
  if (left <= 0.0f) return;
  const float halfPx = std::sqrt(left) * rule.lens.anamorphicRatio;
  const int from = static_cast<int>(std::max(centre.x - halfPx, 0.0f));
  const int last = std::min(static_cast<int>(std::max(centre.x + halfPx, 0.0f)), size.x - 1);
  const SceneImages scene{{frame.aperture}, frame.depth, frame.back, size};
  const Float4 light{sprite.light.x, sprite.light.y, sprite.light.z, 0.0f};
  const bool dimmed = rule.blended != 0 && radiusPx >= 0.0f;
  const auto passing = [&](int x) SATDOF_INLINE {
    const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    const float surface = rule.scattered != 0 ? 0.0f : glsl::signedRadius(rule.lens, scene.depthAt({x, y}));
    return glsl::spritePassing(scene, rule, size, sprite, p, surface);
  };
  const bool traced = rule.scattered == 0 || sprite.light.w != 0.0f || dimmed;
  const int step = traced && rule.scattered != 0 ? rayStep(radiusPx) : 1;
  float before = 0.0f, after = 0.0f;  // passing() at the columns around x
  for (int x = from; x <= last; ++x) {
    const int within = x % step;
    if (step > 1 && (within == 0 || x == from)) {
      before = x == from ? passing(x - within) : after;
      after = passing(x - within + step);
    }
    const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    float part = glsl::spriteCoverage(scene, rule, sprite, p);
    if (part <= 0.0f) continue;
    float* const pixel = &image[pixelIndex(size, {x, y})].x;
    if (step > 1)
      part *= glm::mix(before, after, static_cast<float>(within) / static_cast<float>(step));
    else if (traced)
      part *= passing(x);
    if (dimmed) part *= pixel[3];
    storeVector(pixel, loadVector<Float4>(pixel) + light * part);
  }
}

SATDOF_INLINE inline void CpuBokeh::drawBand(int band, const CpuFrame& frame, const SpriteRule& rule,
                                             std::span<glm::vec4> image) const {
  const int end = std::min((band + 1) * kBandRows, frame.facts.size.y);
  for (const unsigned i : bands_[static_cast<std::size_t>(band)])
    for (int y = band * kBandRows; y < end; ++y) drawSprite(prepared_[i], y, frame, rule, image);
}

void CpuBokeh::findDepthTiles(const CpuFrame& frame) {
  const glm::ivec2 size = frame.facts.size;
  depthTiles_.resize(static_cast<std::size_t>((size.x + kBandRows - 1) / kBandRows) * bands_.size());
  pool_.forEach(static_cast<int>(bands_.size()), [&](int band) {
    float* tile = &depthTiles_[static_cast<std::size_t>(band) * (depthTiles_.size() / bands_.size())];
    for (int left = 0; left < size.x; left += kBandRows, ++tile) {
      *tile = 0.0f;
      for (int y = band * kBandRows; y < std::min((band + 1) * kBandRows, size.y); ++y)
        for (int x = left; x < std::min(left + kBandRows, size.x); ++x)
          *tile = std::max(*tile, frame.depth[pixelIndex(size, {x, y})]);
    }
  });
}

void CpuBokeh::draw(const CpuFrame& frame, const SpriteRule& rule, std::span<glm::vec4> image, CpuTimings& timings) {
  const auto stage = timings.cpu("sprites");
  const int bands = (frame.facts.size.y + kBandRows - 1) / kBandRows;
  bands_.resize(static_cast<std::size_t>(bands));
  for (auto& band : bands_) band.clear();
  prepared_.clear();
  if (rule.scattered != 0) findDepthTiles(frame);
  const glm::ivec2 tileCount((frame.facts.size.x + kBandRows - 1) / kBandRows, bands);
  const DepthTiles tiles{depthTiles_, tileCount};
  for (const BokehSprite& sprite : sprites_) {
    std::array<glm::vec4, kSpriteTexels> texels;
    std::memcpy(texels.data(), &sprite, sizeof sprite);
    const auto index = static_cast<unsigned>(prepared_.size());
    prepared_.push_back(glsl::preparedSprite(tiles, rule, tileCount, texels[0], texels[1], texels[2]));
    const float y = sprite.yPx, reach = prepared_.back().place.w;
    const int from = static_cast<int>(std::max(y - reach, 0.0f)) / kBandRows;
    const int last = std::min(static_cast<int>(std::max(y + reach, 0.0f)) / kBandRows, bands - 1);
    for (int band = from; band <= last; ++band) bands_[static_cast<std::size_t>(band)].push_back(index);
  }
  pool_.forEach(bands, [&](int band) {
    throwIfAbandoned();  // wide sprites take seconds
    vectorised([&]() SATDOF_INLINE { drawBand(band, frame, rule, image); });
  });
}

}  // namespace satdof
