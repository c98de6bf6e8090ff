#include "app/device/cpu/cpu_scatter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/core/pixels.h"
#include "app/core/reallocate.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/scatter_rectangle.h"

namespace satdof {

namespace {

constexpr int kLeastTilePx = 32;
constexpr int kMostRectangles = 9;

// The rectangles of disc n. Kept from pixel to pixel, because neighbours mostly have the same disc.
struct Disc {
  int n = -1;
  float ratio = 0.0f;
  int area = 0;
  glm::ivec2 reach{0};
  std::array<glm::ivec2, kMostRectangles> halves;

  void set(int steps, int disc, float discRatio) {
    if (n == disc && ratio == discRatio) return;
    n = disc;
    ratio = discRatio;
    area = glsl::discArea(steps, n, ratio);
    reach = glm::ivec2(0);
    for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
      auto& half = halves[static_cast<size_t>(i)];
      half = glsl::stairHalf(steps, i, n, ratio);
      reach = glm::max(reach, half);
    }
  }
};

// The light that a pixel scatters, and its coverage: what scatterWords() of shaders/lens/near_scatter.glsl multiplies by the
// weight.
SATDOF_INLINE inline Float4 scattered(const glm::vec4& colour, bool layer) {
  const glm::vec3 light = glm::clamp(glm::vec3(colour), 0.0f, glsl::scatterCeiling());
  return Float4{light.x, light.y, light.z, layer ? colour.w : 1.0f};
}

// What a pixel adds to each pixel of its two discs.
struct Words {
  Uint4 inner, outer;
};

class Differences {
 public:
  Differences(uint32_t* words, glm::ivec2 size) : words_(reinterpret_cast<glm::uvec4*>(words)), size_(size) {}

  // Whether discs up to `disc` around the pixels p and p + (width - 1, 0) stay inside the image.
  SATDOF_INLINE bool inside(glm::ivec2 p, int width, const Disc& disc) const {
    return p.x >= disc.reach.x && p.y >= disc.reach.y && p.x + disc.reach.x + width < size_.x &&
           p.y + disc.reach.y + 1 < size_.y;
  }

  // Adds the disc around pixel p, or, for Vector = Uint8, those around p and its right neighbour; all inside the image.
  template <class Vector>
  SATDOF_INLINE void addInside(glm::ivec2 p, const Disc& disc, int steps, Vector v) const {
    for (int i = 0; i < 2 * steps - 1; ++i) {
      const glm::ivec2 half = disc.halves[static_cast<size_t>(i)];
      const Vector plus = i < steps ? v : -v;
      glm::uvec4* const below = at(p.x, p.y - half.y);
      glm::uvec4* const above = at(p.x, p.y + half.y + 1);
      addTo(below - half.x, plus);
      addTo(below + half.x + 1, -plus);
      addTo(above - half.x, -plus);
      addTo(above + half.x + 1, plus);
    }
  }

  SATDOF_INLINE void addDisc(glm::ivec2 p, const Disc& disc, int steps, Uint4 v) const {
    if (inside(p, 1, disc)) return addInside(p, disc, steps, v);
    for (int i = 0; i < 2 * steps - 1; ++i) {
      const Uint4 plus = i < steps ? v : -v;
      glsl::addRectangle(*this, size_, p, disc.halves[static_cast<size_t>(i)],
                         {plus[0], plus[1], plus[2], plus[3]});
    }
  }

  void add(glm::ivec2 p, const glm::uvec4& v) const {
    if (p.x < size_.x && p.y < size_.y) *at(p.x, p.y) += v;
  }

 private:
  template <class Vector>
  SATDOF_INLINE static void addTo(glm::uvec4* word, Vector v) {
    storeVector(word, loadVector<Vector>(word) + v);
  }
  glm::uvec4* at(int x, int y) const { return words_ + static_cast<std::ptrdiff_t>(y) * size_.x + x; }

  glm::uvec4* words_;
  glm::ivec2 size_;
};

}  // namespace

void CpuScatter::resize(glm::ivec2 size) {
  size_ = size;
  reallocate(radii_, pixelCount(size));
  leastRadius_.resize(static_cast<size_t>(size.y));
}

void CpuScatter::run(const glm::vec4* colour, const float* depth, const ScatterRule& rule,
                     uint32_t* differences, bool layer) {
  const auto width = static_cast<size_t>(size_.x);
  pool_.forEach(size_.y, [&](int y) {
    const auto row = static_cast<size_t>(y);
    std::fill_n(differences + 4 * width * row, 4 * width, 0u);
    const std::span radii = std::span(radii_).subspan(row * width, width);
    for (size_t x = 0; x < width; ++x) {
      const float r = glsl::signedRadius(rule.lens, depth[row * width + x]);
      radii[x] = layer ? -std::abs(r) : r;
    }
    leastRadius_[row] = std::min(*std::ranges::min_element(radii), 0.0f);
  });
  const float least = *std::min_element(leastRadius_.begin(), leastRadius_.end());
  const auto partOf = [&](float r) { return glsl::scatteredPart(r, rule.band); };
  if (-least <= rule.band.fromPx) return;
  const int widest = glsl::discIndex(-least) + 1;
  const float shiftPx = glsl::kShiftPart * std::max(-least - glsl::kLeastShiftedPx, 0.0f);
  const glm::ivec2 shift(static_cast<int>(shiftPx * rule.lens.anamorphicRatio + 1.0f),
                         static_cast<int>(shiftPx + 1.0f));
  const glm::ivec2 reach(
      glsl::stairHalfWidthX(rule.steps, 0, widest, rule.lens.anamorphicRatio) + 1 + shift.x,
      glsl::stairHalfWidthY(rule.steps, rule.steps - 1, widest) + 1 + shift.y);
  const glm::ivec2 tile = glm::max(glm::min(2 * reach, size_), glm::min(glm::ivec2(kLeastTilePx), size_));
  const glm::ivec2 tiles = (size_ + tile - 1) / tile;

  const bool cuts = rule.aperture.catEye > 0.0f;  // each pixel has its own discs
  const auto scatterRow = [&](int y, int fromX, int toX, Disc& inner, Disc& outer) SATDOF_INLINE {
    if (-leastRadius_[static_cast<size_t>(y)] <= rule.band.fromPx) return;
    const Differences image(differences, size_);
    const auto wordsOf = [&](int x, float part, float radius) SATDOF_INLINE {
      const auto weights = glsl::nearWeights(part, radius, inner.area, outer.area);
      const Float4 light = scattered(colour[static_cast<size_t>(y) * width + static_cast<size_t>(x)], layer);
      const Float4 dither = dithers(x, y);
      // Without weight, the dither alone would be rounded to 0.
      return Words{toWords(light * weights.inner + dither), toWords(light * weights.outer + dither)};
    };
    const float* const row = &radii_[static_cast<size_t>(y) * width];
    const float* const below = y > 0 ? row - width : row;
    const float* const above = y + 1 < size_.y ? row + width : row;
    const auto centreOf = [&](int x, glm::ivec2 leaning) SATDOF_INLINE {
      const float r = row[x];
      glm::ivec2 moved = glm::ivec2(x, y) + leaning;
      if (glsl::isShifted(r)) {
        const int left = std::max(x - 1, 0), right = std::min(x + 1, size_.x - 1);
        moved += glm::ivec2(glsl::discShift(row[left], r, row[right], rule.lens.anamorphicRatio),
                            glsl::discShift(below[x], r, above[x], 1.0f));
      }
      return glm::clamp(moved, glm::ivec2(0), size_ - 1);
    };
    for (int x = fromX; x < toX; ++x) {
      const float r = row[x], part = partOf(r);
      if (part <= 0.0f) continue;
      glsl::CutDisc disc{-r, rule.lens.anamorphicRatio, {}};
      if (cuts) {
        const bool behind = glsl::unlimitedRadius(rule.lens, depth[pixelIndex(size_, {x, y})]) > 0.0f;
        disc = glsl::cutDisc(rule.aperture, glm::vec2(x, y) + 0.5f, behind ? -r : r);
      }
      const int n = glsl::discIndex(disc.radius);
      inner.set(rule.steps, n, disc.ratio);
      outer.set(rule.steps, n + 1, disc.ratio);
      const Words words = wordsOf(x, part, disc.radius);
      const glm::ivec2 leaning = cuts ? glsl::leaningShift(disc, n) : glm::ivec2(0);
      const glm::ivec2 centre = centreOf(x, leaning);
      const float next = x + 1 < toX ? row[x + 1] : 0.0f;
      if (!cuts && partOf(next) > 0.0f && glsl::discIndex(-next) == n && image.inside(centre, 2, outer) &&
          centreOf(x + 1, {}) == centre + glm::ivec2(1, 0)) {
        const Words more = wordsOf(x + 1, partOf(next), -next);
        image.addInside(centre, inner, rule.steps, both(words.inner, more.inner));
        image.addInside(centre, outer, rule.steps, both(words.outer, more.outer));
        ++x;
      } else {
        image.addDisc(centre, inner, rule.steps, words.inner);
        image.addDisc(cuts ? centreOf(x, glsl::leaningShift(disc, n + 1)) : centre, outer, rule.steps,
                      words.outer);
      }
    }
  };
  for (const glm::ivec2 parity : {glm::ivec2(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
    const glm::ivec2 count = (tiles + 1 - parity) / 2;
    pool_.forEach(count.x * count.y, [&](int i) {
      const glm::ivec2 from = (2 * glm::ivec2(i % count.x, i / count.x) + parity) * tile;
      const glm::ivec2 to = glm::min(from + tile, size_);
      vectorised([&]() SATDOF_INLINE {
        Disc inner, outer;
        for (int y = from.y; y < to.y; ++y) scatterRow(y, from.x, to.x, inner, outer);
      });
    });
  }
}

}  // namespace satdof
