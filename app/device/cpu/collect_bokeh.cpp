#include "app/device/cpu/collect_bokeh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <glm/vec3.hpp>
#include <stdexcept>
#include <string>

#include "app/core/reallocate.h"
#include "app/device/cpu/pieces.h"

namespace satdof {

namespace {

class Image {
 public:
  Image(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size,
        const BokehRule& rule)
      : colour_(colour), depth_(depth), size_(size), rule_(rule) {}

  glsl::Highlight at(std::size_t pixel) const {
    return glsl::highlightOf(glm::vec3(colour_[pixel]), glsl::signedRadius(rule_.lens, depth_[pixel]),
                             rule_.threshold, rule_.minRadiusPx);
  }
  // The kind of the highlight at a pixel. Most pixels are dark.
  std::uint32_t kindAt(std::size_t pixel) const {
    const glm::vec4& c = colour_[pixel];
    return glsl::luminance(c.r, c.g, c.b) > rule_.threshold ? at(pixel).kind : 0;
  }
  std::size_t pixel(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(x);
  }
  glm::ivec2 position(std::size_t pixel) const {
    return {static_cast<int>(pixel) % size_.x, static_cast<int>(pixel) / size_.x};
  }

  // Whether no pixel of this kind comes before (x, y) in its cell, by row, then by column.
  bool isFirst(std::span<const std::uint32_t> kinds, int x, int y) const {
    const std::uint32_t kind = kinds[pixel(x, y)];
    if (kind == 0) return false;
    const int side = 1 << glsl::cellLevel(kind), left = x & -side, right = std::min(left + side, size_.x);
    for (int cy = y & -side; cy <= y; ++cy)
      for (int cx = left; cx < (cy == y ? x : right); ++cx)
        if (kinds[pixel(cx, cy)] == kind) return false;
    return true;
  }

  BokehSprite spriteFrom(std::span<const std::uint32_t> kinds, std::size_t first) const {
    const glm::ivec2 at = position(first);
    const std::uint32_t kind = kinds[first];
    const int side = 1 << glsl::cellLevel(kind), left = at.x & -side;
    const int right = std::min(left + side, size_.x), top = std::min((at.y & -side) + side, size_.y);
    glsl::BokehMoments sum = glsl::noMoments();
    for (int y = at.y; y < top; ++y)
      for (int x = left; x < right; ++x)
        if (const std::size_t other = pixel(x, y); kinds[other] == kind)
          sum = glsl::withHighlight(sum, this->at(other), glm::vec2(x - at.x, y - at.y));
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
  const auto rows = static_cast<std::size_t>(size.y);
  for (auto* words : {&kinds_, &firsts_, &pixels_})
    reallocate(*words, static_cast<std::size_t>(size.x) * rows);
  marked_.resize(rows);
}

void CpuBokehSprites::collect(std::span<const glm::vec4> colour, std::span<const float> depth,
                              glm::ivec2 size, const BokehRule& rule, std::size_t capacity,
                              std::vector<BokehSprite>& sprites) {
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  if (colour.size() != pixels || depth.size() != pixels)
    throw std::runtime_error("cannot collect bokeh sprites: an image of " + std::to_string(size.x) + "x" +
                             std::to_string(size.y) + " needs " + std::to_string(pixels) +
                             " colours and depths, not " + std::to_string(colour.size()) + " colours and " +
                             std::to_string(depth.size()) + " depths");
  reserve(size);
  const Image image(colour, depth, size, rule);

  const auto mark = [&](int y) {
    std::uint32_t any = 0;
    for (int x = 0; x < size.x; ++x) any |= kinds_[image.pixel(x, y)] = image.kindAt(image.pixel(x, y));
    marked_[static_cast<std::size_t>(y)] = static_cast<char>(any != 0);
  };
  const auto markFirsts = [&](int y) {
    const auto row = firsts_.begin() + static_cast<std::ptrdiff_t>(image.pixel(0, y));
    if (!marked_[static_cast<std::size_t>(y)])
      std::fill_n(row, size.x, 0u);
    else
      for (int x = 0; x < size.x; ++x) row[x] = image.isFirst(kinds_, x, y);
  };
  pool_.forEach(size.y, std::cref(mark));
  pool_.forEach(size.y, std::cref(markFirsts));

  std::size_t found = compaction_.run(pool_, firsts_, pixels_);
  if (found > capacity) found = 0;
  found_ = found;
  const std::span<std::uint32_t> order(pixels_.data(), found);
  depths_.resize(found);
  for (std::size_t i = 0; i < found; ++i)
    depths_[i] = std::bit_cast<std::uint32_t>(std::abs(depth[order[i]]));
  sort_.run(pool_, depths_, order, scratch_);

  sprites.resize(found);
  const auto write = [&](int i) {
    const auto sprite = static_cast<std::size_t>(i);
    sprites[sprite] = image.spriteFrom(kinds_, order[sprite]);
  };
  pool_.forEach(static_cast<int>(found), std::cref(write));
}

void CpuBokehSprites::removeLight(std::span<glm::vec4> colour, std::span<const float> depth,
                                  const BokehRule& rule) {
  if (found_ == 0) return;
  Pieces(colour.size(), pool_).forEach(pool_, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (kinds_[i] == 0) continue;
      const auto highlight = glsl::highlightOf(glm::vec3(colour[i]), glsl::signedRadius(rule.lens, depth[i]),
                                               rule.threshold, rule.minRadiusPx);
      colour[i] -= glm::vec4(highlight.light, 0.0f);
    }
  });
}

}  // namespace satdof
