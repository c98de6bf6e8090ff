#include "app/scene/image/aligned_cache.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/files/files.h"
#include "app/core/pixels.h"
#include "app/core/text/formatted.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMinPixels = 4'000'000;
constexpr std::uintmax_t kMaxCacheBytes = std::uintmax_t{4} << 30;

template <class T>
std::string_view bytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The cache file, by a hash of the arguments of alignedTo(); empty if the user has no cache.
fs::path fileOf(const Picture& picture, const DepthMap& map, const ImageSettings& settings) try {
  const std::string key =
      formatted("%d %d %d %d %d %d %.9g ", kAlignedVersion, picture.size.x, picture.size.y, map.size.x, map.size.y,
                settings.edgeRadiusPx, static_cast<double>(settings.edgeContrast));
  return cacheFolder("aligned") / (hashed(key + hashed(bytesOf(picture.rgba)) + hashed(bytesOf(map.depth))) + ".depth");
} catch (const std::runtime_error&) {
  return {};
}

// Reads a cache file. Returns whether it holds `count` valid depths.
bool readDepths(const fs::path& file, std::vector<float>& depths, std::size_t count) try {
  const std::string bytes = readWholeFile(file, count * sizeof(float));
  if (bytes.size() != count * sizeof(float)) return false;
  depths.resize(count);
  std::memcpy(depths.data(), bytes.data(), bytes.size());
  touchCached(file);
  return std::ranges::all_of(depths, [](float depth) { return depth >= 0.0f && depth <= 1.0f; });
} catch (const std::runtime_error&) {
  return false;
}

}  // namespace

DepthMap cachedAlignedTo(const Picture& picture, DepthMap map, const ImageSettings& settings, ThreadPool& threads,
                         const std::function<void(float part)>& onProgress) {
  const std::size_t pixels = pixelCount(picture.size);
  const bool isKept = pixels >= kMinPixels && settings.filmFrame.file.none();
  const fs::path file = isKept ? fileOf(picture, map, settings) : fs::path();
  if (file.empty()) return alignedTo(picture, std::move(map), settings, threads, onProgress);
  if (std::vector<float> depths; readDepths(file, depths, pixels)) {
    map.size = picture.size;
    map.depth = std::move(depths);
    return map;
  }
  DepthMap aligned = alignedTo(picture, std::move(map), settings, threads, onProgress);
  try {
    createFolders(file.parent_path());
    if (!pruneCache(file.parent_path(), kMaxCacheBytes - bytesOf(aligned.depth).size()))
      addNote(aligned.notes, "its aligned depth is not kept: the disk is almost full");
    else
      writeWholeFile(file, bytesOf(aligned.depth));
  } catch (const std::runtime_error&) {  // computed again next time
  }
  return aligned;
}

}  // namespace satdof
