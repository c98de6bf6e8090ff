#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/io/depth_image.h"

namespace satdof {

// Images that a JPEG carries beside its own, in its XMP or appended to it.
struct EmbeddedDepth {
  DepthImage depth;      // as stored: the orientation of the JPEG applies
  std::string original;  // a file: the image before the camera blurred it (GImage); empty: none
};

// Reads the depth of a JPEG as cameras write it:
//   GDepth         base64 in the extended XMP, http://ns.google.com/photos/1.0/depthmap/
//   Dynamic Depth  files appended to the JPEG that Container:Directory lists; DepthMap:Near, Far and Format
//   iPhone         an image that the multi-picture format lists, whose XMP calls it disparity (1/m) or depth
// RangeLinear: z = near + n (far - near). RangeInverse: 1 / z = 1 / near + n (1 / far - 1 / near). n is the number in
// the file from 0 to 1. Vendors omit parts: without Format it is RangeInverse; without Near or Far the depth is
// relative. `origin` of the depth says so. None if the JPEG has no depth. Throws std::runtime_error with the reason
// alone if the depth is damaged or this program was built without pugixml.
std::optional<EmbeddedDepth> embeddedDepth(std::string_view jpeg, const FileLimits& limits = {});

}  // namespace satdof
