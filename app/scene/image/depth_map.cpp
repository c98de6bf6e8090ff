#include "app/scene/image/depth_map.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "app/core/pixels.h"
#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"
#include "app/scene/image/weighted_median.h"

namespace satdof {

namespace {

constexpr float kInvalid = std::numeric_limits<float>::quiet_NaN();

std::size_t at(glm::ivec2 size, int x, int y) { return pixelIndex(size, {x, y}); }

// Inverse distances.
struct InverseDepth {
  std::vector<float> values;  // in units of perM / m; NaN: invalid
  double perM = 1.0;
  std::string meaning;  // DepthMap::meaning
};

constexpr double kNearestM = 0.01;  // smaller distances are clamped
constexpr int kMax8Bit = 255;       // larger integers have 16 bits
constexpr float kSaturated = 65535.0f;

// Whether the value marks a pixel without depth: sensors and renderers write 0, or 65535 for lengths, in integer
// images.
bool isMissing(const DepthImage& image, DepthMeaning meaning, float v) {
  if (image.largest == 0.0f) return false;
  if (meaning == DepthMeaning::metres) return v == 0.0f || v == kSaturated;
  return meaning == DepthMeaning::disparity && v == 0.0f;
}

// Whether 0 marks pixels without depth if integers are relative depth, as of a stereo camera: no other numbers are
// below 5 % of the largest one, and most zeros lie in short runs of a row. Zeros of sky and of cut-outs lie in long
// ones.
bool zerosAreHoles(const DepthImage& image) {
  constexpr float kLeast = 0.05f;
  constexpr int kRunsOfWidth = 50, kShortest = 4;
  if (image.largest == 0.0f) return false;
  float least = kSaturated, most = 0.0f;
  for (const float v : image.values)
    if (v > 0.0f) least = std::min(least, v), most = std::max(most, v);
  if (least < kLeast * most) return false;
  const long longest = std::max(image.size.x / kRunsOfWidth, kShortest);
  long inShort = 0, inLong = 0, run = 0;
  const auto end = [&] {
    (run <= longest ? inShort : inLong) += run;
    run = 0;
  };
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    if (i % static_cast<std::size_t>(image.size.x) == 0 || image.values[i] != 0.0f) end();
    if (image.values[i] == 0.0f) ++run;
  }
  end();
  return inShort > inLong;
}

// The smallest and the largest finite value; infinity and -infinity if there is none.
std::pair<float, float> finiteRange(const std::vector<float>& values) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return {low, high};
}

// Focal length in pixels for disparities: of the file, else of the settings, else the width of the image.
float focalPx(const DepthImage& image, const ImageSettings& settings) {
  const float focal = image.baselineMm > 0.0f ? image.focalLengthPx : settings.focalLengthPx;
  return focal > 0.0f ? focal : static_cast<float>(image.size.x);
}

// The meaning that the settings state, else the file; may be automatic.
DepthMeaning statedMeaning(const DepthImage& image, const ImageSettings& settings) {
  return settings.meaning != DepthMeaning::automatic ? settings.meaning : image.meaning;
}

DepthFacts usedFacts(const DepthImage& image) { return image.facts ? *image.facts : factsOf(image); }

// Disparity values per pixel. 1; or 256 for 16-bit integers that are too large for pixels, as in KITTI; or 0 if the
// values cannot be disparities: they exceed the width of the image and its focal length. A file that states its camera
// has 1.
float disparityParts(const DepthImage& image, const ImageSettings& settings) {
  constexpr float kKitti = 256.0f;
  const float widest = std::max(focalPx(image, settings), static_cast<float>(image.size.x)),
              largest = usedFacts(image).high;
  if (largest <= widest || image.baselineMm > 0.0f) return 1.0f;
  return image.largest > kMax8Bit && largest <= kKitti * widest ? kKitti : 0.0f;
}

// Whether integers are lengths rather than relative depth, which spans its range. 16-bit integers are lengths if at
// most one of these is true: they have 65535; they have other numbers in the top 5 % of the range; they have numbers
// from 1 to 256.
bool areLengths(const DepthImage& image) {
  constexpr float kUsedRange = 0.95f, kNearest = 256.0f;
  if (image.largest <= kMax8Bit) return false;
  float most = 0.0f, least = kSaturated;
  for (const float v : image.values)
    if (!isMissing(image, DepthMeaning::metres, v)) most = std::max(most, v), least = std::min(least, v);
  const bool saturates = std::ranges::find(image.values, kSaturated) != image.values.end();
  const int ends = (saturates ? 1 : 0) + (most >= kUsedRange * kSaturated ? 1 : 0) + (least <= kNearest ? 1 : 0);
  return most > 0.0f && (image.largest < kSaturated || ends < 2);
}

// Whether floats span the range from 0 to 1, as relative depth does: photographs seldom show exactly the distances from
// 0 to 1 m.
bool areNormalised(float low, float high) {
  constexpr float kSlack = 0.02f;
  return low >= 0.0f && low < kSlack && high <= 1.0f && high > 1.0f - kSlack;
}

// Whether lengths are negative, along a z axis that points to the viewer: more values are negative than positive. Equal
// negative values mark missing pixels.
bool areNegative(const DepthImage& image) {
  long below = 0, above = 0;
  float low = 0.0f, high = -std::numeric_limits<float>::infinity();
  for (const float v : image.values) {
    if (!std::isfinite(v) || v == 0.0f) continue;
    (v < 0.0f ? below : above) += 1;
    if (v < 0.0f) low = std::min(low, v), high = std::max(high, v);
  }
  return below > above && low < high;
}

InverseDepth fromMetres(const DepthImage& image, const ImageSettings& settings) {
  const float scale = unitM(image, settings);
  InverseDepth found{image.values, 1.0, formatted("metres, times %g", static_cast<double>(scale))};
  if (scale == 1.0f) found.meaning = "metres";
  if (scale != settings.scale) found.meaning = "millimetres";
  const bool negative = usedFacts(image).negative;
  if (negative) found.meaning += " along -Z";
  for (float& v : found.values) {
    const float length = negative ? std::abs(v) : v;
    v = length > 0.0f ? 1.0f / (length * scale) : kInvalid;
  }
  return found;
}

InverseDepth fromInverseMetres(const DepthImage& image, double scale) {
  InverseDepth found{image.values, scale, formatted("inverse metres, times %g", scale)};
  if (scale == 1.0) found.meaning = "inverse metres";
  for (float& v : found.values)
    if (!(v >= 0.0f) || std::isinf(v)) v = kInvalid;
  return found;
}

InverseDepth fromDisparity(const DepthImage& image, const ImageSettings& settings) {
  const bool statesCamera = image.baselineMm > 0.0f;
  const float baselineMm = statesCamera ? image.baselineMm : settings.baselineMm;
  const float offset = statesCamera ? image.offsetPx : settings.offsetPx;
  const float focal = focalPx(image, settings), parts = disparityParts(image, settings);
  InverseDepth found{
      image.values, 1.0 / (baselineMm * 1e-3 * focal),
      formatted("disparity: baseline %g mm, focal length %g px, offset %g px", static_cast<double>(baselineMm),
                static_cast<double>(focal), static_cast<double>(offset))};
  if (parts != 1.0f) found.meaning += formatted(", in parts of 1/%g px", static_cast<double>(parts));
  for (float& v : found.values) v = std::isfinite(v) ? std::max(v / parts + offset, 0.0f) : kInvalid;
  return found;
}

InverseDepth fromRelative(const DepthImage& image, const ImageSettings& settings) {
  const DepthFacts facts = usedFacts(image);
  const auto [low, high] = image.largest == 0.0f ? std::pair(facts.low, facts.high) : std::pair(0.0f, image.largest);
  const float nearest = 1.0f / std::min(settings.nearM, settings.farM);
  const float farthest = 1.0f / std::max(settings.nearM, settings.farM);
  InverseDepth found{image.values, 1.0,
                     formatted("relative: %s numbers are near, %g to %g m", settings.inverted ? "small" : "large",
                               1.0 / static_cast<double>(nearest), 1.0 / static_cast<double>(farthest))};
  const float unit = high > low ? 1.0f / (high - low) : 0.0f;
  for (float& v : found.values) {
    if (!std::isfinite(v)) {
      v = kInvalid;
      continue;
    }
    const float t = (v - low) * unit;
    v = std::max(glm::mix(farthest, nearest, settings.inverted ? 1.0f - t : t), 0.0f);
  }
  return found;
}

InverseDepth inverseDepth(const DepthImage& image, const ImageSettings& settings) {
  switch (meaningOf(image, settings)) {
    case DepthMeaning::automatic:
    case DepthMeaning::metres:
      return fromMetres(image, settings);
    case DepthMeaning::inverseMetres:
      return fromInverseMetres(image, image.scale > 0.0 ? image.scale : static_cast<double>(settings.scale));
    case DepthMeaning::disparity:
      return fromDisparity(image, settings);
    case DepthMeaning::relative:
      return fromRelative(image, settings);
  }
  throw std::logic_error("a depth meaning without a conversion");
}

// Replaces each NaN by the smallest, which is the farthest, of the next valid values to its left, right, top and
// bottom. Two passes fill all pixels: after the first one, a column with a valid value is complete, so every row has a
// valid value. O(pixels). Throws std::runtime_error if no value is valid.
void fillInvalid(std::vector<float>& v, glm::ivec2 size) {
  constexpr int kTimes = 2;
  const auto invalid = [](float value) { return std::isnan(value); };
  if (std::ranges::all_of(v, invalid)) throw std::runtime_error("no pixel has a valid depth");
  for (int time = 0; time < kTimes && std::ranges::any_of(v, invalid); ++time) {
    const std::vector<float> known = v;
    std::vector<float> nextInColumn;
    float nextInRow = kInvalid;
    const auto visit = [&](int x, int y) {
      const std::size_t i = at(size, x, y);
      float& column = nextInColumn[static_cast<std::size_t>(x)];
      if (invalid(known[i]))
        v[i] = std::fmin(v[i], std::fmin(nextInRow, column));  // fmin ignores a NaN
      else
        nextInRow = column = known[i];
    };
    nextInColumn.assign(static_cast<std::size_t>(size.x), kInvalid);
    for (int y = 0; y < size.y; ++y, nextInRow = kInvalid)
      for (int x = 0; x < size.x; ++x) visit(x, y);
    nextInColumn.assign(static_cast<std::size_t>(size.x), kInvalid);
    for (int y = size.y; y-- > 0; nextInRow = kInvalid)
      for (int x = size.x; x-- > 0;) visit(x, y);
  }
}

// Debands 8-bit depth, whose steps on slopes would show as lines after blurring: replaces each depth by the mean of the
// depths within kReach pixels, along x and then along y, whose values in the file differ by at most 1.
void deband(std::vector<float>& depth, const std::vector<float>& numbers, glm::ivec2 size) {
  constexpr int kReach = 4;
  std::vector<float> sums(static_cast<std::size_t>(size.x)), weights(sums.size());
  for (const glm::ivec2 axis : {glm::ivec2(1, 0), glm::ivec2(0, 1)}) {
    const std::vector<float> before = depth;
    for (int y = 0; y < size.y; ++y) {
      std::ranges::fill(sums, 0.0f);
      std::ranges::fill(weights, 0.0f);
      const std::size_t row = at(size, 0, y);
      for (int k = -kReach; k <= kReach; ++k) {
        const glm::ivec2 away = k * axis;
        if (y + away.y < 0 || y + away.y >= size.y) continue;
        const std::ptrdiff_t offset = away.x + static_cast<std::ptrdiff_t>(away.y) * size.x;
        for (int x = std::max(-away.x, 0); x < std::min(size.x - away.x, size.x); ++x) {
          const std::size_t here = row + static_cast<std::size_t>(x), there = here + static_cast<std::size_t>(offset);
          const bool counts = std::abs(numbers[there] - numbers[here]) <= 1.0f && !std::isnan(before[there]);
          sums[static_cast<std::size_t>(x)] += counts ? before[there] : 0.0f;
          weights[static_cast<std::size_t>(x)] += counts ? 1.0f : 0.0f;
        }
      }
      for (std::size_t x = 0; x < sums.size(); ++x)
        if (!std::isnan(before[row + x])) depth[row + x] = sums[x] / weights[x];
    }
  }
}

// Replaces each value by the minimum or maximum within `radius` (`choose`: std::min or std::max). Computes windows of
// the largest fitting power of two by doubling, and combines up to four of them: O(values * log(radius)).
template <class Choose>
void slidingExtremum(std::vector<float>& line, int radius, Choose choose) {
  const int count = static_cast<int>(line.size()), last = count - 1;
  const auto value = [&](int i) -> float& { return line[static_cast<std::size_t>(i)]; };
  // The largest power of two that fits into every window. After the loop, value(i) is the extreme of [i, i + span).
  const auto span = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::min(radius, last) + 1)));
  for (int half = 1; half < span; half *= 2)
    for (int i = 0; i < count; ++i) value(i) = choose(value(i), value(std::min(i + half, last)));
  const std::vector<float> spans = line;
  for (int i = 0; i < count; ++i) {
    const int from = std::max(i - radius, 0), to = std::min(i + std::min(radius, last), last) - span + 1;
    float& found = value(i) = spans[static_cast<std::size_t>(to)];
    for (int next = from; next < to; next += span) found = choose(found, spans[static_cast<std::size_t>(next)]);
  }
}

// The minimum or maximum in a square window of `radius` around each pixel.
template <class Choose>
std::vector<float> windowExtremum(std::vector<float> v, glm::ivec2 size, int radius, ThreadPool& threads,
                                  Choose choose) {
  threads.forEach(size.y, [&](int y) {
    const auto row = v.begin() + static_cast<std::ptrdiff_t>(at(size, 0, y));
    std::vector<float> line(row, row + size.x);
    slidingExtremum(line, radius, choose);
    std::ranges::copy(line, row);
  });
  threads.forEach(size.x, [&](int x) {
    std::vector<float> line(static_cast<std::size_t>(size.y));
    for (int y = 0; y < size.y; ++y) line[static_cast<std::size_t>(y)] = v[at(size, x, y)];
    slidingExtremum(line, radius, choose);
    for (int y = 0; y < size.y; ++y) v[at(size, x, y)] = line[static_cast<std::size_t>(y)];
  });
  return v;
}

// A larger relative step between neighbours is not a slope.
constexpr float kSlopeStep = 0.05f;

// Whether a step from depth a to depth b is steeper than a slope.
bool isSteep(float a, float b) { return std::abs(b - a) > kSlopeStep * std::max(a, b); }

// Replaces depths between two surfaces, which resampling leaves at edges, by the nearer end of their ramp: steep steps
// in one direction along a row or a column, fewer than kLongest on either side. A floor at the horizon is a longer one.
std::vector<float> withoutRamps(const std::vector<float>& depth, glm::ivec2 size, ThreadPool& threads) {
  constexpr int kLongest = 8;
  std::vector<float> ends = depth;
  // The depth where the steps from `pixel` on end; none if they do not. `room`: pixels up to the border.
  const auto end = [&](std::size_t pixel, std::ptrdiff_t step, int room) -> std::optional<float> {
    const auto next = [&] { return depth[pixel + static_cast<std::size_t>(step)]; };
    const bool rises = next() > depth[pixel];
    for (int steps = 0; steps < std::min(room, kLongest); ++steps) {
      if (!isSteep(depth[pixel], next()) || (next() > depth[pixel]) != rises) return depth[pixel];
      pixel += static_cast<std::size_t>(step);
    }
    return std::nullopt;
  };
  const auto snap = [&](std::size_t pixel, std::ptrdiff_t step, int before, int after) {
    if (before == 0 || after == 0) return false;
    const float low = depth[pixel - static_cast<std::size_t>(step)], here = depth[pixel],
                high = depth[pixel + static_cast<std::size_t>(step)];
    if (!isSteep(low, here) || !isSteep(here, high) || (low < here) != (here < high)) return false;
    const auto first = end(pixel, -step, before), last = end(pixel, step, after);
    if (!first || !last) return false;
    ends[pixel] = std::abs(here - *first) < std::abs(*last - here) ? *first : *last;
    return true;
  };
  threads.forEach(size.y, [&](int y) {
    for (int x = 0; x < size.x; ++x)
      if (const std::size_t pixel = at(size, x, y); !snap(pixel, 1, x, size.x - 1 - x))
        snap(pixel, size.x, y, size.y - 1 - y);
  });
  return ends;
}

// Adds up count(sums, pixel) over the pixels before a step of depth along `axis`, at least `margin` pixels inside the
// map on both sides of the step.
template <class Sums, class Count>
Sums sumOverSteps(const DepthMap& map, glm::ivec2 axis, int margin, ThreadPool& threads, const Count& count) {
  std::mutex mutex;
  Sums all;
  const std::size_t next = at(map.size, axis.x, axis.y);
  const glm::ivec2 from = margin * axis, to = map.size - (margin + 1) * axis;
  threads.forEach(std::max(to.y - from.y, 0), [&](int row) {
    Sums own;
    for (int x = from.x; x < to.x; ++x)
      if (const std::size_t pixel = at(map.size, x, from.y + row); isSteep(map.depth[pixel], map.depth[pixel + next]))
        count(own, pixel);
    const std::scoped_lock lock(mutex);
    all.add(own);
  });
  return all;
}

// Whether depth edges lie exactly on edges of a picture of the same size, as in cut-outs and drawings: along rows and
// along columns, colours differ most across the very step of depth. Depth of stereo or a network is a pixel or more
// off. O(pixels).
bool edgesCoincide(const std::vector<glm::u8vec3>& guide, const DepthMap& map, ThreadPool& threads) {
  constexpr int kReach = 4;
  // Contrast at the step over that beside it, and over that kReach away. Measured: 1.4 to 2.6 and 2.9 to 7.0 for exact
  // depth, 0.6 to 1.2 and 1.5 to 4.6 a pixel off along rows.
  constexpr double kOverNext = 1.3, kOverFar = 2.4;
  constexpr std::int64_t kFewest = 100;  // steps that decide
  struct Contrast {
    std::array<std::int64_t, 2 * kReach + 1> sums{};  // of colour differences, by distance from the step
    std::int64_t steps = 0;
    void add(const Contrast& other) {
      steps += other.steps;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other.sums[i];
    }
  };
  const auto contrastAlong = [&](glm::ivec2 axis) {
    const std::size_t next = at(map.size, axis.x, axis.y);
    return sumOverSteps<Contrast>(map, axis, kReach, threads, [&](Contrast& own, std::size_t pixel) {
      ++own.steps;
      std::size_t there = pixel - kReach * next;
      for (std::int64_t& sum : own.sums) {
        const glm::ivec3 d = glm::abs(glm::ivec3(guide[there]) - glm::ivec3(guide[there + next]));
        sum += d.x + d.y + d.z;
        there += next;
      }
    });
  };
  const auto isExact = [](const Contrast& contrast) {
    const auto at = [&](int away) {
      return static_cast<double>(contrast.sums[static_cast<std::size_t>(kReach + away)]);
    };
    const double far = (at(-4) + at(-3) + at(3) + at(4)) / 4;
    return at(0) > kOverNext * std::max(at(-1), at(1)) && at(0) > kOverFar * far;
  };
  const Contrast axes[] = {contrastAlong({1, 0}), contrastAlong({0, 1})};
  const auto decides = [](const Contrast& axis) { return axis.steps >= kFewest; };
  return std::ranges::any_of(axes, decides) &&
         std::ranges::all_of(axes, [&](const Contrast& axis) { return !decides(axis) || isExact(axis); });
}

// Resamples a depth map to the size of a picture. Near depth edges: a median over a window of the depth map, weighted
// by the colour differences in the picture, which moves depth edges to edges of the picture (Ma et al. 2013).
// Elsewhere: bilinear.
class Aligner {
 public:
  static constexpr int kTaps = 4;            // on either side of the centre
  static constexpr float kEdgeStep = 0.02f;  // a larger relative step of depth is an edge

  // `guide`: colourRoots() of the picture.
  Aligner(glm::ivec2 picture, std::vector<glm::u8vec3> guide, const DepthMap& map, const ImageSettings& settings,
          ThreadPool& threads)
      : map_(map), size_(picture), scale_(glm::vec2(map.size) / glm::vec2(picture)), guide_(std::move(guide)) {
    const float pixel = std::max(1.0f / scale_.x, 1.0f / scale_.y);
    radius_ = std::max(static_cast<float>(settings.edgeRadiusPx), pixel > 1.0f ? 1.5f * pixel : 0.0f);
    if (settings.edgeRadiusPx == 0) return;
    const int reach = static_cast<int>(std::ceil(radius_ * std::max(scale_.x, scale_.y))) + 1;
    lowest_ = windowExtremum(map.depth, map.size, reach, threads, [](float a, float b) { return std::min(a, b); });
    highest_ = windowExtremum(map.depth, map.size, reach, threads, [](float a, float b) { return std::max(a, b); });
    if (map.size == size_) {
      surface_ = map.depth;
    } else {
      resampled_.resize(guide_.size());
      threads.forEach(size_.y, [&](int y) {
        for (int x = 0; x < size_.x; ++x) resampled_[at(size_, x, y)] = resampled((glm::vec2(x, y) + 0.5f) * scale_);
      });
      surface_ = resampled_;
    }
    const float step = std::max(radius_ / kTaps, 1.0f);
    reach_ = std::min(static_cast<int>(std::lround(radius_ / step)), kTaps);
    for (int i = -reach_; i <= reach_; ++i)
      away_[static_cast<std::size_t>(i + reach_)] = static_cast<int>(std::lround(static_cast<float>(i) * step));
    const float contrast = 255.0f * settings.edgeContrast;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = std::exp(-static_cast<float>(i * kSquareStep) / (2.0f * contrast * contrast)) + 1e-6f;
  }

  float depthAt(int x, int y) const {
    const glm::vec2 place = (glm::vec2(x, y) + 0.5f) * scale_;
    if (lowest_.empty()) return resampled(place);
    const std::size_t there = nearest(place);
    if (highest_[there] - lowest_[there] <= kEdgeStep * highest_[there]) return bilinear(place);
    return median(x, y);
  }

 private:
  static constexpr std::size_t kSquareStep = 16, kSide = 2 * kTaps + 1;

  std::size_t nearest(glm::vec2 place) const {
    const glm::ivec2 texel = glm::min(glm::ivec2(place), map_.size - 1);
    return at(map_.size, texel.x, texel.y);
  }
  // Bilinear, or nearest neighbour where the four depths differ by more than `step`, relative to the largest.
  float interpolated(glm::vec2 place, float step) const {
    const glm::vec2 from = glm::clamp(place - 0.5f, glm::vec2(0.0f), glm::vec2(map_.size - 1));
    const glm::ivec2 low(from), high = glm::min(low + 1, map_.size - 1);
    const glm::vec2 t = from - glm::vec2(low);
    const auto value = [&](int x, int y) { return map_.depth[at(map_.size, x, y)]; };
    const float a = value(low.x, low.y), b = value(high.x, low.y), c = value(low.x, high.y), d = value(high.x, high.y);
    const auto [least, most] = std::minmax({a, b, c, d});
    if (most - least > step * most) return map_.depth[nearest(place)];
    return glm::mix(glm::mix(a, b, t.x), glm::mix(c, d, t.x), t.y);
  }
  float bilinear(glm::vec2 place) const { return interpolated(place, 1.0f); }
  float resampled(glm::vec2 place) const { return interpolated(place, kSlopeStep); }

  // Weighted median of the depths around a pixel of the picture, by colour differences.
  float median(int x, int y) const {
    std::array<std::pair<float, float>, kSide * kSide> taps;  // depth, weight
    std::size_t count = 0;
    float total = 0.0f;
    const glm::ivec3 centre(guide_[at(size_, x, y)]);
    const std::span away(away_.data(), static_cast<std::size_t>(2 * reach_ + 1));
    for (const int down : away)
      for (const int right : away) {
        const glm::ivec2 p(x + right, y + down);
        if (p.x < 0 || p.y < 0 || p.x >= size_.x || p.y >= size_.y) continue;
        const std::size_t there = at(size_, p.x, p.y);
        const glm::ivec3 d = glm::ivec3(guide_[there]) - centre;
        const auto square = static_cast<std::size_t>(d.x * d.x + d.y * d.y + d.z * d.z);
        const float weight = weights_[std::min(square / kSquareStep, weights_.size() - 1)];
        taps[count++] = {surface_[there], weight};
        total += weight;
      }
    return weightedMedian(std::span(taps).first(count), total);
  }

  const DepthMap& map_;
  glm::ivec2 size_;
  glm::vec2 scale_;
  float radius_ = 0.0f;
  std::vector<float> lowest_, highest_;  // of the window around each depth; empty: edges do not move
  std::vector<glm::u8vec3> guide_;       // colours of the picture
  std::vector<float> resampled_;         // the depth map at the size of the picture; empty: it has this size
  std::span<const float> surface_;       // depth of each pixel of the picture
  int reach_ = 0;                        // taps on either side
  std::array<int, kSide> away_{};        // offsets of the taps in pixels
  // By squared colour difference / kSquareStep.
  std::array<float, std::size_t{3} * 255 * 255 / kSquareStep + 1> weights_{};
};

// Applies the levels of the settings. All depths must be valid.
void applyLevels(std::vector<float>& depth, const ImageSettings& settings) {
  constexpr float kMinRange = 1e-3f;
  const float far = settings.levelFar, range = std::max(settings.levelNear - far, kMinRange);
  if (settings == withoutLevels(settings)) return;
  const float nearest = std::ranges::max(depth);
  if (nearest <= 0.0f) return;
  for (float& v : depth) {
    const float part = v / nearest;
    const float level = std::clamp((part - far) / range, 0.0f, 1.0f);
    v = part < settings.skyBelow ? 0.0f : nearest * std::pow(level, 1.0f / settings.levelGamma);
  }
}

}  // namespace

bool readsAlike(const DepthImage& image, const ImageSettings& settings, const DepthFacts& own) {
  if (image.facts == own) return true;
  DepthImage ends{.size = image.size,
                  .values = {own.low, own.high},
                  .largest = image.largest,
                  .meaning = image.meaning,
                  .scale = image.scale,
                  .baselineMm = image.baselineMm,
                  .focalLengthPx = image.focalLengthPx,
                  .offsetPx = image.offsetPx,
                  .facts = image.facts};
  const InverseDepth used = inverseDepth(ends, settings);
  ends.facts = own;
  const InverseDepth alone = inverseDepth(ends, settings);
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return used.meaning == alone.meaning && std::ranges::equal(used.values, alone.values, same);
}

DepthFacts factsOf(const DepthImage& image) {
  const auto [low, high] = finiteRange(image.values);
  return {low, high, image.largest > 0.0f ? areLengths(image) : !areNormalised(low, high), areNegative(image),
          zerosAreHoles(image)};
}

DepthMeaning meaningOf(const DepthImage& image, const ImageSettings& settings) {
  const DepthMeaning stated = statedMeaning(image, settings);
  if (stated == DepthMeaning::disparity && disparityParts(image, settings) == 0.0f) return DepthMeaning::relative;
  if (stated != DepthMeaning::automatic) return stated;
  return usedFacts(image).lengths ? DepthMeaning::metres : DepthMeaning::relative;
}

float unitM(const DepthImage& image, const ImageSettings& settings) {
  constexpr float kMillimetre = 1e-3f;
  const bool assumed = statedMeaning(image, settings) == DepthMeaning::automatic;
  return assumed && image.largest > 0.0f && settings.scale == 1.0f ? kMillimetre : settings.scale;
}

DepthMap depthMap(const DepthImage& image, const ImageSettings& settings) {
  InverseDepth inverse = inverseDepth(image, settings);
  DepthMap map{image.size, std::move(inverse.values), 1.0f, inverse.meaning, 0};
  if (!image.origin.empty() && settings.meaning == DepthMeaning::automatic)
    map.meaning.append(", says ").append(image.origin);
  const DepthMeaning meaning = meaningOf(image, settings);
  const bool assumed = statedMeaning(image, settings) == DepthMeaning::automatic;
  const bool holes = assumed && meaning == DepthMeaning::relative && usedFacts(image).holes;
  for (std::size_t i = 0; i < map.depth.size(); ++i) {
    const float v = image.values[i];
    if ((holes && v == 0.0f) || isMissing(image, meaning, v) || std::isinf(map.depth[i])) map.depth[i] = kInvalid;
  }
  if (image.largest > 0.0f && image.largest <= kMax8Bit) deband(map.depth, image.values, map.size);
  map.filled = std::ranges::count_if(map.depth, [](float v) { return std::isnan(v); });
  if (statedMeaning(image, settings) == DepthMeaning::disparity && disparityParts(image, settings) != 1.0f)
    addNote(map.notes, formatted("its disparities, up to %g, are wider than its %d pixels: taken for ",
                                 static_cast<double>(usedFacts(image).high), image.size.x) +
                           map.meaning);
  if (assumed)
    addNote(map.notes, kGuessNote + map.meaning + ": assumed; --depth-means sets it" +
                           (meaning == DepthMeaning::relative && image.largest > kMax8Bit ? kMillimetresNote : ""));
  else if (meaning == DepthMeaning::metres && usedFacts(image).negative)
    addNote(map.notes, "its depth is negative: taken for " + map.meaning);
  if (map.filled > 0)
    addNote(map.notes, countText(static_cast<std::size_t>(map.filled), "pixel") +
                           " without valid depth, filled from around" +
                           (holes ? "; --depth-means relative takes 0 for the farthest" : ""));
  const auto nearest = static_cast<float>(1.0 / (kNearestM * inverse.perM));
  const auto nearer = std::ranges::count_if(map.depth, [&](float v) { return v > nearest; });
  if (nearer > 0) {
    addNote(map.notes, countText(static_cast<std::size_t>(nearer), "pixel") +
                           formatted(" nearer than %g m: taken for %g m away", kNearestM, kNearestM));
    for (float& v : map.depth) v = v > nearest ? nearest : v;
  }
  fillInvalid(map.depth, map.size);
  const float top = std::ranges::max(map.depth);
  const double factor = top > 1.0f ? 1.0 / static_cast<double>(top) : 1.0;
  map.nearM = static_cast<float>(std::clamp(factor / inverse.perM, 1e-30, 1e30));
  if (top > 1.0f)
    for (float& v : map.depth) v = std::min(static_cast<float>(v * factor), 1.0f);
  map.counts = depthCounts(map.depth);
  applyLevels(map.depth, settings);
  return map;
}

std::vector<glm::u8vec3> colourRoots(const Picture& picture, ThreadPool& threads) {
  std::vector<glm::u8vec3> guide(picture.rgba.size() / 4);
  const auto value = [](std::uint16_t bits) {
    const float v = std::clamp(glm::unpackHalf1x16(bits), 0.0f, 1.0f);
    return static_cast<std::uint8_t>(std::lround(255.0f * std::sqrt(v)));
  };
  std::vector<std::uint8_t> values(1 << 16);
  for (std::size_t bits = 0; bits <= 0x7c00; ++bits) values[bits] = value(static_cast<std::uint16_t>(bits));
  threads.forEach(picture.size.y, [&](int y) {
    for (int x = 0; x < picture.size.x; ++x) {
      const std::uint16_t* const pixel = &picture.rgba[4 * at(picture.size, x, y)];
      guide[at(picture.size, x, y)] = {values[pixel[0]], values[pixel[1]], values[pixel[2]]};
    }
  });
  return guide;
}

std::vector<std::uint32_t> depthCounts(const std::vector<float>& depth) {
  constexpr std::size_t kBins = 64;
  std::vector<std::uint32_t> counts(kBins);
  const float nearest = std::max(std::ranges::max(depth), 1e-30f);
  for (const float v : depth)
    ++counts[std::min(static_cast<std::size_t>(v / nearest * static_cast<float>(kBins)), kBins - 1)];
  return counts;
}

float medianCentreM(const DepthMap& map) {
  const glm::ivec2 half = glm::max(map.size / 20, glm::ivec2(1)), centre = map.size / 2;
  const glm::ivec2 from = glm::max(centre - half, glm::ivec2(0)), to = glm::min(centre + half, map.size);
  std::vector<float> depths;
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) depths.push_back(map.depth[at(map.size, x, y)]);
  const auto median = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2);
  std::nth_element(depths.begin(), median, depths.end());
  return distanceM(map.nearM, *median);
}

DepthMap alignedTo(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                   const std::function<void(float part)>& onProgress) {
  const bool sameSize = picture.size == map.size;
  if (sameSize && settings.edgeRadiusPx == 0) return map;
  if (settings.edgeRadiusPx > 0) map.depth = withoutRamps(map.depth, map.size, threads);
  std::vector<glm::u8vec3> guide =
      settings.edgeRadiusPx > 0 ? colourRoots(picture, threads) : std::vector<glm::u8vec3>();
  if (sameSize && edgesCoincide(guide, map, threads)) return map;
  const Aligner aligner(picture.size, std::move(guide), map, settings, threads);
  std::vector<float> aligned(picture.rgba.size() / 4);
  std::atomic<int> rows{0};
  threads.forEach(picture.size.y, [&](int y) {
    if (onProgress) onProgress(static_cast<float>(rows++) / static_cast<float>(picture.size.y));
    for (int x = 0; x < picture.size.x; ++x) aligned[at(picture.size, x, y)] = aligner.depthAt(x, y);
  });
  map.size = picture.size;
  map.depth = std::move(aligned);
  return map;
}

bool edgesAreUnmixed(const Picture& picture, const DepthMap& map, ThreadPool& threads) {
  constexpr int kFlat = 3;  // pixels without another step on either side
  constexpr double kAtStep = 0.9, kBeside = 0.05;
  constexpr std::int64_t kFewest = 100;  // steps that decide
  // The change of colour between the two sides, and its parts before, at and after the step.
  struct Change {
    double whole = 0;
    std::array<double, 3> parts{};
    std::int64_t steps = 0;
    void add(const Change& other) {
      steps += other.steps;
      whole += other.whole;
      for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += other.parts[i];
    }
  };
  const auto root = [&](std::size_t pixel) {
    glm::dvec3 colour;
    for (int c = 0; c < 3; ++c)
      colour[c] =
          std::sqrt(std::clamp(glm::unpackHalf1x16(picture.rgba[4 * pixel + static_cast<std::size_t>(c)]), 0.0f, 1.0f));
    return colour;
  };
  const auto isUnmixed = [&](glm::ivec2 axis, bool& decides) {
    const std::size_t next = at(map.size, axis.x, axis.y);
    const auto all = sumOverSteps<Change>(map, axis, kFlat, threads, [&](Change& own, std::size_t pixel) {
      const std::size_t after = pixel + next;
      for (std::size_t away = next; away <= kFlat * next; away += next)
        if (isSteep(map.depth[pixel - away], map.depth[pixel]) || isSteep(map.depth[after + away], map.depth[after]))
          return;
      const glm::dvec3 change =
          0.5 * (root(after + 2 * next) + root(after + 3 * next) - root(pixel - 2 * next) - root(pixel - 3 * next));
      ++own.steps;
      own.whole += glm::dot(change, change);
      std::size_t there = pixel - next;
      for (double& part : own.parts) {
        part += glm::dot(root(there + next) - root(there), change);
        there += next;
      }
    });
    const auto& [before, atStep, behind] = all.parts;
    const bool counts = all.steps >= kFewest;
    decides |= counts;
    return !counts || (atStep >= kAtStep * all.whole && std::max(before, behind) <= kBeside * all.whole);
  };
  bool decides = false;
  return isUnmixed({1, 0}, decides) && isUnmixed({0, 1}, decides) && decides;
}

ImageSettings withLevels(ImageSettings image, const ImageSettings& other) {
  image.levelFar = other.levelFar;
  image.levelNear = other.levelNear;
  image.levelGamma = other.levelGamma;
  image.skyBelow = other.skyBelow;
  return image;
}

ImageSettings withoutLevels(ImageSettings image) { return withLevels(std::move(image), {}); }

ImageSettings withReadDepth(ImageSettings image) {
  const auto [file, depth, made, first] = std::exchange(image.filmFrame, {});
  if (file == image.file) image.filmFrame.file = file;
  if (file != image.file || depth != image.depth) return image;
  if (image.smoothFrames == 0 || made.none()) {
    image.filmFrame.first = first;
    return image;
  }
  ImageSettings read = withLevels(withReading(image, {}), image);
  read.depth = made;
  return read;
}

}  // namespace satdof
