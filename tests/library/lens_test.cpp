#include "satdof/lens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include "tests/support/reason.h"

namespace satdof::lens {

namespace {

constexpr int kWidth = 75, kHeight = 41;

template <class T>
struct Plane {
  explicit Plane(int of, T value = {})
      : channels(of), elements(static_cast<std::size_t>(kWidth * kHeight * of), value) {}
  cpu::Image<T> image() { return {elements.data(), kWidth, kHeight, channels, kWidth * channels}; }
  cpu::Image<const T> view() const { return {elements.data(), kWidth, kHeight, channels, kWidth * channels}; }
  int channels;
  std::vector<T> elements;
};

template <class T>
Plane<T> noise() {
  std::mt19937 random(3);
  Plane<T> plane(3);
  for (T& value : plane.elements)
    if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(random());
    else
      value = static_cast<T>(random() % 1000) * T{0.001};
  return plane;
}

// Near on the left, far on the right.
Plane<float> steps() {
  Plane<float> metres(1);
  for (int i = 0; i < kWidth * kHeight; ++i)
    metres.elements[static_cast<std::size_t>(i)] = i % kWidth < 30 ? 1.0f : 5.0f;
  return metres;
}

template <class T>
Plane<T> refocused(const Plane<T>& image, std::initializer_list<Option> options) {
  Plane<T> out(3);
  refocus<T, float>(image.view(), steps().view(), options, out.image());
  return out;
}

double contrast(const std::vector<float>& values, int from, int to) {
  double sum = 0.0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = from; x + 1 < to; ++x) {
      const auto i = static_cast<std::size_t>(3 * (y * kWidth + x));
      sum += std::abs(values[i + 3] - values[i]);
    }
  return sum / (to - from);
}

std::string failure(const Plane<float>& image, const Plane<float>& depth, std::initializer_list<Option> options) {
  Plane<float> out(3, 7.0f);
  const std::string reason = test::reasonOf<std::invalid_argument>(
      [&] { refocus<float, float>(image.view(), depth.view(), options, out.image()); });
  EXPECT_TRUE(std::ranges::all_of(out.elements, [](float v) { return v == 7.0f; }));
  return reason;
}

}  // namespace

TEST(LibraryLens, BlursOutOfFocusPixels) {
  const auto image = noise<float>();
  const double before[] = {contrast(image.elements, 2, 26), contrast(image.elements, 34, 73)};
  for (const bool near : {true, false}) {
    const auto out = refocused<float>(image, {{"focus", near ? 1.0 : 5.0}, {"f-number", 0.3}});
    const double left = contrast(out.elements, 2, 26) / before[0], right = contrast(out.elements, 34, 73) / before[1];
    EXPECT_GT(near ? left : right, 0.9);
    EXPECT_LT(near ? right : left, 0.5);
  }
}

// A near radius below half a pixel, which is wide for an image one pixel high.
TEST(LibraryLens, DrawsARowOfPixels) {
  std::vector<float> row(3 * 42, 0.5f), metres(42, 0.005f);
  const cpu::Image<float> image{row.data(), 42, 1, 3, 3 * 42};
  refocus<float, float>({row.data(), 42, 1, 3, 3 * 42}, {metres.data(), 42, 1, 1, 42},
                        {{"focus", 9.56}, {"f-number", 26.9}}, image);
  for (const float value : row) EXPECT_NEAR(value, 0.5f, 1e-3f);
}

TEST(LibraryLens, FocusesAtTheMiddle) {
  const auto image = noise<float>();
  EXPECT_EQ(refocused<float>(image, {{"f-number", 0.3}}).elements,
            refocused<float>(image, {{"lens.fNumber", 0.3}, {"lens.focusDistanceM", 5.0}}).elements);
}

TEST(LibraryLens, ThreadsChangeNoBit) {
  const auto image = noise<float>();
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    cpu::setThreads(threads);
    results.push_back(refocused<float>(image, {{"focus", 1.0}, {"f-number", 0.3}, {"axial-colour", 0.2}}).elements);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// Pixels in focus keep their values, highlights included.
template <class T>
void keepsIntegersInFocus() {
  const auto image = noise<T>();
  const auto out = refocused<T>(image, {{"focus", 5.0}, {"f-number", 100.0}});
  const int most = std::numeric_limits<T>::max() / 255;
  for (std::size_t i = 0; i < image.elements.size(); ++i) ASSERT_NEAR(image.elements[i], out.elements[i], most) << i;
}
TEST(LibraryLens, KeepsBytesInFocus) { keepsIntegersInFocus<std::uint8_t>(); }
TEST(LibraryLens, KeepsWordsInFocus) { keepsIntegersInFocus<std::uint16_t>(); }

TEST(LibraryLens, RefusesWithASentence) {
  const auto image = noise<float>();
  auto broken = image;
  broken.elements[17] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(failure(broken, steps(), {}), "the image has a value that is infinite or not a number");
  const Plane<float> nowhere(1, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(failure(image, nowhere, {}), "cannot use the depth: no pixel has a valid depth");
  EXPECT_EQ(failure(image, image, {}), "the depth has 3 channels instead of 1");
  EXPECT_EQ(failure(image, steps(), {{"focus", false}}), "focus must be a number");
  EXPECT_EQ(failure(image, steps(), {{"bokeh", 1.0}}), "bokeh must be true or false");
  EXPECT_EQ(failure(image, steps(), {{"depth", "x.png"}}).substr(0, 39), "no option of the lens is called \"depth\"");
}

TEST(LibraryLens, PreparesDepth) {
  const auto image = noise<float>();
  Plane<float> depth(1, 7.0f), broken = steps();
  broken.elements[2 * kWidth + 60] = std::numeric_limits<float>::quiet_NaN();
  const DepthRange range = prepareDepth<float, float>(image.view(), broken.view(), {}, depth.image());
  EXPECT_EQ(range.unitM, 1.0f);
  EXPECT_EQ(range.nearestM, 1.0f);
  EXPECT_NEAR(range.middleM, 5.0f, 1e-5f);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const float wanted = i % kWidth < 30 ? 1.0f : 0.2f;
    const bool edge = i % kWidth > 20 && i % kWidth < 40;
    EXPECT_NEAR(depth.elements[static_cast<std::size_t>(i)], wanted, edge ? 1.0f : 1e-6f) << i;
  }
  EXPECT_THROW((prepareDepth<float, float>(image.view(), image.view(), {}, depth.image())), std::invalid_argument);
}

TEST(LibraryLens, NamesItsOptions) {
  const auto names = optionNames();
  for (const char* name : {"focus", "f-number", "blades", "depth-means", "lens", "bokeh", "fov"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
  for (const char* name : {"size", "image", "depth", "layers", "autofocus", "overscan", "device"})
    EXPECT_EQ(std::ranges::count(names, name), 0) << name;
}

}  // namespace satdof::lens
