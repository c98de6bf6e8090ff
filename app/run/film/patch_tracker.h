#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/io/picture.h"

// Tracks a point of a film from frame to frame.
namespace satdof {

struct GreyImage {
  glm::ivec2 size{0};
  std::vector<float> values;  // bottom row first
};

// The square root of the mean luminance in blocks of equal size, so that the longer side has at most 512 blocks.
GreyImage greyOf(const Picture& picture);

// Tracks a patch of 25 x 25 values by normalised cross-correlation with the patch of the first frame and with that
// of the last frame where it was found; the larger correlation counts. Searches all places within 40 values of the
// last one; while the patch is lost, within 40 more for each lost frame, up to 120. Cost: (2 reach + 1)^2 x 25^2
// multiply-adds a frame and reference patch.
class PatchTracker {
 public:
  // `at` in all functions: 0 to 1 from the bottom left.
  PatchTracker(const GreyImage& first, glm::vec2 at);
  // Returns the place in the next frame, which has the same size. If the highest correlation is below 0.6, the
  // place stays and lost() is true.
  glm::vec2 follow(const GreyImage& next);
  bool lost() const { return framesLost_ > 0; }

 private:
  // The values of a patch minus their mean, divided by their Euclidean norm; empty: a patch without texture.
  using Patch = std::vector<float>;
  static Patch patchOf(const GreyImage& image, glm::ivec2 centre);
  // The larger normalised cross-correlation, -1 to 1, of the patch at `centre` with first_ and last_.
  float correlation(const GreyImage& image, glm::ivec2 centre) const;

  glm::ivec2 centre_;     // of the patch, which lies inside the image
  glm::vec2 fromCentre_;  // from the centre to the tracked point, in values
  Patch first_, last_;
  int framesLost_ = 0;
};

// Tracks a point through numbered files (app/run/film/frame_files.h) by PatchTracker.
class FrameTracker {
 public:
  // `at`: the place in frame `from`, and in all frames before it.
  FrameTracker(std::string files, glm::vec2 at, int from = 0)
      : files_(std::move(files)), from_(from), places_{{at, false}} {}
  struct Place {
    glm::vec2 at;
    bool lost;
  };
  // The place in a frame, from 0 on. It depends on the frames from `from` up to this one, which are read once. Throws
  // std::runtime_error if a frame cannot be read or has another size.
  Place at(int frame);

 private:
  std::string files_;
  int from_;
  std::vector<Place> places_;  // of the frames from from_ on
  std::optional<PatchTracker> tracker_;
  glm::ivec2 size_{0};
};

// A FrameTracker for each tracked point: points may be set in different frames.
class TrackerCache {
 public:
  explicit TrackerCache(std::string files) : files_(std::move(files)) {}
  // Moves the autofocus to its tracked point in a frame, from 0 on. `lens` must have a tracked point. Returns
  // whether the point is lost. Throws like FrameTracker::at().
  bool follow(LensSettings& lens, int frame);

 private:
  std::string files_;
  std::map<std::array<float, 3>, FrameTracker> trackers_;
};

}  // namespace satdof
