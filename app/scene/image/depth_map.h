#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/thread_pool.h"
#include "app/io/depth_image.h"
#include "app/io/picture.h"

namespace satdof {

// The depth of an image as lenses read it.
struct DepthMap {
  glm::ivec2 size{0};
  std::vector<float> depth;  // nearM / z, from 0 at infinity to 1, bottom row first; all valid
  float nearM = 1.0f;
  std::string meaning;  // what the numbers of the file were taken for, in words
  long filled = 0;      // pixels of the file without a valid number
  Notes notes{};        // what was assumed and filled
  std::vector<std::uint32_t>
      counts{};  // of inverse distances in parts of the nearest, 0 to 1, before the levels
};

// What the numbers of a file are taken for: never automatic. If neither settings nor file say: lengths, for floats unless
// they fill the range from 0 to 1, and for integers of 16 bits unless they fill their range, without a gap above 0 or with 65535
// (millimetres, unless the settings have a scale); else relative.
DepthMeaning meaningOf(const DepthImage& image, const ImageSettings& settings);

// Converts the numbers of a file to depth at their own size and fills invalid pixels:
//   metres            1 / z = 1 / (scale v)                    invalid: v <= 0, NaN; infinity is infinitely far
//                     1 / (scale |v|) if most of them lie along -Z
//   inverse metres    1 / z = scale v                          invalid: v < 0, infinity, NaN
//   disparity         1 / z = (v + offset) / (baseline focal)  invalid: infinity, NaN; 0 if v + offset < 0
//   relative          1 / z = 1 / far + t (1 / near - 1 / far) invalid: infinity, NaN
// t is v, from 0 to 1 between the smallest and largest float, or 0 and the largest integer of the format; 1 - v if
// inverted. Integers 0 are invalid for metres and disparity, 65535 for metres. Disparities wider than the depth and its focal length
// are 256ths of a pixel in 16 bits, as in KITTI, else relative. Nothing is nearer than 0.01 m. The numbers of calib.txt or of the file win over the settings.
// If no v exceeds 1, nearM = 1 / scale and inverse metres keep their bits.
// Slopes of integers of 8 bits are smoothed: a mean of what lies within 4 pixels and differs by at most 1.
// Then the levels of the settings apply. An invalid pixel takes the farthest of the next valid pixels to its left, its right, above and below: what a near surface
// hides is far. Throws std::runtime_error if no pixel is valid.
DepthMap depthMap(const DepthImage& image, const ImageSettings& settings);

// Returns `map` at the size of `picture`, with its edges moved to edges of the picture. Away from depth edges:
// bilinear. Near depth edges: the median of up to 81 depths within `radius`, weighted by
// exp(-|colour difference|^2 / (2 contrast^2)), so that depths are numbers of the file, or between two on a slope (Ma et al. 2013).
// `radius` is settings.edgeRadiusPx, and at least the size of a depth pixel in the picture. Colours are compared as
// square roots of linear light. O(pixels near edges * 81). `onProgress` is called from all threads, with 0 to 1; throws what it throws.
DepthMap alignedTo(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                   const std::function<void(float part)>& onProgress = {});

// The image with the levels and the sky of another.
ImageSettings withLevels(ImageSettings image, const ImageSettings& other);
ImageSettings withoutLevels(ImageSettings image);

// The image with the depth that is read: what smoothing has made of a frame, with the levels of the frame.
ImageSettings withReadDepth(ImageSettings image);

// The distance of a depth, at most 1e6 nearM.
inline float distanceM(float nearM, float depth) { return nearM / std::max(depth, 1e-6f); }

// Square roots of the linear light of a picture, up to 1: for comparisons of colours.
std::vector<glm::u8vec3> colourRoots(const Picture& picture, ThreadPool& threads);

// DepthMap::counts of a depth.
std::vector<std::uint32_t> depthCounts(const std::vector<float>& depth);

// The median distance in the middle of the image.
float medianCentreM(const DepthMap& map);

}  // namespace satdof
