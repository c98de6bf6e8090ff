#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/io/depth_image.h"

namespace satdof {

// Images embedded in a JPEG, in its XMP or appended to it.
struct EmbeddedDepth {
  DepthImage depth;      // as stored: the orientation of the JPEG is not applied
  std::string original;  // image file before the camera blurred it (GImage); empty: none
};

// Returns the depth that a camera embedded in a JPEG; nothing if there is none. Throws std::runtime_error with only the
// reason if the depth is damaged or this program was built without pugixml.
//   GDepth         base64 in the extended XMP, http://ns.google.com/photos/1.0/depthmap/
//   Dynamic Depth  files appended to the JPEG and listed in Container:Directory; DepthMap:Near, Far and Format
//   iPhone         an image of the multi-picture format, whose XMP declares disparity (1/m) or depth
// RangeLinear: z = near + n (far - near). RangeInverse: 1 / z = 1 / near + n (1 / far - 1 / near), with n the number in
// the file scaled to [0, 1]. Vendors omit properties: without Format, RangeInverse is assumed; without Near or Far,
// depth is relative. DepthImage::origin tells the case.
std::optional<EmbeddedDepth> embeddedDepth(std::string_view jpeg, const FileLimits& limits = {});

}  // namespace satdof
