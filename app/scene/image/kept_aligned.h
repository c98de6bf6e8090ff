#pragma once
#include <functional>

#include "app/scene/image/depth_map.h"

namespace satdof {

// alignedTo(), which takes seconds for a large picture: in the cache of the user, it is kept for the content of the picture and of the
// depth.
DepthMap keptAligned(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                     const std::function<void(float part)>& onProgress);

}  // namespace satdof
