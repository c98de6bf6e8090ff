#include "cuda/lens/passes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"

namespace satdof::cuda {

namespace {

struct Size {
  int width, height;
  std::size_t pixels() const { return std::size_t{1} * width * height; }
};
constexpr Size kSizes[] = {{1, 1}, {1, 33}, {33, 1}, {3, 5}, {17, 65}, {641, 479}, {1920, 1080}};

constexpr float kScale = 256.0f, kCeiling = 4.0f;
constexpr double kHalfRounding = 0x1p-11;

// Depths for radii from -40 to 40 pixels by the thin lens; every seventh pixel is in focus.
constexpr float kAlpha = -80.0f, kBeta = 40.0f;
std::vector<float> randomDepths(std::size_t pixels) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> value(0.0f, 1.0f);
  std::vector<float> depths(pixels);
  for (std::size_t i = 0; i < pixels; ++i) depths[i] = i % 7 == 0 ? 0.5f : value(random);
  return depths;
}

double clampTo(double value, double low, double high) { return std::min(std::max(value, low), high); }

double radiusOf(const RadiusRule& rule, float depth) {
  if (rule.linear == 0) return double{rule.lens.alpha} * depth + rule.lens.beta;
  const double distanceM = rule.nearM / std::max(double{depth}, 1e-30);
  return clampTo((distanceM - rule.focusM) / rule.rangeM, -1, 1) * rule.fullRadiusPx;
}
double halfWidthOf(double radiusPx) { return 0.886226925 * std::max(std::abs(radiusPx), 1.0); }

// Sums over boxes in double precision: exact for integers.
class Sums {
 public:
  Sums(Size size, const std::vector<double>& values) : size_(size), table_((values.size() / 4 + rim()) * 4) {
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (std::size_t c = 0; c < 4; ++c)
          at(x + 1, y + 1, c) =
              values[(std::size_t{1} * y * size.width + x) * 4 + c] + at(x, y + 1, c) + at(x + 1, y, c) - at(x, y, c);
  }
  double box(int x0, int y0, int x1, int y1, std::size_t c) const {
    return table(x1, y1, c) - table(x0, y1, c) - table(x1, y0, c) + table(x0, y0, c);
  }
  // Sum over [0, x) x [0, y).
  double table(int x, int y, std::size_t c) const { return table_[index(x, y, c)]; }
  double area(int x0, int y0, int x1, int y1) const { return double{1} * (x1 - x0) * (y1 - y0); }

  // The mean over the fractional box of shaders/lens/box_mean.glsl, and the box's area.
  struct Mean {
    double value, area;
  };
  Mean mean(int x, int y, double halfWidth, std::size_t c, double anamorphicRatio = 1) const {
    const double h = std::min<double>(halfWidth, 4 * (size_.width + size_.height));
    const int n = static_cast<int>(h - 0.5);
    const double inner = 2 * n + 1, outerWeight = clampTo((4 * h * h - inner * inner) / (8.0 * (n + 1)), 0, 1);
    double sum = 0, covered = 0;
    for (const auto& [reach, weight] : {std::pair{n, 1 - outerWeight}, {n + 1, outerWeight}}) {
      const int reachX = static_cast<int>((reach + 0.5) * anamorphicRatio);
      const int x0 = std::max(x - reachX, 0), x1 = std::min(x + reachX + 1, size_.width);
      const int y0 = std::max(y - reach, 0), y1 = std::min(y + reach + 1, size_.height);
      sum += weight * box(x0, y0, x1, y1, c);
      covered += weight * area(x0, y0, x1, y1);
    }
    return {sum / covered, covered};
  }

 private:
  std::size_t rim() const { return static_cast<std::size_t>(size_.width + size_.height + 1); }
  std::size_t index(int x, int y, std::size_t c) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width + 1) + static_cast<std::size_t>(x)) * 4 +
           c;
  }
  double& at(int x, int y, std::size_t c) { return table_[index(x, y, c)]; }

  Size size_;
  std::vector<double> table_;
};

std::vector<double> valuesOf(const std::vector<Half4>& image) {
  std::vector<double> values;
  for (const Half4& pixel : image)
    for (const __half& c : pixel.c) values.push_back(__half2float(c));
  return values;
}
std::vector<double> quantised(std::vector<double> values) {
  for (double& value : values) value = std::nearbyint(clampTo(value, 0, kCeiling) * kScale);
  return values;
}

class GatherTest : public GpuTest<testing::TestWithParam<Size>> {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    colours_ = randomHalves(size().pixels(), 21);
    depths_ = randomDepths(size().pixels());
  }
  Size size() const { return GetParam(); }

  // The image of a pass that reads colour, depth and `table`; a separable convolution writes means, too.
  std::vector<double> blur(const PassRule& rule, const void* table = nullptr, bool transposed = false) const {
    ArrayOf<Half4> colour(size().width, size().height);
    ArrayOf<Half4> blurred(size().width, size().height);
    ArrayOf<float> depth(size().width, size().height);
    colour.write(colours_);
    depth.write(depths_);
    blurred.poison();
    const PoisonedArray<float4> means(size().pixels());
    const auto passes = makePasses();
    passes->begin({"lens"}, nullptr);
    passes->run(rule,
                {.size = {size().width, size().height},
                 .transposed = transposed,
                 .reads = {{colour.get()}, {depth.get()}, {nullptr, const_cast<void*>(table)}},
                 .writes = {{blurred.get()}, {nullptr, means.data()}}},
                nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
    EXPECT_EQ(passes->stageTimes().size(), 1u);
    return valuesOf(blurred.read());
  }

  // Compares with sharp + (mean - sharp) * blurWeight(radius); mean(x, y, halfWidth, c) has a value and a
  // tolerance.
  template <class Mean>
  void expectBlurred(const std::vector<double>& blurred, const RadiusRule& rule, const Mean& mean) const {
    const std::vector<double> sharp = valuesOf(colours_);
    std::size_t wrong = 0;
    for (int y = 0; y < size().height; ++y)
      for (int x = 0; x < size().width; ++x)
        for (std::size_t c = 0; c < 4; ++c) {
          const std::size_t pixel = std::size_t{1} * y * size().width + x, i = 4 * pixel + c;
          const double radius = radiusOf(rule, depths_[pixel]);
          const double weight = clampTo((std::abs(radius) - 0.0625) / 0.9375, 0, 1);
          const auto [value, tolerance] = mean(x, y, halfWidthOf(radius), c);
          const double expected = sharp[i] + (value - sharp[i]) * weight;
          const double allowed = weight > 0 ? tolerance + kHalfRounding * std::abs(expected) + 1e-4 : 0;
          if (std::abs(blurred[i] - expected) <= allowed) continue;
          if (++wrong < 4)
            ADD_FAILURE() << "(" << x << ", " << y << "), channel " << c << ", radius " << radius << ": " << blurred[i]
                          << ", expected " << expected << " within " << allowed;
        }
    EXPECT_EQ(wrong, 0u);
  }

  std::vector<Half4> colours_;
  std::vector<float> depths_;
};

struct Tolerance {
  double value, tolerance;
};

TEST_P(GatherTest, AgreesWithBoxesOfIntegers) {
  const Sums sums(size(), quantised(valuesOf(colours_)));
  RadiusRule linear;
  linear.linear = 1;
  linear.focusM = 0.2f;
  linear.rangeM = 0.3f;
  linear.fullRadiusPx = 12.0f;
  RadiusRule wide{.lens = {kAlpha, kBeta}}, narrow = wide;
  wide.lens.anamorphicRatio = 1.5f;
  narrow.lens.anamorphicRatio = 0.25f;
  for (const RadiusRule& rule : {RadiusRule{.lens = {kAlpha, kBeta}}, wide, narrow, linear})
    for (const bool transposed : {false, true}) {
      std::vector<uint4> texels(size().pixels());
      for (int y = 0; y < size().height; ++y)
        for (int x = 0; x < size().width; ++x) {
          uint4& texel =
              texels[transposed ? std::size_t{1} * x * size().height + y : std::size_t{1} * y * size().width + x];
          std::size_t c = 0;
          for (unsigned* sum : {&texel.x, &texel.y, &texel.z, &texel.w})
            *sum = static_cast<unsigned>(static_cast<uint64_t>(sums.table(x + 1, y + 1, c++)));
        }
      const PoisonedArray<uint4> table(texels);
      expectBlurred(blur(BoxRule{.radius = rule, .unit = 1 / kScale}, table.data(), transposed), rule,
                    [&](int x, int y, double halfWidth, std::size_t c) {
                      return Tolerance{sums.mean(x, y, halfWidth, c, rule.lens.anamorphicRatio).value / kScale, 0};
                    });
    }
}

// Sums of a float table are rounded to 2^-24 of themselves. Each of the two boxes takes four sums.
TEST_P(GatherTest, AgreesWithBoxesOfFloats) {
  std::vector<double> values = valuesOf(colours_);
  const float offset[4] = {1.875f, 1.875f, 1.5f, 1.0f};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= offset[i % 4];
  const Sums sums(size(), values);
  std::vector<float4> texels(size().pixels());
  double largest = 0;
  for (int y = 0; y < size().height; ++y)
    for (int x = 0; x < size().width; ++x) {
      float4& texel = texels[std::size_t{1} * y * size().width + x];
      std::size_t c = 0;
      for (float* sum : {&texel.x, &texel.y, &texel.z, &texel.w}) {
        *sum = static_cast<float>(sums.table(x + 1, y + 1, c++));
        largest = std::max(largest, std::abs(double{*sum}));
      }
    }
  const PoisonedArray<float4> table(texels);
  const glm::vec4 mean(offset[0], offset[1], offset[2], offset[3]);
  const RadiusRule rule{.lens = {kAlpha, kBeta}};
  expectBlurred(blur(BoxRule{.radius = rule, .offset = mean, .floats = 1}, table.data()), rule,
                [&](int x, int y, double halfWidth, std::size_t c) {
                  const auto [value, area] = sums.mean(x, y, halfWidth, c);
                  return Tolerance{value + offset[c], 8 * 0x1p-24 * largest / area};
                });
}

TEST_P(GatherTest, ConvolvesDirectly) {
  const Sums sums(size(), valuesOf(colours_));
  RadiusRule rule{.lens = {kAlpha / 4, kBeta / 4}};
  for (const float anamorphicRatio : {1.0f, 1.5f, 0.25f}) {
    rule.lens.anamorphicRatio = anamorphicRatio;
    expectBlurred(blur(ConvolutionRule{rule, Convolution::direct}), rule,
                  [&](int x, int y, double halfWidth, std::size_t c) {
                    return Tolerance{sums.mean(x, y, halfWidth, c, rule.lens.anamorphicRatio).value, 0};
                  });
  }
}

// At half-widths n + 1/2 the box has no fractional edge, so both convolutions are equal.
TEST_P(GatherTest, ConvolvesAlongRowsAndColumns) {
  const Sums sums(size(), valuesOf(colours_));
  for (const double halfWidth : {1.5, 7.5, 40.5}) {
    const RadiusRule rule{.lens = {0.0f, static_cast<float>(halfWidth / 0.886226925)}};
    expectBlurred(blur(ConvolutionRule{rule, Convolution::separable}), rule, [&](int x, int y, double, std::size_t c) {
      return Tolerance{sums.mean(x, y, halfWidth, c).value, 0};
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GatherTest, testing::ValuesIn(affordable(kSizes)), [](const auto& test) {
  return std::to_string(test.param.width) + "x" + std::to_string(test.param.height);
});

}  // namespace

}  // namespace satdof::cuda
