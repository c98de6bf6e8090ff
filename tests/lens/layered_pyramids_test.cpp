#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "app/lens/layered/cpu_discs.h"
#include "app/lens/layered/cpu_focus.h"
#include "app/lens/layered/cpu_pyramids.h"
#include "tests/support/uniform.h"

namespace satdof {

// For the bodies in shaders/lens/layered/.
glm::vec4 cellAt(const FillBehind& fill, glm::ivec2 cell, int level) { return fill.pyramid->at(cell, level).behind; }
glm::vec4 cellAt(const FillRadii& fill, glm::ivec2 cell, int level) { return fill.pyramid->at(cell, level).radii; }
glm::vec4 cellAt(const MeanLevels& means, glm::ivec2 cell, int level) {
  glm::vec4 mean;
  storeVector(&mean, means.pyramid->at(cell, level));
  return mean;
}
template <class Levels>
glm::ivec2 sizeOf(const Levels& levels, int level) {
  return levels.pyramid->size(level);
}

namespace {

// The vectorised bodies of functions in shaders/lens/layered/ give the bits of these functions.
class LayeredBodies : public testing::Test {
 protected:
  int below(int end) { return std::uniform_int_distribution(0, end - 1)(uniform.bits); }

  template <class T>
  static std::array<unsigned, sizeof(T) / 4> bits(const T& value) {
    std::array<unsigned, sizeof(T) / 4> words;
    std::memcpy(words.data(), &value, sizeof value);
    return words;
  }

  ThreadPool pool_{2};
  test::Uniform uniform{39};
};

constexpr glm::ivec2 kSizes[] = {{1, 1}, {7, 300}, {173, 97}, {513, 260}};

TEST_F(LayeredBodies, FillOfAHole) {
  for (const glm::ivec2 size : kSizes) {
    FillPyramid pyramid;
    pyramid.resize(size);
    std::vector<glsl::FillCell> cells;
    for (int i = 0; i < size.x * size.y; ++i)
      cells.push_back(glsl::cellOfPixel({uniform(0, 9), uniform(0, 1), uniform(0, 1)}, uniform(-30, 30),
                                        glm::vec4(uniform(0, 1), 0.5f, 0.2f, below(2)), uniform(-9, 30), 6.0f));
    pyramid.build(size, pool_, [&](std::size_t i) { return cells[i]; });
    for (int i = 0; i < 4000; ++i) {
      const glm::ivec2 p(below(size.x), below(size.y));
      const float r = uniform(-40, -0.1f);
      const int first = below(glsl::kFillLevels);
      const FillBehind behind{&pyramid};
      const FillRadii radii{&pyramid};
      const glsl::Filled got = filledBehind(behind, radii, p, r, first, glsl::kFillLevels),
                         expected =
                             glsl::filledBehind<FillBehind, FillRadii>(behind, radii, p, r, first, glsl::kFillLevels);
      ASSERT_EQ(bits(got), bits(expected)) << p.x << " " << p.y << ", radius " << r;
    }
  }
}

TEST_F(LayeredBodies, MeansOfALevel) {
  for (const glm::ivec2 size : kSizes) {
    MeanPyramid pyramid;
    pyramid.resize(size);
    std::vector<glm::vec3> values;
    for (int i = 0; i < size.x * size.y; ++i) values.emplace_back(uniform(0, 1), uniform(0, 50), uniform(0, 2500));
    pyramid.build(size, pool_, [&](std::size_t i) { return values[i]; });
    for (int i = 0; i < 4000; ++i) {
      const glm::vec2 at = glm::vec2(below(size.x), below(size.y)) + 0.5f;
      const int level = below(glsl::kFillLevels);
      const MeanLevels means{&pyramid};
      ASSERT_EQ(bits(ofLevel(means, at, level)), bits(glsl::ofLevel<MeanLevels>(means, at, level))) << level;
    }
  }
}

TEST_F(LayeredBodies, SumsOfADisc) {
  for (const glm::ivec2 size : kSizes)
    for (const int steps : {1, 3, 5})
      for (const float ratio : {1.0f, 1.7f}) {
        std::vector<glm::uvec4> table;
        for (int i = 0; i < size.x * size.y; ++i)
          table.emplace_back(uniform.bits(), uniform.bits(), uniform.bits(), uniform.bits());
        const auto cornerSum = [&](int x, int y) {
          return x == 0 || y == 0 ? glm::uvec4(0)
                                  : table[static_cast<std::size_t>(y - 1) * static_cast<std::size_t>(size.x) +
                                          static_cast<std::size_t>(x - 1)];
        };
        constexpr int kMax = 40;
        const Discs discs(size, steps, ratio, kMax);
        const SumTable<Uint4> sums(table.data(), size);
        for (int i = 0; i < 500; ++i) {
          const glm::ivec2 p(below(size.x), below(size.y));
          const int n = below(kMax + 1);
          glm::uvec4 expected(0);
          for (int k = 0; k < glsl::stairRectangles(steps); ++k) {
            const glm::ivec2 h(glsl::stairHalfWidthX(steps, k, n, ratio), glsl::stairHalfWidthY(steps, k, n));
            const glm::ivec2 low = glm::max(p - h, glm::ivec2(0)), high = glm::min(p + h + 1, size);
            const glm::uvec4 box = cornerSum(high.x, high.y) - cornerSum(low.x, high.y) - cornerSum(high.x, low.y) +
                                   cornerSum(low.x, low.y);
            expected += glsl::stairSign(steps, k) > 0 ? box : glm::uvec4(0) - box;
          }
          ASSERT_EQ(bits(discs.sum(sums, p, n)), bits(expected)) << n << " of " << steps << " steps";
        }
      }
}

TEST_F(LayeredBodies, FocusLayerOfATile) {
  constexpr int kTile = 16;
  for (const glm::ivec2 size : kSizes)
    for (const float ratio : {1.0f, 2.3f}) {
      const FocusDiscs discs = glsl::focusDiscs(3, ratio);
      std::vector<glm::vec4> colour;
      std::vector<float> radii;
      for (int i = 0; i < size.x * size.y; ++i) {
        colour.emplace_back(uniform(0, 9), uniform(0, 1), uniform(0, 1), 1.0f);
        radii.push_back(uniform(-1, 4));
      }
      const auto pixel = [&](glm::ivec2 q) {
        q = glm::clamp(q, glm::ivec2(0), size - 1);
        return static_cast<std::size_t>(q.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(q.x);
      };
      for (int from = 0; from < std::min(size.y, 64); from += kTile) {
        const FocusTile<kTile> tile(discs, colour, radii, size, {0, from});
        for (int y = 0; y < kTile; ++y) {
          std::array<glsl::FocusLayer, kTile> got;
          tile.gather(y, got);
          for (int x = 0; x < std::min(kTile, size.x); ++x) {
            glsl::FocusLayer expected{glm::vec4(0.0f), glm::vec2(0.0f)};
            for (int dy = -glsl::kFocusReach; dy <= glsl::kFocusReach; ++dy) {
              const glm::ivec4 row = discs.rows[std::abs(dy)];
              for (int dx = -row.z; dx <= row.z; ++dx) {
                const std::size_t at = pixel({x + dx, from + y + dy});
                const glsl::FocusSource source =
                    glsl::focusSource(glm::vec3(colour[at]), radii[at], glm::vec3(discs.areas));
                const int disc = std::abs(dx) <= row.x ? 0 : std::abs(dx) <= row.y ? 1 : 2;
                expected = glsl::withSource(expected, source.light, source.radius, source.weights[disc]);
              }
            }
            ASSERT_EQ(bits(got[static_cast<std::size_t>(x)]), bits(expected)) << x << " " << y;
          }
        }
      }
    }
}

}  // namespace
}  // namespace satdof
