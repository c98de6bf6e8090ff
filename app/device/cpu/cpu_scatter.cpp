#include "app/device/cpu/cpu_scatter.h"

#include <array>
#include <glm/gtc/packing.hpp>

namespace satdof {

namespace {

constexpr int kLeastBandRows = 8;
constexpr int kMostRectangles = 9;

struct Words {
  uint32_t c[4];
};
Words operator+(Words a, const Words& b) {
  for (int i = 0; i < 4; ++i) a.c[i] += b.c[i];
  return a;
}
Words operator-(const Words& a) {
  Words negative;
  for (int i = 0; i < 4; ++i) negative.c[i] = 0u - a.c[i];
  return negative;
}

// Disc n, kept from one pixel to the next.
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
  Differences(uint32_t* words, glm::ivec2 size) : words_(reinterpret_cast<Words*>(words)), size_(size) {}

  void addDisc(glm::ivec2 p, const Disc& disc, int steps, const Words& v) const {
    const bool inside = p.x >= disc.reach.x && p.y >= disc.reach.y && p.x + disc.reach.x + 1 < size_.x &&
                        p.y + disc.reach.y + 1 < size_.y;
    for (int i = 0; i < 2 * steps - 1; ++i) {
      const glm::ivec2 half = disc.halves[static_cast<size_t>(i)];
      const Words plus = i < steps ? v : -v;
      if (inside) {
        const Words minus = -plus;
        Words* const below = at(p.x, p.y - half.y);
        Words* const above = at(p.x, p.y + half.y + 1);
        below[-half.x] = below[-half.x] + plus;
        below[half.x + 1] = below[half.x + 1] + minus;
        above[-half.x] = above[-half.x] + minus;
        above[half.x + 1] = above[half.x + 1] + plus;
      } else {
        addReflectedRectangle(glm::max(p - half, -size_), glm::min(p + half + 1, 2 * size_), plus);
      }
    }
  }

 private:
  Words* at(int x, int y) const { return words_ + static_cast<std::ptrdiff_t>(y) * size_.x + x; }

  void addReflectedRectangle(glm::ivec2 low, glm::ivec2 high, const Words& plus) const {
    addReflected(low, plus);
    addReflected({high.x, low.y}, -plus);
    addReflected({low.x, high.y}, -plus);
    addReflected(high, plus);
  }
  void addReflected(glm::ivec2 p, Words v) const {
    if (p.x < 0) {
      addReflectedY({0, p.y}, v + v);
      v = -v;
      p.x = -p.x;
    } else if (p.x > size_.x) {
      v = -v;
      p.x = 2 * size_.x - p.x;
    }
    addReflectedY(p, v);
  }
  void addReflectedY(glm::ivec2 p, Words v) const {
    if (p.y < 0) {
      add({p.x, 0}, v + v);
      v = -v;
      p.y = -p.y;
    } else if (p.y > size_.y) {
      v = -v;
      p.y = 2 * size_.y - p.y;
    }
    add(p, v);
  }
  void add(glm::ivec2 p, const Words& v) const {
    if (p.x < size_.x && p.y < size_.y) *at(p.x, p.y) = *at(p.x, p.y) + v;
  }

  Words* words_;
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
      for (const auto& [disc, weight] : {std::pair{&inner, weights.inner}, {&outer, weights.outer}}) {
        if (weight <= 0.0f) continue;
        Words v;
        for (unsigned c = 0; c < 4; ++c)
          v.c[c] = glsl::scatterWord(c == 3 ? 1.0f : glm::unpackHalf1x16(colour[4 * pixel + c]), weight,
                                     static_cast<uint32_t>(x), static_cast<uint32_t>(y), c);
        image.addDisc({x, y}, *disc, rule.steps, v);
      }
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
