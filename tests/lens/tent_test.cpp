#include <array>
#include <cstdio>
#include <cstring>

#include "tests/device/tables.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/same_bits.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

constexpr float kNearM = 0.1f;

// A table builder with transposed tables.
class TransposingTableBuilder : public TableBuilder {
 public:
  void resize(glm::ivec2 size) override {
    plain_->resize(size);
    table_ = gl::Texture(GL_RGBA32UI, {size.y, size.x});
  }
  Table build(const TableSource& source, Timings& timings) override {
    Table view = plain_->build(source, timings);
    const auto elements = readTable(view);
    std::vector<uint32_t> turned(elements.size());
    const auto width = std::size_t(view.size.x), height = std::size_t(view.size.y);
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x)
        std::memcpy(&turned[4 * (x * height + y)], &elements[4 * (y * width + x)], 4 * sizeof(uint32_t));
    glTextureSubImage2D(table_.name(), 0, 0, 0, view.size.y, view.size.x, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                        turned.data());
    view.texture = &table_;
    view.transposed = true;
    return view;
  }

 private:
  std::unique_ptr<TableBuilder> plain_ = deviceOf(DeviceId::cpuSequential).makeTableBuilder({});
  gl::Texture table_;
};

// The tent lens by its definition, in double precision.
class BruteForce {
 public:
  BruteForce(const Image& image, double ceiling, int shrink, double anamorphicRatio)
      : image_(image),
        shrink_(shrink),
        anamorphicRatio_(anamorphicRatio),
        cells_((image.size + shrink - 1) / shrink),
        light_(std::size_t(cells_.x) * std::size_t(cells_.y)),
        count_(light_.size()) {
    for (int y = 0; y < image.size.y; ++y)
      for (int x = 0; x < image.size.x; ++x) {
        const std::size_t cell = std::size_t(y / shrink) * std::size_t(cells_.x) + std::size_t(x / shrink);
        const glm::dvec3 light(image.at(x, y));
        light_[cell] += light * std::min(ceiling / std::max({light.r, light.g, light.b}), 1.0);
        count_[cell] += 1;
      }
  }

  glm::dvec3 pixel(glm::ivec2 at, double radius) const {
    const glm::dvec3 sharp(image_.at(at.x, at.y));
    const double square = radius * radius - 1.0 / 256;
    if (square <= 0) return sharp;
    const double ofCells = shrink_ == 1 ? 0 : 4;
    const double m2 = 1 + 1.5 * std::max(square - ofCells, 0.0) / (shrink_ * shrink_);
    const int n = int(std::sqrt(m2));
    const double outer = (m2 - n * n) / (2 * n + 1);
    glm::dvec4 sum = tent(at, n) * (1 - outer);
    if (outer > 0) sum += tent(at, n + 1) * outer;
    const double blurred = square < ofCells ? square / ofCells : 1.0;
    return glm::mix(sharp, glm::dvec3(sum) / sum.w, blurred);
  }

 private:
  // A normalised tent around the middle of a pixel, linear between cells: light, and the part inside.
  glm::dvec4 tent(glm::ivec2 at, int n) const {
    if (n == 1 && shrink_ == 1) return {glm::dvec3(image_.at(at.x, at.y)), 1};
    const int rx = int(std::lround(std::sqrt(1 + (n * n - 1) * anamorphicRatio_ * anamorphicRatio_)));
    const auto weights = [&](int centre, int r, int cells) {
      std::vector<double> w(static_cast<std::size_t>(cells));
      const int cell = centre / shrink_, beside = cell + (centre % shrink_ == 0 ? -1 : 1);
      for (int i = 0; i < cells; ++i)
        w[std::size_t(i)] = (shrink_ == 1 ? 1.0 : 0.75) * std::max(r - std::abs(i - cell), 0) +
                            (shrink_ == 1 ? 0.0 : 0.25) * std::max(r - std::abs(i - beside), 0);
      return w;
    };
    const auto wx = weights(at.x, rx, cells_.x), wy = weights(at.y, n, cells_.y);
    glm::dvec4 sum(0);
    for (int y = std::max(at.y / shrink_ - n - 1, 0); y < std::min(at.y / shrink_ + n + 2, cells_.y); ++y)
      for (int x = std::max(at.x / shrink_ - rx - 1, 0); x < std::min(at.x / shrink_ + rx + 2, cells_.x); ++x) {
        const std::size_t cell = std::size_t(y) * std::size_t(cells_.x) + std::size_t(x);
        sum += wx[std::size_t(x)] * wy[std::size_t(y)] * glm::dvec4(light_[cell], count_[cell]);
      }
    return sum / std::pow(double(rx) * n * shrink_, 2);
  }

  const Image& image_;
  int shrink_;
  double anamorphicRatio_;
  glm::ivec2 cells_;
  std::vector<glm::dvec3> light_;
  std::vector<double> count_;
};

class Tent : public GlTest {
 protected:
  Uniform uniform{1986};
  glm::vec4 randomColour() {
    return {uniform(0, 1), uniform(0, 0.1f), uniform.bits() % 9 == 0 ? uniform(1, 100) : uniform(0, 2), 1.0f};
  }
  // A lens whose far radius is `largestPx`.
  static LensSettings lensOf(float largestPx, int height) {
    LensSettings lens;
    lens.focusDistanceM = 2.0f;
    lens.fNumber *= thinLens(lens, height, kNearM).beta / largestPx;
    return lens;
  }
  static float depthOf(float radius, const LensSettings& lens, int height) {
    const auto coc = thinLens(lens, height, kNearM);
    return (radius - coc.beta) / coc.alpha;
  }
};

struct Case {
  float largestPx, anamorphicRatio;
  int shrink;
  double levels;
};
// levels: floor((2^32 - 1) / (r_x r_y)^2) - 1, at most 2^22, r_y = floor(sqrt(1 + 3/2 R^2 / shrink^2)) + 1,
// r_x = ceil(sqrt(1 + (r_y^2 - 1) anamorphicRatio^2)). ceiling: levels / 2^9 between 4 and 64.
constexpr std::array kCases = {
    Case{3.0f, 1.0f, 1, 0x1p22},  Case{6.0f, 1.0f, 1, 1048574.0}, Case{24.0f, 1.0f, 1, 5301.0},
    Case{48.0f, 1.0f, 1, 353.0},  Case{90.0f, 1.0f, 2, 435.0},    Case{12.0f, 2.0f, 1, 21208.0},
    Case{41.0f, 0.5f, 1, 2441.0},
};

double weightOf(int n, double anamorphicRatio) {
  return std::pow(std::ceil(std::sqrt(1 + (n * n - 1.0) * anamorphicRatio * anamorphicRatio)) * n, 2);
}

TEST_F(Tent, EqualsBruteForceTentMeans) {
  for (const glm::ivec2 size :
       {glm::ivec2(1, 1), glm::ivec2(1, 7), glm::ivec2(7, 1), glm::ivec2(17, 65), glm::ivec2(97, 61)})
    for (const Case& c : kCases) {
      LensSettings lens = lensOf(c.largestPx, size.y);
      lens.anamorphicRatio = c.anamorphicRatio;
      const Image image(
          size, [&] { return randomColour(); },
          [&] {
            const float reach = uniform.bits() % 2 ? 2.0f : c.largestPx;
            return depthOf(uniform(-0.3f, 1.0f) * reach, lens, size.y);
          });
      const auto coc = thinLens(lens, size.y, kNearM);
      const double levels =
          std::min(std::floor((0x1p32 - 1) /
                              weightOf(int(std::sqrt(1 + 1.5 * c.largestPx * c.largestPx / (c.shrink * c.shrink))) + 1,
                                       double(c.anamorphicRatio))) -
                       1,
                   0x1p22);
      const double ceiling = std::clamp(levels / 512, 4.0, 64.0);
      const double step = ceiling / levels * (std::min(size.x, size.y) == 1 ? c.shrink * c.shrink : 1);
      ASSERT_EQ(levels, c.levels) << c.largestPx;
      const BruteForce expected(image, ceiling, c.shrink, double(c.anamorphicRatio));
      for (const auto stage : {gl::PixelStage::fragment, gl::PixelStage::compute})
        for (const bool transposed : {false, true}) {
          SCOPED_TRACE(testing::Message()
                       << size.x << "x" << size.y << " up to " << c.largestPx << " px times " << c.anamorphicRatio
                       << (transposed ? ", transposed" : "") << (stage == gl::PixelStage::compute ? ", compute" : ""));
          const auto tent = makeTentLens(
              [&]() -> std::unique_ptr<TableBuilder> {
                if (transposed) return std::make_unique<TransposingTableBuilder>();
                return deviceOf(DeviceId::cpuSequential).makeTableBuilder({});
              },
              stage);
          tent->resize(size);
          const auto got = blur(*tent, image.frame, lens);
          for (int y = 0; y < size.y; ++y)
            for (int x = 0; x < size.x; ++x) {
              const std::size_t i = std::size_t(y) * std::size_t(size.x) + std::size_t(x);
              const float radius = radiusPx(coc, image.depth[i]);
              const auto wanted = expected.pixel({x, y}, double(radius));
              if (std::abs(radius) < 0.0624f) {
                ASSERT_EQ(std::memcmp(&got[i], &image.colour[i], sizeof got[i]), 0) << x << " " << y;
              }
              // One level of dithering (more in cells that the image fills in part), the conversion to half,
              // and the radius rounded to 2^-20 of the largest radius.
              for (int channel = 0; channel < 3; ++channel)
                ASSERT_NEAR(got[i][channel], wanted[channel],
                            step + std::abs(wanted[channel]) * 0x1p-10 +
                                100 * 0x1p-18 * double(c.largestPx) / std::max(std::abs(double(radius)), 1.0))
                    << x << " " << y << " channel " << channel << " radius " << radius;
            }
        }
    }
}

TEST_F(Tent, ConstantImageStaysConstant) {
  for (const float largestPx : {20.0f, 90.0f, 400.0f})
    for (const float value : {0.02f, 0.3f, 1.0f, 3.9f}) {
      const glm::ivec2 size(33, 31);
      const LensSettings lens = lensOf(largestPx, size.y);
      const Image image(
          size, [&] { return glm::vec4(value); }, [&] { return depthOf(uniform(0, largestPx), lens, size.y); });
      const auto tent = makeTentLens({.device = DeviceId::cpuSequential});
      tent->resize(size);
      for (const auto& got : blur(*tent, image.frame, lens)) ASSERT_NEAR(got.r, value, 4.0f / 256 + value * 0x1p-10f);
    }
}

TEST_F(Tent, EveryDeviceGivesTheSameBits) {
  for (const float largestPx : {12.0f, 90.0f}) {
    const glm::ivec2 size(97, 61);
    const LensSettings lens = lensOf(largestPx, size.y);
    const Image image(
        size, [&] { return randomColour(); }, [&] { return depthOf(uniform(0, largestPx), lens, size.y); });
    std::vector<glm::vec4> first;
    for (const auto& entry : entries(DeviceId{})) {
      if (!availability(entry.value).available) continue;
      const auto tent = makeTentLens({.device = entry.value, .table = {.format = TableFormat::float32}});
      tent->resize(size);
      const auto got = blur(*tent, image.frame, lens);
      if (first.empty()) first = got;
      EXPECT_TRUE(sameBits(got, first)) << entry.name;
    }
  }
}

// The error of few levels after dithering, as displayed, for an image of shades and edges in [0, 1]. Kernels
// from `leastPx` to twice that; the table allows `largestPx`. docs/quality.md has the figures.
TEST_F(Tent, NoiseOfFewLevels) {
  struct Noise {
    float largestPx, leastPx;
    int shrink;
    double psnrDb;
  };
  const glm::ivec2 size(160, 96);
  const auto display = [](double v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055; };
  for (const auto& [largestPx, leastPx, shrink, psnrDb] :
       {Noise{24, 1, 1, 60}, Noise{24, 12, 1, 70}, Noise{48, 1, 1, 40}, Noise{48, 24, 1, 60}, Noise{96, 1, 2, 40},
        Noise{96, 48, 2, 60}}) {
    const LensSettings lens = lensOf(largestPx, size.y);
    int i = 0;
    const Image image(
        size,
        [&] {
          const float x = float(i % size.x) / float(size.x), y = float(i / size.x) / float(size.y);
          ++i;
          const float edge = std::sin(40 * x) * std::sin(23 * y) > 0 ? 1.0f : 0.3f;
          return glm::vec4(x * y * edge, 0.05f * x * edge, (1 - y) * (1 - y) * 0.5f * edge, 1.0f);
        },
        [&, leastPx = leastPx] { return depthOf(uniform(leastPx, 2 * leastPx), lens, size.y); });
    const auto coc = thinLens(lens, size.y, kNearM);
    const BruteForce expected(image, 64, shrink, 1);
    const auto tent = makeTentLens({.device = DeviceId::cpuSequential});
    tent->resize(size);
    const auto got = blur(*tent, image.frame, lens);
    double squares = 0;
    for (int p = 0; p < size.x * size.y; ++p) {
      const auto wanted = expected.pixel({p % size.x, p / size.x}, double(radiusPx(coc, image.depth[std::size_t(p)])));
      for (int c = 0; c < 3; ++c)
        squares += std::pow(display(double(got[std::size_t(p)][c])) - display(wanted[c]), 2) / 3;
    }
    const double found = -10 * std::log10(squares / (size.x * size.y));
    std::printf("largest %.0f px, kernels from %.0f to %.0f px: %.1f dB\n", double(largestPx), double(leastPx),
                2 * double(leastPx), found);
    EXPECT_GT(found, psnrDb) << largestPx << " " << leastPx;
  }
}

}  // namespace
}  // namespace satdof::test
