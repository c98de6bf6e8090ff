#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/system/thread_pool.h"
#include "app/io/depth_image.h"
#include "app/io/picture.h"

namespace satdof {

// Parts of notes on the depth of an image, for the window.
inline constexpr const char* kGuessNote = "its depth is taken for ";  // before the assumed meaning
inline constexpr const char* kMillimetresNote = "; for millimetres: metres, scale 0.001";
inline constexpr const char* kStretchedNote = " is stretched to the image of ";  // between two sizes

// The depth of an image, in the form that lenses use.
struct DepthMap {
  glm::ivec2 size{0};
  std::vector<float> depth;  // nearM / z: 0 at infinity, at most 1; bottom row first; all valid
  float nearM = 1.0f;
  std::string meaning;                  // interpretation of the file's values, in words
  long filled = 0;                      // number of pixels without a valid value in the file
  Notes notes{};                        // assumptions, and filled pixels
  std::vector<std::uint32_t> counts{};  // depthCounts() before the levels
  bool exactEdges = false;              // pixels beside an edge belong to one surface, as in a rendered image
};

// The facts of the values of a file. They are lengths or relative depth: floats are lengths in metres, unless they span
// the range from 0 to 1; 16-bit integers are lengths in millimetres (or in units of settings.scale) if they do not span
// their range; other values are relative depth, whose zeros are holes if they are thin and far below the other values.
DepthFacts factsOf(const DepthImage& image);

// The meaning of the values of a file; never automatic. If neither settings nor file state it, the facts of the file
// decide, or DepthImage::facts.
DepthMeaning meaningOf(const DepthImage& image, const ImageSettings& settings);

// Whether the values of a file, whose own facts are `own`, have the same depths by DepthImage::facts.
bool readsAlike(const DepthImage& image, const ImageSettings& settings, const DepthFacts& own);

// Metres of the number 1 if the numbers are lengths: settings.scale, or 0.001 if millimetres are assumed.
float unitM(const DepthImage& image, const ImageSettings& settings);

// Converts the values v of a file to depth, at the size of the file:
//   metres            1 / z = 1 / (scale v)                    invalid: v <= 0, NaN; infinity is infinitely far
//                     1 / (scale |v|) if most values are negative
//   inverse metres    1 / z = scale v                          invalid: v < 0, infinity, NaN
//   disparity         1 / z = (v + offset) / (baseline focal)  invalid: infinity, NaN; 0 if v + offset < 0
//   relative          1 / z = 1 / far + t (1 / near - 1 / far) invalid: infinity, NaN
// t is v mapped to 0 ... 1 from the smallest and the largest float, of the first frame in a film, or from 0 and the
// largest integer of the format; inverted: 1 - t. The camera in calib.txt or in the file wins over the settings.
// Integers: 0 is invalid for metres and disparity, 65535 for metres. Disparities larger than the width and the focal
// length are 256ths of a pixel if they have 16 bits, as in KITTI, else relative depth. 8-bit values are debanded.
// Distances below 0.01 m are clamped. An invalid pixel takes the farthest of the next valid pixels to its left, right,
// top and bottom: surfaces behind a near surface are far. The levels of the settings apply last.
// Inverse metres up to 1 keep their bits, with nearM = 1 / scale.
// Throws std::runtime_error if no pixel is valid.
DepthMap depthMap(const DepthImage& image, const ImageSettings& settings);

// Returns `map` at the size of `picture`, with depth edges moved to edges of the picture. If they lie there already, as
// in cut-outs, they stay: thin things that have the colour of their background keep their depth. Away from depth
// edges: bilinear. Near depth edges: the median of up to 81 depths within a radius, weighted by
// exp(-|colour difference|^2 / (2 contrast^2)) (Ma et al. 2013). A median makes no depths between two surfaces; ramps
// of the map become steps before. The radius is settings.edgeRadiusPx, and at least the size of a depth pixel in the
// picture. Compares square roots of linear light. O(pixels near edges * 81). Calls onProgress(0 ... 1) from all
// threads; throws what it throws.
DepthMap alignedTo(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                   const std::function<void(float part)>& onProgress = {});
inline constexpr int kAlignedVersion = 4;  // part of the keys of caches; increase it when results of alignedTo() change

// Whether no pixel of the picture, of the size of the map, mixes the surfaces on both sides of a depth edge, as in
// renderings and cut-outs without antialiasing: the colour changes by the step of depth alone. O(pixels).
bool edgesAreUnmixed(const Picture& picture, const DepthMap& map, ThreadPool& threads);

// `image` with the levels and the sky of `other`, and with the default levels.
ImageSettings withLevels(ImageSettings image, const ImageSettings& other);
ImageSettings withoutLevels(ImageSettings image);

// `image` with the depth file that is read: for a frame of a video with smoothing, the smoothed depth, with the levels
// of `image`. Of `filmFrame`, only the file of a frame stays.
ImageSettings withReadDepth(ImageSettings image);

// The distance of a depth, at most 1e6 nearM.
inline float distanceM(float nearM, float depth) { return nearM / std::max(depth, 1e-6f); }

// Square roots of the linear light of a picture, clamped to 1, in 8 bits: for comparing colours.
std::vector<glm::u8vec3> colourRoots(const Picture& picture, ThreadPool& threads);

// Histogram of depths: 64 equal bins from 0 to the largest depth.
std::vector<std::uint32_t> depthCounts(const std::vector<float>& depth);

// Median distance in the central tenth of the image.
float medianCentreM(const DepthMap& map);

}  // namespace satdof
