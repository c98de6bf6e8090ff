#include "app/io/picture.h"

#include <stb_image.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <glm/gtc/packing.hpp>
#include <glm/vec3.hpp>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/core/files.h"
#include "app/core/thread_pool.h"
#include "app/io/colour_profile.h"
#include "app/io/exr.h"
#include "app/io/exr_layers.h"
#include "app/io/heif.h"
#include "app/io/jpeg.h"
#include "app/io/orientation.h"
#include "app/io/pfm.h"
#include "app/io/png.h"
#include "app/io/pnm.h"
#include "app/io/stb_guard.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr float kLargestHalf = 65504.0f;
constexpr std::uint16_t kHalfOne = 0x3c00;

std::uint16_t half(float linear) {
  return glm::packHalf1x16(linear > 0.0f ? std::min(linear, kLargestHalf) : 0.0f);  // NaN becomes 0
}

size_t pixelsOf(glm::ivec2 size) { return static_cast<size_t>(size.x) * static_cast<size_t>(size.y); }

float decodeSrgb(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }

// Linear light of every sample value: sRGB, or v^(1 / gamma).
std::vector<float> linearOf(int values, double gamma) {
  std::vector<float> linear(static_cast<size_t>(values));
  for (size_t i = 0; i < linear.size(); ++i) {
    const float v = static_cast<float>(i) / static_cast<float>(values - 1);
    linear[i] = gamma > 0.0 ? static_cast<float>(std::pow(v, 1.0 / gamma)) : decodeSrgb(v);
  }
  return linear;
}

// Converts `samples` by the profile.
template <class T>
void convert(Picture& picture, const T* samples, int channels, const ColourProfile& profile) {
  const size_t width = static_cast<size_t>(picture.size.x), pixel = static_cast<size_t>(channels);
  picture.rgba.resize(4 * pixelsOf(picture.size));
  ThreadPool threads(hardwareThreads());
  threads.forEach(picture.size.y, [&](int y) {
    std::vector<float> rgb(3 * width);
    const size_t first = static_cast<size_t>(y) * width;
    const T* const row = samples + first * pixel;
    profile.convert(row, rgb.data(), width);
    for (size_t x = 0; x < width; ++x) {
      std::uint16_t* const to = &picture.rgba[4 * (first + x)];
      const float opacity = channels % 2 == 0 ? static_cast<float>(row[(x + 1) * pixel - 1]) /
                                                    static_cast<float>(static_cast<T>(-1))
                                              : 1.0f;
      for (size_t c = 0; c < 3; ++c) to[c] = half(rgb[3 * x + c] * opacity);
      to[3] = kHalfOne;
    }
  });
  addNote(picture.notes, "colours converted from the profile " + profile.name());
}

// `samples`: 1 to 4 channels a pixel, in the order of the result.
template <class T>
void convert(Picture& picture, const T* samples, int channels, double gamma, const std::string& icc) {
  if (channels % 2 == 0) addNote(picture.notes, "transparent pixels blended over black");
  if (!icc.empty()) {
    const ColourProfile profile(icc, channels, sizeof(T));
    if (profile.converts()) {
      convert(picture, samples, channels, profile);
      return;
    }
    if (!profile.ignored().empty()) addNote(picture.notes, profile.ignored());
  }
  const std::vector<float> linear = linearOf(1 << (8 * sizeof(T)), gamma);
  std::vector<std::uint16_t> halves(linear.size());
  std::ranges::transform(linear, halves.begin(), half);
  constexpr auto kOpaque = static_cast<float>(static_cast<T>(-1));
  const bool grey = channels < 3, alpha = channels % 2 == 0;
  picture.rgba.resize(4 * pixelsOf(picture.size));
  for (size_t i = 0; i < picture.rgba.size(); i += 4, samples += channels) {
    const T opacity = alpha ? samples[channels - 1] : static_cast<T>(-1);
    for (size_t c = 0; c < 3; ++c) {
      const T value = samples[grey ? 0 : c];
      picture.rgba[i + c] = opacity == static_cast<T>(-1)
                                ? halves[value]
                                : half(linear[value] * static_cast<float>(opacity) / kOpaque);
    }
    picture.rgba[i + 3] = kHalfOne;
  }
}

void convert(Picture& picture, const float* samples, int channels) {
  picture.rgba.resize(4 * pixelsOf(picture.size));
  for (size_t i = 0; i < picture.rgba.size(); i += 4, samples += channels) {
    for (size_t c = 0; c < 3; ++c) picture.rgba[i + c] = half(samples[channels == 1 ? 0 : c]);
    picture.rgba[i + 3] = kHalfOne;
  }
}

template <class T>
void flipRows(T* samples, glm::ivec2 size, int channels) {
  const size_t stride = static_cast<size_t>(size.x) * static_cast<size_t>(channels);
  for (size_t low = 0, high = static_cast<size_t>(size.y) - 1; low < high; ++low, --high)
    std::swap_ranges(samples + low * stride, samples + (low + 1) * stride, samples + high * stride);
}

Picture fromPng(std::string_view bytes, const FileLimits& limits) {
  const PngImage image = decodePng(bytes, limits);
  Picture picture{image.size, {}, true, {}};
  if (image.bitDepth == 16)
    convert(picture, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, image.gamma,
            image.profile);
  else
    convert(picture, image.rows.data(), image.channels, image.gamma, image.profile);
  turn(picture.rgba, picture.size, 4, exifOrientation(image.exif));
  return picture;
}

Picture fromPfm(std::string_view bytes, const FileLimits& limits) {
  const PfmImage image = decodePfm(bytes, limits);
  Picture picture{image.size, {}, false, {}};
  convert(picture, image.values.data(), image.channels);
  return picture;
}

Picture fromPnm(std::string_view bytes, const FileLimits& limits) {
  PnmImage image = decodePnm(bytes, limits);
  const auto largest = static_cast<unsigned>(image.largest);
  for (std::uint16_t& sample : image.samples)
    sample = static_cast<std::uint16_t>((sample * 65535u + largest / 2) / largest);
  Picture picture{image.size, {}, true, {}};
  convert(picture, image.samples.data(), image.channels, 0.0, {});
  return picture;
}

// A is ignored, because light is premultiplied.
Picture fromExr(std::string_view bytes, const FileLimits& limits) {
  ExrColours colours = coloursInExr(bytes, limits);
  Picture picture{colours.size, std::vector<std::uint16_t>(4 * pixelsOf(colours.size), kHalfOne), false,
                  std::move(colours.notes)};
  for (size_t i = 0; i < pixelsOf(picture.size); ++i)
    for (size_t c = 0; c < 3; ++c) picture.rgba[4 * i + c] = half(colours.rgb[c][i]);
  return picture;
}

struct FreeStb {
  void operator()(void* samples) const { stbi_image_free(samples); }
};

Picture fromStb(std::string_view bytes, const FileLimits& limits, const std::string& profile = {}) {
  constexpr double kMostPixelsPerByte = 4096.0;  // run lengths and LZW of GIF; progressive JPEG
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  requireSafeForStb(bytes);
  Picture picture;
  int channels = 0;
  if (stbi_info_from_memory(data, length, &picture.size.x, &picture.size.y, &channels) == 0) throw stbError();
  requireSize(picture.size, limits, bytes.size(), kMostPixelsPerByte);
  const auto decoded = [&](auto* samples) {
    if (samples == nullptr) throw stbError();
    std::unique_ptr<std::remove_pointer_t<decltype(samples)>, FreeStb> owned(samples);
    flipRows(samples, picture.size, channels);
    return owned;
  };
  glm::ivec2 size{0};
  const bool hdr = stbi_is_hdr_from_memory(data, length) != 0;
  // The image, and as much again while it is decoded.
  requireRoomToDecode(picture.size,
                      hdr ? 12.0 : 2.0 * channels * (stbi_is_16_bit_from_memory(data, length) ? 2 : 1));
  if (hdr) {
    channels = 3;
    const auto samples = decoded(stbi_loadf_from_memory(data, length, &size.x, &size.y, nullptr, channels));
    convert(picture, samples.get(), channels);
    return picture;
  }
  picture.photograph = true;
  if (stbi_is_16_bit_from_memory(data, length) != 0) {
    const auto samples = decoded(stbi_load_16_from_memory(data, length, &size.x, &size.y, &channels, 0));
    convert(picture, samples.get(), channels, 0.0, profile);
  } else {
    const auto samples = decoded(stbi_load_from_memory(data, length, &size.x, &size.y, &channels, 0));
    convert(picture, samples.get(), channels, 0.0, profile);
  }
  return picture;
}

// The decoder invents the missing pixels of a file that was cut off from the bits behind its last ones. What other bits
// change becomes grey, from their first block on. A progressive file, which lacks details everywhere, stays.
void greyInvented(Picture& picture, std::string jpeg, const FileLimits& limits, const std::string& profile) {
  constexpr std::string_view kProgressive = "\xff\xc2", kEnd = "\xff\xd9";
  constexpr size_t kMostBytes = size_t{1} << 24;
  constexpr int kBlock = 8, kMostBlocksDown = 2;  // of the pixels that are coded together
  constexpr float kGrey = 0.18f;
  if (jpeg.find(kProgressive) != jpeg.npos) return;
  jpeg.insert(jpeg.size() - kEnd.size(), std::min(pixelsOf(picture.size), kMostBytes), '\x55');
  Picture other;
  try {
    other = fromStb(jpeg, limits, profile);
  } catch (const std::runtime_error&) {
    return;  // no code begins with these bits
  }
  const glm::ivec2 size = picture.size;
  const auto at = [&](int x, int fromTop) {
    return 4 *
           (static_cast<size_t>(size.y - 1 - fromTop) * static_cast<size_t>(size.x) + static_cast<size_t>(x));
  };
  const auto differs = [&](int x, int y) {
    return !std::equal(&picture.rgba[at(x, y)], &picture.rgba[at(x, y)] + 4, &other.rgba[at(x, y)]);
  };
  // Interpolated colours reach one pixel into the block before.
  const auto besideNext = [](int place) { return place % kBlock == kBlock - 1; };
  int first = size.y;  // row from the top with invented pixels
  for (int top = 0; top < size.y; top += kBlock) {
    const int end = std::min(top + kBlock, size.y);
    int left = top >= first + kMostBlocksDown * kBlock ? 0 : size.x;
    for (int y = top; y < end && left > 0; ++y)
      for (int x = 0; x < left; ++x)
        if (!besideNext(x) && !besideNext(y) && differs(x, y)) left = x;
    if (left == size.x) continue;
    first = std::min(first, top);
    for (int y = top; y < end; ++y)
      for (int x = left / kBlock * kBlock; x < size.x; ++x)
        std::fill_n(&picture.rgba[at(x, y)], 3, half(kGrey));
  }
  if (first < size.y)
    addNote(picture.notes, "of its " + std::to_string(size.y) + " rows the last " +
                               std::to_string(size.y - first) + " are missing or incomplete: grey");
}

Picture fromJpeg(std::string_view bytes, const FileLimits& limits) {
  const JpegMetadata metadata = jpegMetadata(bytes);
  Notes notes;
  std::string jpeg = firstJpeg(bytes, notes);
  Picture picture = fromStb(jpeg, limits, metadata.profile);
  addNotes(picture.notes, notes);
  if (!notes.empty()) greyInvented(picture, std::move(jpeg), limits, metadata.profile);
  turn(picture.rgba, picture.size, 4, exifOrientation(metadata.exif));
  return picture;
}

Picture fromHeif(std::string_view bytes, const FileLimits& limits) {
  const HeifImage image = decodeHeif(bytes, limits);
  Picture picture{image.size, {}, true, image.notes};
  if (image.bitDepth == 16)
    convert(picture, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, 0.0,
            image.profile);
  else
    convert(picture, image.rows.data(), image.channels, 0.0, image.profile);
  return picture;
}

std::runtime_error cannotRead(const fs::path& path, const char* why) {
  return std::runtime_error("cannot read image \"" + path.string() + "\": " + why);
}

}  // namespace

bool hasPictureExtension(const fs::path& path) {
  constexpr std::string_view kExtensions[] = {".avif", ".bmp",  ".exr", ".gif", ".hdr", ".heic",
                                              ".heif", ".jpeg", ".jpg", ".pfm", ".pgm", ".pic",
                                              ".png",  ".pnm",  ".ppm", ".psd", ".tga"};
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(kExtensions, extension) != std::end(kExtensions);
}

Picture decodePicture(std::string_view bytes, const FileLimits& limits) {
  if (isHeif(bytes)) return fromHeif(bytes, limits);
  if (isPng(bytes)) return fromPng(bytes, limits);
  if (isPfm(bytes)) return fromPfm(bytes, limits);
  if (isPnm(bytes)) return fromPnm(bytes, limits);
  if (isExr(bytes)) return fromExr(bytes, limits);
  if (isJpeg(bytes)) return fromJpeg(bytes, limits);
  return fromStb(bytes, limits);
}

Picture readPicture(const fs::path& path, const FileLimits& limits) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  try {
    Picture picture = decodePicture(bytes, limits);
    picture.notes = inFile(path, picture.notes);
    return picture;
  } catch (const std::runtime_error& error) {
    throw cannotRead(path, error.what());
  }
}

glm::ivec2 pictureSize(const fs::path& path, const FileLimits& limits) {
  constexpr size_t kHead = size_t{64} << 20;  // metadata may stand before the size
  const std::string bytes = readFileHead(path, kHead);
  try {
    if (isHeif(bytes)) return heifSize(bytes, limits);
    requireSafeForStb(bytes);
    glm::ivec2 size{0};
    if (const auto png = pngSize(bytes))
      size = *png;
    else if (isPfm(bytes))
      size = decodePfmHeader(bytes).size;
    else if (isPnm(bytes))
      size = decodePnmHeader(bytes).size;
    else if (isExr(bytes))
      size = exrSize(bytes, limits);
    else if (int channels = 0;
             stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                   static_cast<int>(bytes.size()), &size.x, &size.y, &channels) == 0)
      throw stbError();
    requireSize(size, limits, limits.bytes, 1.0);
    if (isJpeg(bytes) && exifOrientation(jpegMetadata(bytes).exif) > 4) std::swap(size.x, size.y);
    return size;
  } catch (const std::runtime_error& error) {
    throw cannotRead(path, error.what());
  }
}

}  // namespace satdof
