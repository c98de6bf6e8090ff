#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/core/settings.h"
#include "app/scene/image/steady_depth.h"

namespace satdof {

// Smooths the depth of the frames of a film over time by steadyDepth(). The results are files in the cache folder.
class SteadyFrames {
 public:
  // The image and depth file of a frame, from 0 on.
  using Files = std::function<ImageSettings(int)>;

  // Returns `image` with the files of a frame, which ImageSettings::filmFrame names, too, with the facts of the depth
  // of frame 0: equal numbers are equal depths in all frames. If smoothFrames is not 0, it
  // also names the smoothed depth, which depends on smoothingKey(image) and on the files of this frame and of the
  // smoothFrames before it. Throws std::runtime_error.
  ImageSettings of(ImageSettings image, int frame, const Files& filesOf);

  // The settings that the smoothed depth depends on, without the files; defaults if it is not smoothed.
  static ImageSettings smoothingKey(ImageSettings image);

 private:
  struct Frame {
    ImageSettings files;
    std::string state;                        // identifies files and settings
    std::shared_ptr<const DepthFrame> depth;  // null: not read yet
  };
  const DepthFrame& read(int frame);
  std::filesystem::path depthOf(int frame, const Files& filesOf);
  // Of frame 0; none if it has no readable depth.
  std::optional<DepthFacts> firstFacts(const Files& filesOf);

  std::string firstState_;  // identifies the depth of first_
  std::optional<DepthFacts> first_;
  ImageSettings key_;            // smoothingKey() of frames_
  std::map<int, Frame> frames_;  // the last frame and those that it was averaged with
};

}  // namespace satdof
