#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/core/settings.h"
#include "app/scene/image/steady_depth.h"

namespace satdof {

// The steadyDepth() of the frames of a film, as files in the cache folder.
class SteadyFrames {
 public:
  // The image and its depth of a frame, from 0 on.
  using Files = std::function<ImageSettings(int)>;

  // Returns `image` with the files of a frame and, if smoothFrames asks for that, what smoothing makes of its depth: this depends on
  // decides(image) and on the files of this frame and of earlier ones alone. Throws std::runtime_error.
  ImageSettings of(ImageSettings image, int frame, const Files& filesOf);

  // What of an image decides the smoothed depth beside the files. Nothing, if it is not smoothed.
  static ImageSettings decides(ImageSettings image);

 private:
  struct Frame {
    ImageSettings files;
    std::string state;                        // of the files
    std::shared_ptr<const DepthFrame> depth;  // null: not read yet
  };
  const DepthFrame& read(int frame);
  std::filesystem::path depthOf(int frame, const Files& filesOf);

  ImageSettings decides_;
  std::map<int, Frame> frames_;  // the last ones
};

}  // namespace satdof
