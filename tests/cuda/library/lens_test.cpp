#include "satdof/lens_cuda.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/cuda/gpu_test.h"
#include "tests/support/reason.h"

// satdof::cuda::LensPlan beside lens::refocus().
namespace satdof::cuda {

namespace {

using lens::Option;
using test::reasonOf;
using Options = std::vector<Option>;

// Rows with gaps, from the bottom up in memory if `flipped`.
template <class T>
struct Plane {
  Plane(int width, int height, int channels, bool flipped = false)
      : stride(std::ptrdiff_t{width} * channels + 5),
        elements(static_cast<std::size_t>(stride * height), T{7}),
        view{elements.data() + (flipped ? (height - 1) * stride : 0), width, height, channels,
             flipped ? -stride : stride} {}
  cpu::Image<const T> in() const { return {view.data, view.width, view.height, view.channels, view.stride}; }
  cpu::Image<T> on(const PoisonedArray<T>& device) const {
    return {device.data() + (view.data - elements.data()), view.width, view.height, view.channels, view.stride};
  }
  cpu::Image<const T> inOn(const PoisonedArray<T>& device) const {
    const auto image = on(device);
    return {image.data, image.width, image.height, image.channels, image.stride};
  }

  std::ptrdiff_t stride;
  std::vector<T> elements;
  cpu::Image<T> view;
};

// Noise with lamps.
template <class T>
Plane<T> photograph(int width, int height, unsigned seed, bool flipped = false) {
  std::mt19937 random(seed);
  Plane<T> plane(width, height, 3, flipped);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool lamp = random() % 50 == 0;
      for (int c = 0; c < 3; ++c)
        if constexpr (std::is_integral_v<T>)
          plane.view.row(y)[3 * x + c] = lamp ? std::numeric_limits<T>::max() : static_cast<T>(random() / 2);
        else
          plane.view.row(y)[3 * x + c] = lamp ? 20.0f : static_cast<float>(random() % 1000) * 1e-3f;
    }
  return plane;
}

// Metres: a near surface on the left, a slope on the right, a hole.
Plane<float> metres(int width, int height) {
  Plane<float> plane(width, height, 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      plane.view.row(y)[x] = 3 * x < width ? 0.8f : 2.0f + 0.1f * static_cast<float>(x + y);
  plane.view.row(height / 2)[0] = std::numeric_limits<float>::quiet_NaN();
  plane.view.row(0)[width - 1] = 5.0f;
  return plane;
}

template <class T>
std::vector<T> drawn(LensPlan& plan, const Plane<T>& image, const Options& options, CUstream_st* stream) {
  const auto [width, height] = std::pair(image.view.width, image.view.height);
  Plane<float> depth(width, height, 1);
  const lens::DepthRange range =
      lens::prepareDepth<T, float>(image.in(), metres(width, height).in(), options, depth.view);
  plan.set(range, options);
  const PoisonedArray<T> from(image.elements);
  const PoisonedArray<T> to(Plane<T>(width, height, 3).elements);
  const PoisonedArray<float> depths(depth.elements);
  const Plane<T> out(width, height, 3);
  plan.run(image.inOn(from), depth.inOn(depths), out.on(to), stream);
  SATDOF_CUDA(cudaStreamSynchronize(stream));
  return to.read();
}

template <class T>
std::vector<T> drawn(const Plane<T>& image, const Options& options) {
  LensPlan plan(image.view.width, image.view.height);
  return drawn(plan, image, options, nullptr);
}

template <class T>
std::vector<T> expected(const Plane<T>& image, const Options& options) {
  Plane<T> out(image.view.width, image.view.height, 3);
  lens::refocus<T, float>(image.in(), metres(image.view.width, image.view.height).in(), options, out.view);
  return out.elements;
}

// Compares with a tolerance for half floats, which are rounded after each pass. A few values may differ by more:
// rounding decides whether a surface just hides a sprite. Gaps are equal.
template <class T>
void expectNear(const std::vector<T>& got, const std::vector<T>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  const double one = std::is_integral_v<T> ? static_cast<double>(std::numeric_limits<T>::max()) : 1.0,
               step = std::is_integral_v<T> ? 1.0 : 0.0;
  std::size_t far = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double a = got[i], b = wanted[i], difference = std::abs(a - b),
                 allowed = 0x1p-8 * std::max(b, 0.25 * one) + step;
    far += !(difference <= allowed);
    ASSERT_LE(difference, 16 * allowed) << i;
  }
  EXPECT_LE(far, got.size() / 250);
}

class LensPlanTest : public GpuTest<> {};

TEST_F(LensPlanTest, ImagesEqualTheProcessor) {
  for (const auto& [width, height] : {std::pair(1, 1), {5, 43}, {61, 37}})
    for (const char* lens : {"layered", "box"}) {
      SCOPED_TRACE(std::string(lens) + " " + std::to_string(width));
      const Options options{{"lens", std::string_view(lens)}, {"focus", 2.5}, {"f-number", 0.4}};
      const auto image = photograph<float>(width, height, 1, width == 61);
      expectNear(drawn(image, options), expected(image, options));
    }
}

TEST_F(LensPlanTest, TakesEveryType) {
  const Options options{{"f-number", 0.7}};
  const auto bytes = photograph<std::uint8_t>(45, 29, 2, true);
  expectNear(drawn(bytes, options), expected(bytes, options));
  const auto words = photograph<std::uint16_t>(45, 29, 3);
  expectNear(drawn(words, options), expected(words, options));
}

TEST_F(LensPlanTest, TakesEveryOption) {
  const Options kinds[] = {{{"bokeh", false}},
                           {{"cat-eye", 1.0}, {"vignetting", 0.7}, {"blades", 5.0}},
                           {{"axial-colour", 0.3}, {"lateral-colour", 2.0}},
                           {{"tilt-x", 4.0}, {"field-curvature", 0.5}, {"anamorphic-ratio", 1.5}},
                           {{"spherical", 0.5}, {"kernel-steps", 4.0}, {"highlight-threshold", 0.3}}};
  const auto image = photograph<float>(45, 29, 4);
  for (const char* lens : {"layered", "box"})
    for (const Options& kind : kinds) {
      SCOPED_TRACE(std::string(lens) + " " + std::string(kind[0].name));
      Options options{{"lens", std::string_view(lens)}, {"focus", 2.0}, {"f-number", 0.5}};
      options.insert(options.end(), kind.begin(), kind.end());
      expectNear(drawn(image, options), expected(image, options));
    }
}

// Pixels in focus have the same bits as satdof::cpu.
template <class T>
void keepsWhatIsInFocus() {
  const Options options{{"lens", std::string_view("box")}, {"f-number", 128.0}, {"bokeh", false}};
  auto image = photograph<T>(45, 29, 5);
  if constexpr (std::is_floating_point_v<T>) {
    std::mt19937 random(5);
    for (T& value : image.elements)
      value = std::ldexp(static_cast<T>(random() % 8192 + 1), static_cast<int>(random() % 40) - 36);
  }
  auto wanted = expected(image, options);
  EXPECT_TRUE(drawn(image, options) == wanted);
}
TEST_F(LensPlanTest, KeepsFloatsInFocus) { keepsWhatIsInFocus<float>(); }
TEST_F(LensPlanTest, KeepsBytesInFocus) { keepsWhatIsInFocus<std::uint8_t>(); }

TEST_F(LensPlanTest, APlanDrawsManyImagesOnManyStreams) {
  const auto image = photograph<float>(45, 29, 6), other = photograph<float>(45, 29, 7);
  const Options wide{{"focus", 0.8}, {"f-number", 0.3}, {"axial-colour", 0.2}},
      narrow{{"focus", 4.0}, {"f-number", 2.0}};
  const auto first = drawn(image, wide), second = drawn(other, narrow);
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) SATDOF_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  LensPlan plan(45, 29);
  for (const cudaStream_t stream : {streams[0], streams[1], streams[0]}) {
    EXPECT_TRUE(drawn(plan, image, wide, stream) == first);
    EXPECT_TRUE(drawn(plan, other, narrow, stream) == second);
  }
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

TEST_F(LensPlanTest, RunsInAGraph) {
  const Options options{{"focus", 2.0}, {"f-number", 0.5}, {"axial-colour", 0.2}};
  const auto image = photograph<float>(45, 29, 8), other = photograph<float>(45, 29, 9);
  Plane<float> depth(45, 29, 1);
  LensPlan plan(45, 29);
  const auto range = lens::prepareDepth<float, float>(image.in(), metres(45, 29).in(), options, depth.view);
  plan.set(range, options);
  const PoisonedArray<float> pixels(image.elements), depths(depth.elements), out(Plane<float>(45, 29, 3).elements);
  cudaStream_t stream = nullptr;
  SATDOF_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const auto run = [&] { plan.run(image.inOn(pixels), depth.inOn(depths), image.on(out), stream); };
  run();
  SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run();
  cudaGraph_t graph = nullptr;
  SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t replay = nullptr;
  SATDOF_CUDA(cudaGraphInstantiate(&replay, graph, 0));
  plan.set(range, Options{{"lens", std::string_view("box")}});  // the graph keeps its options
  SATDOF_CUDA(cudaStreamSynchronize(stream));
  SATDOF_CUDA(
      cudaMemcpy(pixels.data(), other.elements.data(), other.elements.size() * sizeof(float), cudaMemcpyHostToDevice));
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));
  SATDOF_CUDA(cudaGraphLaunch(replay, stream));
  SATDOF_CUDA(cudaStreamSynchronize(stream));
  LensPlan fresh(45, 29);
  fresh.set(range, options);
  const PoisonedArray<float> expected(Plane<float>(45, 29, 3).elements);
  fresh.run(image.inOn(pixels), depth.inOn(depths), image.on(expected), nullptr);
  EXPECT_TRUE(out.read() == expected.read());
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_F(LensPlanTest, TheOutputMayBeTheImage) {
  const Options options{{"focus", 2.0}, {"f-number", 0.5}};
  const auto image = photograph<float>(45, 29, 8);
  Plane<float> depth(45, 29, 1);
  LensPlan plan(45, 29);
  plan.set(lens::prepareDepth<float, float>(image.in(), metres(45, 29).in(), options, depth.view), options);
  const PoisonedArray<float> pixels(image.elements), depths(depth.elements);
  plan.run(image.inOn(pixels), depth.inOn(depths), image.on(pixels), nullptr);
  EXPECT_TRUE(pixels.read() == drawn(image, options));
}

TEST_F(LensPlanTest, WrongDepthsGiveTheDocumentedResults) {
  const Options options{{"focus", 2.0}, {"f-number", 0.5}};
  const auto image = photograph<float>(9, 5, 8);
  Plane<float> wrong(9, 5, 1), right(9, 5, 1);
  std::fill(right.elements.begin(), right.elements.end(), 0.5f);
  wrong.elements = right.elements;
  const float given[] = {-1.0f, std::numeric_limits<float>::quiet_NaN(), 7.0f}, meant[] = {0.0f, 0.0f, 1.0f};
  std::copy(std::begin(given), std::end(given), wrong.elements.begin());
  std::copy(std::begin(meant), std::end(meant), right.elements.begin());
  LensPlan plan(9, 5);
  plan.set({1.0f, 1.0f, 2.0f}, options);
  const PoisonedArray<float> pixels(image.elements), of(wrong.elements), as(right.elements);
  const PoisonedArray<float> one(image.elements), two(image.elements);
  plan.run(image.inOn(pixels), wrong.inOn(of), image.on(one), nullptr);
  plan.run(image.inOn(pixels), right.inOn(as), image.on(two), nullptr);
  EXPECT_TRUE(one.read() == two.read());
}

TEST_F(LensPlanTest, BadArgumentsThrowSentences) {
  const PoisonedArray<float> floats(6 * 4 * 3);
  const cpu::Image<float> image{floats.data(), 6, 4, 3, 18};
  const cpu::Image<const float> depth{floats.data(), 6, 4, 1, 6};
  LensPlan plan(6, 4);
  const auto runs = [&](const InputImage& in, const cpu::Image<const float>& of, const OutputImage& out) {
    return reasonOf<std::invalid_argument>([&] { plan.run(in, of, out, nullptr); });
  };
  EXPECT_EQ(runs(image, depth, image), "the plan has no options: call set()");
  EXPECT_EQ(runs({Input(floats.data()), 6, 4, 1, 6}, depth, image),
            "the image has 6 x 4 pixels of 1 channels instead of 6 x 4 of 3");
  EXPECT_EQ(runs(image, {floats.data(), 5, 4, 1, 5}, image),
            "the depth has 5 x 4 pixels of 1 channels instead of 6 x 4 of 1");
  EXPECT_EQ(runs({Input(floats.data(), Type::int8), 6, 4, 3, 18}, depth, image), "the image cannot be int8");
  EXPECT_EQ(runs({Input(floats.data(), Type::uint8), 6, 4, 3, 18}, depth, image),
            "the output is float32, but the image is uint8");
  const auto sets = [&](const lens::DepthRange& range, const Options& options) {
    return reasonOf<std::invalid_argument>([&] { plan.set(range, options); });
  };
  EXPECT_EQ(sets({0.0f, 1.0f, 1.0f}, {}), "the unit of the depth must be positive, not 0");
  EXPECT_EQ(sets({2.0f, 1.0f, 1.0f}, {}), "the nearest distance must be at least the unit of the depth, 2, not 1");
  EXPECT_EQ(sets({1.0f, 1.0f, 1.0f}, {{"focus", false}}), "focus must be a number");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { LensPlan(0, 4); }), "the image is empty: 0 x 4 pixels of 3 channels");
  EXPECT_EQ(reasonOf<std::invalid_argument>([] { LensPlan(20000, 4); }),
            "the image has 20000 x 4 pixels: at most 16384 a side and 2^28 in all");
}

}  // namespace

}  // namespace satdof::cuda
