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

// The place of what a film shows at a place of its first frame.
namespace satdof {

struct GreyImage {
  glm::ivec2 size{0};
  std::vector<float> values;  // bottom row first
};

// The square root of the luminance, in means of squares: the longer side has at most 512 values.
GreyImage greyOf(const Picture& picture);

// Follows a patch of 25 x 25 values from frame to frame: the place within 40 values of the last one with the highest
// normalised cross-correlation with the patch of the first frame, or of the last frame that showed it. Where it was lost, the way grows
// with the frames, up to 120 values.
class PatchTracker {
 public:
  // `at` in all functions: 0 to 1 from the bottom left.
  PatchTracker(const GreyImage& first, glm::vec2 at);
  // Finds the patch in the next frame, of the same size. If the correlation is below 0.6, the place stays and lost() is
  // true; later frames look around that place.
  glm::vec2 follow(const GreyImage& next);
  bool lost() const { return framesLost_ > 0; }

 private:
  // The values of a patch, less their mean, of length 1; empty: all are equal.
  using Patch = std::vector<float>;
  static Patch patchOf(const GreyImage& image, glm::ivec2 centre);
  // The larger correlation of a patch with first_ and last_.
  float likeness(const GreyImage& image, glm::ivec2 centre) const;

  glm::ivec2 centre_;     // of the patch, which lies inside the image
  glm::vec2 fromCentre_;  // of the place, in values
  Patch first_, last_;
  int framesLost_ = 0;
};

// The same for numbered files (app/run/film/frame_files.h).
class FrameTracker {
 public:
  // `at`: in the frame `from` and before.
  FrameTracker(std::string files, glm::vec2 at, int from = 0)
      : files_(std::move(files)), from_(from), places_{{at, false}} {}
  struct Place {
    glm::vec2 at;
    bool lost;
  };
  // Of a frame, from 0 on: depends on the frames from `from` up to it alone, which are read once. Throws std::runtime_error if one cannot
  // be read or has another size.
  Place at(int frame);

 private:
  std::string files_;
  int from_;
  std::vector<Place> places_;  // from from_ on
  std::optional<PatchTracker> tracker_;
  glm::ivec2 size_{0};
};

// Whether the autofocus tracks a point, of a film of images.
bool tracks(const LensSettings& lens);
// Tracks what `frame`, from 0 on, shows at the place of the autofocus, unless a point is set.
void beginTracking(LensSettings& lens, int frame);
// Measures, or tracks, where `asked` does.
void usePlace(LensSettings& lens, const LensSettings& asked);
// The tracked point: the frame, from 1 on, and its place there, from the top left.
std::array<float, 3> trackedPoint(const LensSettings& lens);

// The places of tracked points, each followed from its own frame.
class FrameTrackers {
 public:
  explicit FrameTrackers(std::string files) : files_(std::move(files)) {}
  // Moves the autofocus to where its tracked point is in a frame, from 0 on. `lens` has such a point. Returns whether the frame does not
  // show it. Throws like FrameTracker::at().
  bool follow(LensSettings& lens, int frame);

 private:
  std::string files_;
  std::map<std::array<float, 3>, FrameTracker> trackers_;
};

}  // namespace satdof
