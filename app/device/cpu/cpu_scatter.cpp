#include "app/device/cpu/cpu_scatter.h"

#include <array>
#include <glm/gtc/packing.hpp>

#include "shaders/lens/scatter_rectangle.h"

namespace satdof {

namespace {

constexpr int kLeastBandRows = 8;
constexpr int kMostRectangles = 9;

// The rectangles of disc n. Kept from pixel to pixel, because neighbours mostly have the same disc.
struct Disc {
  int n = -1;
  int area = 0;
  glm::ivec2 reach{0};
  std::array<glm::ivec2, kMostRectangles> halves;

  void set(const ScatterRule& rule, int disc) {
    if (n == disc) return;
    n = disc;
    area = glsl::discArea(rule.steps, n, rule.lens.anamorphicRatio);
    reach = glm::ivec2(0);
    for (int i = 0; i < glsl::stairRectangles(rule.steps); ++i) {
      auto& half = halves[static_cast<size_t>(i)];
      half = {glsl::stairHalfWidthX(rule.steps, i, n, rule.lens.anamorphicRatio),
              glsl::stairHalfWidthY(rule.steps, i, n)};
      reach = glm::max(reach, half);
    }
  }
};

class Differences {
 public:
  Differences(uint32_t* words, glm::ivec2 size) : words_(reinterpret_cast<glm::uvec4*>(words)), size_(size) {}

  void addDisc(glm::ivec2 p, const Disc& disc, int steps, const glm::uvec4& v) const {
    const bool inside = p.x >= disc.reach.x && p.y >= disc.reach.y && p.x + disc.reach.x + 1 < size_.x &&
                        p.y + disc.reach.y + 1 < size_.y;
    for (int i = 0; i < 2 * steps - 1; ++i) {
      const glm::ivec2 half = disc.halves[static_cast<size_t>(i)];
      const glm::uvec4 plus = i < steps ? v : glsl::negated(v);
      if (inside) {
        glm::uvec4* const below = at(p.x, p.y - half.y);
        glm::uvec4* const above = at(p.x, p.y + half.y + 1);
        below[-half.x] += plus;
        below[half.x + 1] -= plus;
        above[-half.x] -= plus;
        above[half.x + 1] += plus;
      } else {
        glsl::addRectangle(*this, size_, p, half, plus);
      }
    }
  }

  void add(glm::ivec2 p, const glm::uvec4& v) const {
    if (p.x < size_.x && p.y < size_.y) *at(p.x, p.y) += v;
  }

 private:
  glm::uvec4* at(int x, int y) const { return words_ + static_cast<std::ptrdiff_t>(y) * size_.x + x; }

  glm::uvec4* words_;
  glm::ivec2 size_;
};

}  // namespace

void CpuScatter::resize(glm::ivec2 size) {
  size_ = size;
  leastRadius_.resize(static_cast<size_t>(size.y));
}

void CpuScatter::run(const uint16_t* colour, const float* depth, const ScatterRule& rule,
                     uint32_t* differences) {
  const auto width = static_cast<size_t>(size_.x);
  pool_.forEach(size_.y, [&](int y) {
    const auto row = static_cast<size_t>(y);
    std::fill_n(differences + 4 * width * row, 4 * width, 0u);
    float least = 0.0f;
    for (size_t x = 0; x < width; ++x)
      least = std::min(least, glsl::signedRadius(rule.lens, depth[row * width + x]));
    leastRadius_[row] = least;
  });
  const float least = *std::min_element(leastRadius_.begin(), leastRadius_.end());
  const int reach = glsl::stairHalfWidthY(rule.steps, rule.steps - 1, glsl::discIndex(-least) + 1) + 1;
  const int bandRows = std::clamp(2 * reach, kLeastBandRows, std::max(kLeastBandRows, size_.y));
  const int bands = (size_.y + bandRows - 1) / bandRows;

  const auto scatterRow = [&](int y, Disc& inner, Disc& outer) {
    if (glsl::nearPart(leastRadius_[static_cast<size_t>(y)]) <= 0.0f) return;
    const Differences image(differences, size_);
    for (int x = 0; x < size_.x; ++x) {
      const size_t pixel = static_cast<size_t>(y) * width + static_cast<size_t>(x);
      const float r = glsl::signedRadius(rule.lens, depth[pixel]);
      if (glsl::nearPart(r) <= 0.0f) continue;
      const int n = glsl::discIndex(-r);
      inner.set(rule, n);
      outer.set(rule, n + 1);
      const auto weights = glsl::nearWeights(r, inner.area, outer.area);
      const uint16_t* const halves = colour + 4 * pixel;
      const glm::vec3 light(glm::unpackHalf1x16(halves[0]), glm::unpackHalf1x16(halves[1]),
                            glm::unpackHalf1x16(halves[2]));
      for (const auto& [disc, weight] : {std::pair{&inner, weights.inner}, {&outer, weights.outer}})
        if (weight > 0.0f)
          image.addDisc({x, y}, *disc, rule.steps, glsl::scatterWords(light, weight, {x, y}));
    }
  };
  for (const int parity : {0, 1})
    pool_.forEach((bands + 1 - parity) / 2, [&](int pair) {
      const int first = (2 * pair + parity) * bandRows;
      Disc inner, outer;
      for (int y = first; y < std::min(first + bandRows, size_.y); ++y) scatterRow(y, inner, outer);
    });
}

}  // namespace satdof
