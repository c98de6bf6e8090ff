#include "app/io/depth_image.h"

#include <stb_image.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/core/files.h"
#include "app/io/exr.h"
#include "app/io/exr_layers.h"
#include "app/io/heif.h"
#include "app/io/jpeg.h"
#include "app/io/pfm.h"
#include "app/io/png.h"
#include "app/io/pnm.h"
#include "app/io/stb_guard.h"

namespace satdof {

namespace {

// Takes the mean of the colours, which may differ as little as lossy formats and conversions of grey make them.
template <class T>
void takeGrey(DepthImage& depth, const T* samples, int channels, float largest) {
  constexpr int kMostStep = 8;  // of 255
  const size_t colours = channels < 3 ? 1 : 3,
               count = static_cast<size_t>(depth.size.x) * static_cast<size_t>(depth.size.y);
  depth.largest = largest;
  depth.values.resize(count);
  int most = 0;
  for (size_t i = 0; i < count; ++i, samples += channels) {
    const auto [low, high] = std::minmax_element(samples, samples + colours);
    most = std::max(most, *high - *low);
    float sum = 0.0f;
    for (size_t c = 0; c < colours; ++c) sum += static_cast<float>(samples[c]);
    depth.values[i] = sum / static_cast<float>(colours);
  }
  if (static_cast<float>(most) * 255.0f > kMostStep * largest)
    throw std::runtime_error("it is a colour image: depth needs one grey channel");
  if (most > 0)
    addNote(depth.notes, "its channels differ by up to " + std::to_string(most) + " of " +
                             std::to_string(static_cast<int>(largest)) + ": their mean is taken");
}

struct FreeStb {
  void operator()(void* samples) const { stbi_image_free(samples); }
};

void readByStb(DepthImage& depth, std::string_view file, const FileLimits& limits) {
  constexpr double kMostPixelsPerByte = 4096.0;
  const std::string jpeg = isJpeg(file) ? firstJpeg(file, depth.notes) : std::string();
  const std::string_view bytes = jpeg.empty() ? file : jpeg;
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  requireSafeForStb(bytes);
  int channels = 0;
  if (stbi_info_from_memory(data, length, &depth.size.x, &depth.size.y, &channels) == 0) throw stbError();
  requireSize(depth.size, limits, bytes.size(), kMostPixelsPerByte);
  requireRoomToDecode(depth.size, 3.0 * channels);  // the image, the planes of JPEG, and its rows
  if (stbi_is_hdr_from_memory(data, length) != 0)
    throw std::runtime_error("a Radiance HDR keeps 8 bits of depth: give a PNG or PFM");
  glm::ivec2 size{0};
  const std::unique_ptr<stbi_uc, FreeStb> samples(
      stbi_load_from_memory(data, length, &size.x, &size.y, &channels, 0));
  if (!samples) throw stbError();
  const auto stride = static_cast<std::ptrdiff_t>(size.x) * channels;
  for (int low = 0, high = size.y - 1; low < high; ++low, --high)
    std::swap_ranges(samples.get() + low * stride, samples.get() + (low + 1) * stride,
                     samples.get() + high * stride);
  takeGrey(depth, samples.get(), channels, 255.0f);
}

// The text that satdof writes into its PNG: {"metres": "scale / value", "scale": 61699.527, "infinite": 0}.
void applyText(DepthImage& depth, std::string_view bytes) {
  const auto text = pngText(bytes, "satdof-depth");
  if (!text) return;
  constexpr std::string_view kKey = "\"scale\":";
  const auto at = text->find(kKey);
  double scale = 0;
  if (at != text->npos) {
    const auto from = std::min(text->find_first_not_of(' ', at + kKey.size()), text->size());
    std::from_chars(text->data() + from, text->data() + text->size(), scale);
  }
  if (!(scale > 0)) throw std::runtime_error("its text satdof-depth has no scale");
  depth.meaning = DepthMeaning::inverseMetres;
  depth.scale = 1.0 / scale;
  depth.origin = "satdof";
}

// The number after `key` in a calib.txt, with the first bracket of a matrix.
std::optional<float> calibrated(std::string_view text, std::string_view key) {
  for (size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ') continue;
    std::string_view rest = text.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("=[ "), rest.size()));
    float value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc{}) return value;
  }
  return std::nullopt;
}

void applyCalibration(DepthImage& depth, const std::filesystem::path& path) {
  constexpr size_t kMostBytes = 1 << 16;
  std::error_code missing;
  const auto calibration = path.parent_path() / "calib.txt";
  const bool disparity = depth.largest == 0.0f || path.filename().string().find("disp") != std::string::npos;
  if (!disparity || !std::filesystem::exists(calibration, missing)) return;
  const std::string text = readWholeFile(calibration, kMostBytes);
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

DepthImage decodeDepth(std::string_view bytes, const FileLimits& limits) {
  DepthImage depth;
  if (isPng(bytes)) {
    const PngImage image = decodePng(bytes, limits);
    depth.size = image.size;
    if (image.bitDepth == 16)
      takeGrey(depth, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, 65535.0f);
    else
      takeGrey(depth, image.rows.data(), image.channels, 255.0f);
    applyText(depth, bytes);
  } else if (isPfm(bytes)) {
    PfmImage image = decodePfm(bytes, limits);
    depth.size = image.size;
    const auto channels = static_cast<size_t>(image.channels);
    const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (size_t i = 0; i < image.values.size(); i += channels) {
      if (!same(image.values[i], image.values[i + channels / 2]) ||
          !same(image.values[i], image.values[i + channels - 1]))
        throw std::runtime_error("it is a colour image: depth needs one channel");
      image.values[i / channels] = image.values[i];
    }
    image.values.resize(image.values.size() / channels);
    depth.values = std::move(image.values);
  } else if (isPnm(bytes)) {
    const PnmImage image = decodePnm(bytes, limits);
    depth.size = image.size;
    takeGrey(depth, image.samples.data(), image.channels, static_cast<float>(image.largest));
  } else if (isExr(bytes)) {
    depth = depthOfExr(bytes, limits);
  } else if (isHeif(bytes)) {
    auto beside = depthInHeif(bytes, limits);
    if (!beside) throw std::runtime_error("the image in it has no depth beside it");
    depth = *std::move(beside);
  } else {
    readByStb(depth, bytes, limits);
  }
  return depth;
}

DepthImage readDepth(const std::filesystem::path& path, const FileLimits& limits) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  try {
    DepthImage depth = decodeDepth(bytes, limits);
    applyCalibration(depth, path);
    depth.notes = inFile(path, depth.notes);
    return depth;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read depth \"" + path.string() + "\": " + error.what());
  }
}

}  // namespace satdof
