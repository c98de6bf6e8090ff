#include "app/io/depth_image.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/io/codec.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCorrectedEnding = ".corrected-depth";
constexpr std::array kDepthEndings = {kCorrectedEnding, "_depth", "-depth", ".depth"};

// Returns "shot" for "shot-colour": an export writes shot-colour and shot-depth.
std::string withoutColour(const std::string& stem) {
  constexpr std::string_view kEnding = "-colour";
  return stem.ends_with(kEnding) ? stem.substr(0, stem.size() - kEnding.size()) : stem;
}

// Returns the number of `key` in a calib.txt; of a matrix, its first element.
std::optional<float> calibrated(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ') continue;
    std::string_view rest = text.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("=[ "), rest.size()));
    float value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

void applyCalibration(DepthImage& depth, const std::filesystem::path& path, DepthMeaning asked) {
  constexpr std::size_t kMaxBytes = 1 << 16;
  if (depth.meaning != DepthMeaning::automatic) return;
  if (asked != DepthMeaning::automatic && asked != DepthMeaning::disparity) return;
  const fs::path calibration = calibrationBeside(path);
  const bool disparity = depth.largest == 0.0f || namesDisparity(path);
  if (!disparity || !isThere(calibration)) return;
  const std::string text = readWholeFile(calibration, kMaxBytes);
  const auto focalPx = calibrated(text, "cam0"), baseline = calibrated(text, "baseline"),
             doffs = calibrated(text, "doffs"), width = calibrated(text, "width");
  if (!focalPx || !baseline || *focalPx <= 0 || *baseline <= 0)
    throw std::runtime_error("calib.txt beside it has no cam0 or no baseline above 0");
  const float scale = width && *width > 0 ? static_cast<float>(depth.size.x) / *width : 1.0f;
  depth.meaning = DepthMeaning::disparity;
  depth.baselineMm = *baseline;
  depth.focalLengthPx = *focalPx * scale;
  depth.offsetPx = doffs.value_or(0.0f) * scale;
  depth.origin = "calib.txt";
}

}  // namespace

bool namesDisparity(const fs::path& file) {
  const std::string name = file.filename().string(), letters = lowerCase(name);
  constexpr std::string_view kWord = "disp";
  for (std::size_t at = letters.find(kWord); at != letters.npos; at = letters.find(kWord, at + 1)) {
    const std::string_view rest = std::string_view(name).substr(at + kWord.size());
    const bool wordEnds = rest.empty() || rest[0] < 'a' || rest[0] > 'z';
    if (wordEnds || lowerCase(rest).starts_with("arit")) return true;
  }
  return false;
}

fs::path calibrationBeside(const fs::path& depth) { return depth.parent_path() / "calib.txt"; }

fs::path photoOfDepth(const fs::path& file) {
  std::string stem = file.stem().string();
  if (const auto copy = stem.find_last_not_of("0123456789");
      copy != stem.npos && stem[copy] == '-' && stem.substr(0, copy).ends_with(kCorrectedEnding))
    stem.resize(copy);
  for (const std::string_view ending : kDepthEndings)
    if (stem.size() > ending.size() && stem.ends_with(ending))
      return file.parent_path() / stem.substr(0, stem.size() - ending.size());
  return {};
}

void leaveOutDepths(std::vector<fs::path>& files) {
  std::set<fs::path> names;
  for (const fs::path& each : files)
    for (const fs::path& name : {each.stem(), each.filename(), fs::path(withoutColour(each.stem().string()))})
      names.insert(each.parent_path() / name);
  std::erase_if(files, [&](const fs::path& file) { return names.contains(photoOfDepth(file)); });
}

fs::path depthBeside(const fs::path& photo, bool corrected) {
  // Prefer formats of light: they store floats.
  std::vector<std::string> extensions;
  for (const bool light : {true, false})
    for (const Codec& codec : codecs())
      if (codec.depth != nullptr && (codec.content != Content::displayed) == light)
        extensions.insert(extensions.end(), codec.extensions.begin(), codec.extensions.end());
  if (fs::path file = correctedDepthOf(photo); corrected && isRegularFile(file)) return file;
  for (const std::string& name : {photo.stem().string(), withoutColour(photo.stem().string())})
    for (const char* const ending : kDepthEndings)
      for (const std::string& extension : extensions) {
        fs::path depth = photo.parent_path() / (name + ending + extension);
        if (isRegularFile(depth)) return depth;
      }
  return {};
}

fs::path correctedDepthOf(const fs::path& photo) {
  return photo.parent_path() / (photo.filename().string() + kCorrectedEnding + ".exr");
}

DepthImage decodeDepth(std::string_view bytes, const FileLimits& limits) {
  const Codec& codec = readerOf(bytes);
  if (codec.depth != nullptr) return codec.depth(bytes, limits);
  throw std::runtime_error(codec.noDepth != nullptr ? codec.noDepth
                                                    : std::string("a ") + codec.name + " holds no depth");
}

DepthImage readDepth(const std::filesystem::path& path, DepthMeaning asked, const FileLimits& limits) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  try {
    DepthImage depth = decodeDepth(bytes, limits);
    applyCalibration(depth, path, asked);
    depth.notes = inFile(path, depth.notes);
    return depth;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read depth \"" + pathText(path) + "\": " + error.what());
  }
}

}  // namespace satdof
