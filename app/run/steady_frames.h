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
  // `filesOf`: the image and its depth of a frame, from 0 on.
  SteadyFrames(int earlier, std::function<ImageSettings(int)> filesOf)
      : earlier_(earlier), filesOf_(std::move(filesOf)) {}

  // The file with the smoothed depth of a frame, which depends on the files of this frame and of the `earlier` ones alone. Throws
  // std::runtime_error.
  std::filesystem::path depthOf(int frame);

 private:
  struct Frame {
    ImageSettings files;
    std::string state;                        // of the files
    std::shared_ptr<const DepthFrame> depth;  // null: not read yet
  };
  const DepthFrame& read(int frame);

  int earlier_;
  std::function<ImageSettings(int)> filesOf_;
  std::map<int, Frame> frames_;  // the last ones
};

}  // namespace satdof
