#include "app/device/cpu/cpu_scatter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/vector4.h"
#include "shaders/lens/scatter_rectangle.h"

namespace satdof {

namespace {

constexpr int kMinTilePx = 32;

// `ratio`: of the width of the disc to its height.
SATDOF_INLINE inline StaircaseDisc staircaseDisc(int steps, int n, float ratio) {
  StaircaseDisc disc{glsl::discArea(steps, n, ratio), glm::ivec2(0), {}};
  for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
    const glm::ivec2 half = glsl::stairHalf(steps, i, n, ratio);
    disc.halves[static_cast<std::size_t>(i)] = half;
    disc.reach = glm::max(disc.reach, half);
  }
  return disc;
}

// What a pixel adds to each pixel of its two discs.
struct Words {
  Uint4 inner, outer;
};

// The image of differences: four words a pixel, whose summed-area table is the scattered image.
class Differences {
 public:
  Differences(uint32_t* words, glm::ivec2 size) : words_(reinterpret_cast<glm::uvec4*>(words)), size_(size) {}

  // Whether the disc around the pixels p to p + (width - 1, 0) stays inside the image.
  SATDOF_INLINE bool inside(glm::ivec2 p, int width, const StaircaseDisc& disc) const {
    return p.x >= disc.reach.x && p.y >= disc.reach.y && p.x + disc.reach.x + width < size_.x &&
           p.y + disc.reach.y + 1 < size_.y;
  }

  // Adds v over the disc around pixel p. Vector = Uint8: also over the disc around its right neighbour. Both must be
  // inside the image.
  template <class Vector>
  SATDOF_INLINE void addInside(glm::ivec2 p, const StaircaseDisc& disc, int steps, Vector v) const {
    for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
      const glm::ivec2 half = disc.halves[static_cast<std::size_t>(i)];
      const Vector plus = glsl::stairSign(steps, i) > 0 ? v : -v;
      glm::uvec4* const below = at(p.x, p.y - half.y);
      glm::uvec4* const above = at(p.x, p.y + half.y + 1);
      addTo(below - half.x, plus);
      addTo(below + half.x + 1, -plus);
      addTo(above - half.x, -plus);
      addTo(above + half.x + 1, plus);
    }
  }

  // Adds v over the disc around pixel p, reflected at the borders of the image.
  SATDOF_INLINE void addDisc(glm::ivec2 p, const StaircaseDisc& disc, int steps, Uint4 v) const {
    if (inside(p, 1, disc)) return addInside(p, disc, steps, v);
    for (int i = 0; i < glsl::stairRectangles(steps); ++i) {
      const Uint4 plus = glsl::stairSign(steps, i) > 0 ? v : -v;
      glsl::addRectangle(*this, size_, p, disc.halves[static_cast<std::size_t>(i)],
                         {plus[0], plus[1], plus[2], plus[3]});
    }
  }

  // For shaders/lens/scatter_rectangle.glsl.
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

// One image to scatter.
struct ScatterSource {
  const glm::vec4* colour;
  const float* depth;
  const float* radii;  // signed
  glm::ivec2 size;
  const ScatterRule& rule;
  bool layer;                            // every pixel is scattered, with alpha as coverage
  std::span<const StaircaseDisc> discs;  // by n, of discs that no second stop cuts

  SATDOF_INLINE float partOf(float radius) const { return glsl::scatteredPart(radius, rule.band); }

  // The light that a pixel scatters, and its coverage: scatterWords() of shaders/lens/near_scatter.glsl without the
  // weight.
  SATDOF_INLINE Float4 lightOf(glm::ivec2 p) const {
    const glm::vec4& pixel = colour[pixelIndex(size, p)];
    const glm::vec3 light = glm::clamp(glm::vec3(pixel), 0.0f, glsl::scatterCeiling());
    return Float4{light.x, light.y, light.z, layer ? pixel.w : 1.0f};
  }

  // The words of a pixel that scatters `part` of its light over discs of this radius. Without the weights, the dither
  // alone rounds to 0.
  SATDOF_INLINE Words wordsOf(glm::ivec2 p, float part, float radius, const StaircaseDisc& inner,
                              const StaircaseDisc& outer) const {
    const auto weights = glsl::nearWeights(part, radius, inner.area, outer.area);
    const Float4 light = lightOf(p), dither = dithers(p.x, p.y);
    return {toWords(light * weights.inner + dither), toWords(light * weights.outer + dither)};
  }

  // The disc of pixel p, whose signed radius is r < 0.
  SATDOF_INLINE glsl::CutDisc discOf(glm::ivec2 p, float r) const {
    if (!cuts()) return {-r, rule.lens.anamorphicRatio, {}};
    const bool behind = glsl::unlimitedRadius(rule.lens, depth[pixelIndex(size, p)]) > 0.0f;
    return glsl::cutDisc(rule.aperture, glm::vec2(p) + 0.5f, behind ? -r : r);
  }
  // Whether a second stop cuts the discs: then each pixel has its own.
  SATDOF_INLINE bool cuts() const { return rule.aperture.catEye > 0.0f; }

  // Where the disc of pixel p is centred. `leaning`: see leaningShift().
  SATDOF_INLINE glm::ivec2 centreOf(glm::ivec2 p, glm::ivec2 leaning) const {
    const float* const here = &radii[pixelIndex(size, p)];
    glm::ivec2 moved = p + leaning;
    if (glsl::isShifted(*here)) {
      const float left = here[p.x > 0 ? -1 : 0], right = here[p.x + 1 < size.x ? 1 : 0];
      const float below = here[p.y > 0 ? -size.x : 0], above = here[p.y + 1 < size.y ? size.x : 0];
      moved += glm::ivec2(glsl::discShift(left, *here, right, rule.lens.anamorphicRatio),
                          glsl::discShift(below, *here, above, 1.0f));
    }
    return glm::clamp(moved, glm::ivec2(0), size - 1);
  }
};

// Scatters the pixels fromX to toX - 1 of row y. Two neighbours with the same discs beside each other are added at
// once.
SATDOF_INLINE inline void scatterRow(const ScatterSource& source, const Differences& differences, int y, int fromX,
                                     int toX) {
  const int steps = source.rule.steps;
  const bool cuts = source.cuts();
  const float* const row = &source.radii[pixelIndex(source.size, {0, y})];
  std::array<StaircaseDisc, 2> cut;
  for (int x = fromX; x < toX; ++x) {
    const glm::ivec2 p(x, y);
    const float r = row[x], part = source.partOf(r);
    if (part <= 0.0f) continue;
    const glsl::CutDisc disc = source.discOf(p, r);
    const int n = glsl::discIndex(disc.radius);
    if (cuts) cut = {staircaseDisc(steps, n, disc.ratio), staircaseDisc(steps, n + 1, disc.ratio)};
    const StaircaseDisc* const discs = cuts ? cut.data() : &source.discs[static_cast<std::size_t>(n)];
    const StaircaseDisc &inner = discs[0], &outer = discs[1];
    const Words words = source.wordsOf(p, part, disc.radius, inner, outer);
    const glm::ivec2 centre = source.centreOf(p, cuts ? glsl::leaningShift(disc, n) : glm::ivec2(0));
    const glm::ivec2 right(1, 0);
    const float next = x + 1 < toX ? row[x + 1] : 0.0f, nextPart = source.partOf(next);
    if (!cuts && nextPart > 0.0f && glsl::discIndex(-next) == n && differences.inside(centre, 2, outer) &&
        source.centreOf(p + right, {}) == centre + right) {
      const Words more = source.wordsOf(p + right, nextPart, -next, inner, outer);
      differences.addInside(centre, inner, steps, both(words.inner, more.inner));
      differences.addInside(centre, outer, steps, both(words.outer, more.outer));
      ++x;
    } else {
      differences.addDisc(centre, inner, steps, words.inner);
      differences.addDisc(cuts ? source.centreOf(p, glsl::leaningShift(disc, n + 1)) : centre, outer, steps,
                          words.outer);
    }
  }
}

// Sides of the tiles for discs of signed radii from leastRadius on: twice as far as a disc and its shift reach.
glm::ivec2 tileSize(const ScatterRule& rule, float leastRadius, glm::ivec2 size) {
  const int widest = glsl::discIndex(-leastRadius) + 1;
  const float shiftPx = glsl::kShiftPart * std::max(-leastRadius - glsl::kMinShiftedPx, 0.0f);
  const glm::ivec2 shift(static_cast<int>(shiftPx * rule.lens.anamorphicRatio + 1.0f),
                         static_cast<int>(shiftPx + 1.0f));
  const glm::ivec2 reach(glsl::stairHalfWidthX(rule.steps, 0, widest, rule.lens.anamorphicRatio) + 1 + shift.x,
                         glsl::stairHalfWidthY(rule.steps, rule.steps - 1, widest) + 1 + shift.y);
  return glm::max(glm::min(2 * reach, size), glm::min(glm::ivec2(kMinTilePx), size));
}

}  // namespace

void CpuScatter::resize(glm::ivec2 size) {
  size_ = size;
  reallocate(radii_, pixelCount(size));
  leastRadius_.resize(static_cast<std::size_t>(size.y));
}

float CpuScatter::prepare(const float* depth, const ThinLens& lens, bool layer, uint32_t* differences) {
  const auto width = static_cast<std::size_t>(size_.x);
  pool_.forEach(size_.y, [&](int y) {
    const auto row = static_cast<std::size_t>(y);
    std::fill_n(differences + 4 * width * row, 4 * width, 0u);
    const std::span radii = std::span(radii_).subspan(row * width, width);
    for (std::size_t x = 0; x < width; ++x) {
      const float r = glsl::signedRadius(lens, depth[row * width + x]);
      radii[x] = layer ? -std::abs(r) : r;
    }
    leastRadius_[row] = std::min(*std::ranges::min_element(radii), 0.0f);
  });
  return *std::ranges::min_element(leastRadius_);
}

void CpuScatter::run(const glm::vec4* colour, const float* depth, const ScatterRule& rule, uint32_t* differences,
                     bool layer) {
  const float least = prepare(depth, rule.lens, layer, differences);
  const auto scattersNone = [&](float leastRadius) { return -leastRadius <= rule.band.fromPx; };
  if (scattersNone(least)) return;
  discs_.clear();
  for (int n = 0; n < glsl::discIndex(-least) + 2; ++n)
    discs_.push_back(staircaseDisc(rule.steps, n, rule.lens.anamorphicRatio));
  const ScatterSource source{colour, depth, radii_.data(), size_, rule, layer, discs_};
  const glm::ivec2 tile = tileSize(rule, least, size_), tiles = (size_ + tile - 1) / tile;
  for (const glm::ivec2 parity : {glm::ivec2(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
    const glm::ivec2 count = (tiles + 1 - parity) / 2;
    pool_.forEach(count.x * count.y, [&](int i) {
      const glm::ivec2 from = (2 * glm::ivec2(i % count.x, i / count.x) + parity) * tile;
      const glm::ivec2 to = glm::min(from + tile, size_);
      vectorised([&]() SATDOF_INLINE {
        for (int y = from.y; y < to.y; ++y)
          if (!scattersNone(leastRadius_[static_cast<std::size_t>(y)]))
            scatterRow(source, {differences, size_}, y, from.x, to.x);
      });
    });
  }
}

}  // namespace satdof
