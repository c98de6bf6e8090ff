#include "app/run/film/patch_tracker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "app/core/pixels.h"
#include "app/core/text/foreign_text.h"
#include "app/core/tracking.h"
#include "app/run/film/frame_files.h"
#include "shaders/common/luminance.h"

namespace satdof {

namespace {

constexpr int kLongestGreySide = 512, kRadius = 12, kReach = 40;
constexpr float kMinCorrelation = 0.6f;
constexpr float kFlat = 1e-3f * kRadius;  // a patch of a smaller norm has no texture

}  // namespace

GreyImage greyOf(const Picture& picture) {
  const int longest = std::max(picture.size.x, picture.size.y), block = (longest - 1) / kLongestGreySide + 1;
  GreyImage grey{glm::max(picture.size / block, glm::ivec2(1)), {}};
  grey.values.reserve(static_cast<std::size_t>(grey.size.x * grey.size.y));
  const glm::ivec2 of = glm::min(glm::ivec2(block), picture.size);
  for (int y = 0; y < grey.size.y; ++y)
    for (int x = 0; x < grey.size.x; ++x) {
      float light = 0.0f;
      for (int row = y * block; row < y * block + of.y; ++row)
        for (int column = x * block; column < x * block + of.x; ++column)
          light += glsl::luminance(lightAt(picture, pixelIndex(picture.size, {column, row})));
      grey.values.push_back(std::sqrt(light / static_cast<float>(of.x * of.y)));
    }
  return grey;
}

PatchTracker::Patch PatchTracker::patchOf(const GreyImage& image, glm::ivec2 centre) {
  Patch patch;
  const glm::ivec2 from = glm::max(centre - kRadius, glm::ivec2(0)), to = glm::min(centre + kRadius + 1, image.size);
  for (int y = from.y; y < to.y; ++y) {
    const auto row = image.values.begin() + static_cast<std::ptrdiff_t>(y) * image.size.x;
    patch.insert(patch.end(), row + from.x, row + to.x);
  }
  const float mean = std::reduce(patch.begin(), patch.end()) / static_cast<float>(patch.size());
  for (float& value : patch) value -= mean;
  const float length = std::sqrt(std::inner_product(patch.begin(), patch.end(), patch.begin(), 0.0f));
  if (length < kFlat) return {};
  for (float& value : patch) value /= length;
  return patch;
}

float PatchTracker::correlation(const GreyImage& image, glm::ivec2 centre) const {
  const glm::ivec2 from = glm::max(centre - kRadius, glm::ivec2(0)), to = glm::min(centre + kRadius + 1, image.size);
  const auto width = static_cast<std::size_t>(to.x - from.x);
  if (width * static_cast<std::size_t>(to.y - from.y) != first_.size()) return 0.0f;
  using Sums = std::array<float, 2 * kRadius + 1>;  // one a column, so that the inner loop vectorises
  Sums values{}, squares{}, withFirst{}, withLast{};
  const float *first = first_.data(), *last = last_.data();
  for (int y = from.y; y < to.y; ++y, first += width, last += width) {
    const float* const row = &image.values[static_cast<std::size_t>(y * image.size.x + from.x)];
    for (std::size_t x = 0; x < width; ++x) {
      values[x] += row[x];
      squares[x] += row[x] * row[x];
      withFirst[x] += row[x] * first[x];
      withLast[x] += row[x] * last[x];
    }
  }
  const auto sum = [](const Sums& sums) { return std::reduce(sums.begin(), sums.end()); };
  const float mean = sum(values) / static_cast<float>(first_.size()),
              length = std::sqrt(std::max(sum(squares) - mean * sum(values), 0.0f));
  return length < kFlat ? 0.0f : std::max(sum(withFirst), sum(withLast)) / length;
}

PatchTracker::PatchTracker(const GreyImage& first, glm::vec2 at) {
  const glm::vec2 place = at * glm::vec2(first.size) - 0.5f;
  const glm::ivec2 most = glm::max(first.size - 1 - kRadius, glm::ivec2(0));
  centre_ = glm::clamp(glm::ivec2(glm::round(place)), glm::min(glm::ivec2(kRadius), most), most);
  fromCentre_ = place - glm::vec2(centre_);
  first_ = last_ = patchOf(first, centre_);
}

glm::vec2 PatchTracker::follow(const GreyImage& next) {
  const glm::ivec2 most = glm::max(next.size - 1 - kRadius, glm::ivec2(0)), least = glm::min(glm::ivec2(kRadius), most);
  const int reach = kReach * std::min(1 + framesLost_, 3);
  const glm::ivec2 from = glm::clamp(centre_ - reach, least, most), to = glm::clamp(centre_ + reach, least, most);
  float best = 0.0f;
  glm::ivec2 bestAt = centre_;
  for (int y = from.y; y <= to.y; ++y)
    for (int x = from.x; x <= to.x; ++x) {
      const float found = correlation(next, {x, y});
      if (found <= best) continue;
      best = found;
      bestAt = {x, y};
    }
  if (best < kMinCorrelation) {
    ++framesLost_;
  } else {
    framesLost_ = 0;
    centre_ = bestAt;
    last_ = patchOf(next, centre_);
  }
  const glm::vec2 place = glm::vec2(centre_) + fromCentre_ + 0.5f;
  return glm::clamp(place / glm::vec2(next.size), 0.0f, 1.0f);
}

FrameTracker::Place FrameTracker::at(int frame) {
  const auto known = [&] { return static_cast<int>(places_.size()); };
  frame = std::max(frame - from_, 0);
  if (frame < known()) return places_[static_cast<std::size_t>(frame)];
  const int first = findFrames("--image", files_).first + from_;
  const auto grey = [&](int number) {
    const std::string file = frameFile(files_, first + number);
    GreyImage image = greyOf(readPicture(file));
    if (number == 0) size_ = image.size;
    if (size_ != image.size)
      throw std::runtime_error("cannot track through " + excerpt(file) + ": it has another size than the first frame");
    return image;
  };
  if (!tracker_) tracker_.emplace(grey(0), places_[0].at);
  while (known() <= frame) {
    const glm::vec2 at = tracker_->follow(grey(known()));
    places_.push_back({at, tracker_->lost()});
  }
  return places_.back();
}

bool TrackerCache::follow(LensSettings& lens, int frame) {
  const glm::vec2 at(lens.trackedX, 1.0f - lens.trackedY);
  auto& tracker = trackers_.try_emplace(trackedPoint(lens), files_, at, *trackedFrame(lens)).first->second;
  const auto [place, lost] = tracker.at(frame);
  lens.autofocusX = place.x;
  lens.autofocusY = 1.0f - place.y;
  return lost;
}

}  // namespace satdof
