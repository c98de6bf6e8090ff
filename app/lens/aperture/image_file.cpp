#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "app/core/files/file_timeout.h"
#include "app/core/pixels.h"
#include "app/io/picture.h"
#include "app/lens/aperture/image.h"
#include "shaders/common/luminance.h"

namespace satdof {

namespace {

constexpr int kMinSide = 16, kMaxSide = 1024;
constexpr float kMaxHalf = 65504.0f;  // readers limit light to this
constexpr std::size_t kMaxKept = 8;   // files

ApertureImage readAperture(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    return std::runtime_error("cannot use \"" + path + "\" as the image of an aperture: " + why);
  };
  const glm::ivec2 size = pictureSize(path);
  if (std::min(size.x, size.y) < kMinSide || std::max(size.x, size.y) > kMaxSide)
    throw refuse("it has " + std::to_string(size.x) + " x " + std::to_string(size.y) + " pixels, not " +
                 std::to_string(kMinSide) + " to " + std::to_string(kMaxSide) + " a side");
  const Picture picture = readPicture(path);
  const int side = std::max(size.x, size.y);
  const glm::ivec2 from = (side - size) / 2;
  std::vector<float> values(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const float grey = glsl::luminance(lightAt(picture, pixelIndex(size, {x, y})));
      if (!(grey >= 0.0f && grey < kMaxHalf))
        throw refuse("pixel " + std::to_string(x) + ", " + std::to_string(y) +
                     " from the bottom left is negative or not finite");
      values[static_cast<std::size_t>(y + from.y) * static_cast<std::size_t>(side) +
             static_cast<std::size_t>(x + from.x)] = grey;
    }
  try {
    return {side, values};
  } catch (const std::runtime_error& error) {
    throw refuse(error.what());
  }
}

// The result of reading a file.
struct Opened {
  std::optional<ApertureImage> image;
  std::string failure;
  // lateCompletions() when the file did not answer. It is read again once the number changes.
  std::optional<int> completions;
};

const Opened& opened(const std::string& path) {
  static std::map<std::string, Opened> files;
  const auto known = files.find(path);
  if (known != files.end() && known->second.completions.value_or(lateCompletions()) == lateCompletions())
    return known->second;
  if (files.size() >= kMaxKept) files.clear();
  Opened& made = files[path] = {};
  try {
    if (!path.empty()) made.image = readAperture(path);
  } catch (const FileTimeout& error) {
    made.failure = error.what();
    made.completions = lateCompletions();
  } catch (const std::runtime_error& error) {
    made.failure = error.what();
  }
  return made;
}

}  // namespace

const ApertureImage* apertureImage(const LensSettings& lens) {
  const auto& image = opened(lens.apertureImage.text).image;
  return image ? &*image : nullptr;
}

std::string apertureFailure(const LensSettings& lens) { return opened(lens.apertureImage.text).failure; }

}  // namespace satdof
