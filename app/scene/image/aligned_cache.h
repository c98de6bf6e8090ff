#pragma once
#include <functional>

#include "app/scene/image/depth_map.h"

namespace satdof {

// Returns alignedTo(), which takes seconds for large pictures. Keeps the results for pictures of at least 4 megapixels
// in the cache folder of the user, by hashes of picture and depth. Keeps nothing for frames of films, which have
// ImageSettings::filmFrame. A note tells if the disk is full.
DepthMap cachedAlignedTo(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                         const std::function<void(float part)>& onProgress);

}  // namespace satdof
