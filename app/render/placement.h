#pragma once
#include <functional>
#include <limits>
#include <optional>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "app/render/reach.h"
#include "app/render/renderer.h"
#include "app/render/resolve.h"

namespace satdof {

// Where the drawn image, which includes the margin of overscan or zoom, lies in the whole image with its margin.
struct ImagePlacement {
  ImagePart part{};                                         // of the whole image that is drawn
  PixelRectangle shown;                                     // of the drawn image: what callers get
  float nearestM = std::numeric_limits<float>::infinity();  // SceneFacts::nearestM of the whole image
  int overscanPx = 0;                                       // width of the margin
  std::optional<int> overscanDivisor{};                     // app/render/overscan.h; none: a tile, which has no margin
};

// Returns a lower bound of the distances in an image of the settings.
using NearestM = std::function<float(const Settings&)>;

// Places the image that a request draws. `settings`: framed; gets size and field of view of the drawn
// image. maxSidePx: the widest image of a GPU.
ImagePlacement place(ResolvedSettings& settings, const FrameRequest& request, int maxSidePx, const NearestM& nearestM);

}  // namespace satdof
