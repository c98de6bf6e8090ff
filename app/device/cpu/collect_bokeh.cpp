#include "app/device/cpu/collect_bokeh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <glm/vec3.hpp>
#include <stdexcept>
#include <string>

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/pieces.h"

namespace satdof {

namespace {

// The radii of shaders/bokeh/first.glsl.
struct Radii {
  std::span<const float> values;
  glm::ivec2 size;
  float radiusAt(glm::ivec2 p) const { return values[pixelIndex(size, p)]; }
};

// A layer whose highlights are collected.
class Image {
 public:
  Image(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size, const BokehRule& rule)
      : colour_(colour), depth_(depth), size_(size), rule_(rule) {}

  glsl::Highlight at(std::size_t pixel) const {
    return glsl::highlightOf(rule_, glm::vec3(colour_[pixel]), depth_[pixel]);
  }
  // The radius of the highlight at a pixel; 0: none. Tests the luminance first, because most pixels are dark.
  float radiusAt(std::size_t pixel) const {
    const glm::vec4& c = colour_[pixel];
    return glsl::luminance(c.r, c.g, c.b) > rule_.threshold ? at(pixel).radius : 0.0f;
  }
  std::size_t pixel(int x, int y) const { return pixelIndex(size_, {x, y}); }
  glm::ivec2 position(std::size_t pixel) const {
    return {static_cast<int>(pixel) % size_.x, static_cast<int>(pixel) / size_.x};
  }

  // Sums the sprite of a first highlight: see parityOf().
  BokehSprite spriteFrom(std::span<const float> radii, std::uint32_t element) const {
    const std::size_t first = glsl::pixelOf(element);
    const std::uint32_t parity = glsl::parityOf(element), kind = glsl::highlightKind(radii[first], parity);
    const glm::ivec2 at = position(first);
    const int side = 1 << glsl::cellLevel(kind), left = at.x & -side;
    const int right = std::min(left + side, size_.x), top = std::min((at.y & -side) + side, size_.y);
    glsl::BokehMoments sum = glsl::noMoments();
    for (int y = at.y; y < top; ++y)
      for (int x = left; x < right; ++x)
        if (const std::size_t other = pixel(x, y); glsl::highlightKind(radii[other], parity) == kind)
          sum = glsl::withHighlight(sum, this->at(other), glsl::kindPart(radii[other], parity),
                                    glm::vec2(x - at.x, y - at.y));
    return std::bit_cast<BokehSprite>(glsl::spriteTexels(sum, glm::vec2(at), depth_[first]));
  }

 private:
  std::span<const glm::vec4> colour_;
  std::span<const float> depth_;
  glm::ivec2 size_;
  BokehRule rule_;
};

}  // namespace

CpuBokehSprites::CpuBokehSprites(int threads, const CpuCompactionInfo& compaction, const CpuSortInfo& sort)
    : pool_(threads), compaction_(compaction), sort_(sort) {}

void CpuBokehSprites::reserve(glm::ivec2 size) {
  const auto rows = static_cast<std::size_t>(size.y), pixels = static_cast<std::size_t>(size.x) * rows;
  reallocate(radii_, pixels);
  for (auto* words : {&firsts_, &elements_}) reallocate(*words, 2 * pixels);
  marked_.resize(rows);
}

void CpuBokehSprites::collect(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
                              const BokehRule& rule, std::size_t capacity, std::vector<BokehSprite>& sprites) {
  const auto pixels = pixelCount(size);
  if (colour.size() != pixels || depth.size() != pixels)
    throw std::runtime_error("cannot collect bokeh sprites: an image of " + std::to_string(size.x) + "x" +
                             std::to_string(size.y) + " needs " + std::to_string(pixels) + " colours and depths, not " +
                             std::to_string(colour.size()) + " colours and " + std::to_string(depth.size()) +
                             " depths");
  reserve(size);
  const Image image(colour, depth, size, rule);

  const auto mark = [&](int y) {
    bool any = false;
    for (int x = 0; x < size.x; ++x) {
      const float radius = image.radiusAt(image.pixel(x, y));
      radii_[image.pixel(x, y)] = radius;
      any |= radius != 0.0f;
    }
    marked_[static_cast<std::size_t>(y)] = static_cast<char>(any);
  };
  const auto markFirsts = [&](int y) {
    const auto row = firsts_.begin() + static_cast<std::ptrdiff_t>(2 * image.pixel(0, y));
    if (!marked_[static_cast<std::size_t>(y)])
      std::fill_n(row, 2 * size.x, 0u);
    else
      for (int x = 0; x < size.x; ++x)
        for (const int parity : {0, 1})
          row[2 * x + parity] = glsl::isFirst(Radii{radii_, size}, {x, y}, size.x, static_cast<std::uint32_t>(parity));
  };
  pool_.forEach(size.y, std::cref(mark));
  pool_.forEach(size.y, std::cref(markFirsts));

  std::size_t found = compaction_.run(pool_, firsts_, elements_);
  if (found > capacity) found = 0;
  found_ = found;
  const std::span<std::uint32_t> order(elements_.data(), found);
  depths_.resize(found);
  for (std::size_t i = 0; i < found; ++i)
    depths_[i] = std::bit_cast<std::uint32_t>(std::abs(depth[glsl::pixelOf(order[i])]));
  sort_.run(pool_, depths_, order, scratch_);

  sprites.resize(found);
  const auto write = [&](int i) {
    const auto sprite = static_cast<std::size_t>(i);
    sprites[sprite] = image.spriteFrom(radii_, order[sprite]);
  };
  pool_.forEach(static_cast<int>(found), std::cref(write));
}

void CpuBokehSprites::removeLight(std::span<glm::vec4> colour, std::span<const float> depth, const BokehRule& rule) {
  if (found_ == 0) return;
  Pieces(colour.size(), pool_).forEach(pool_, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (radii_[i] == 0.0f) continue;
      colour[i] -= glm::vec4(glsl::highlightOf(rule, glm::vec3(colour[i]), depth[i]).light, 0.0f);
    }
  });
}

}  // namespace satdof
