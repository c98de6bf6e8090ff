#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/metadata/colour_profile.h"

// PSD and PSB: reads the merged image of all layers (Adobe Photoshop File Formats Specification, 2019).
namespace satdof::formats {

namespace {

enum PsdMode : unsigned { kPsdBitmap = 0, kPsdGrey = 1, kPsdPalette = 2, kPsdRgb = 3, kPsdCmyk = 4, kPsdDuotone = 8 };

// Reads big-endian numbers and sections from the front of a file.
struct PsdBytes {
  std::string_view left;

  std::string_view take(std::uint64_t count) {
    if (count > left.size()) throw std::runtime_error("it is truncated or damaged");
    const std::string_view taken = left.substr(0, count);
    left.remove_prefix(count);
    return taken;
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char c : take(bytes)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::string_view section(std::size_t lengthBytes) { return take(number(lengthBytes)); }
};

struct PsdImage {
  bool large = false;  // PSB
  glm::ivec2 size{0};
  int channels = 0, bits = 8;
  unsigned mode = kPsdRgb;
  std::string_view palette{}, profile{};  // 256 values each of red, green and blue; ICC profile
  int clearIndex = -1;                    // palette index of transparent pixels; -1: none
  bool alpha = false;                     // an opacity channel follows the colours, which are blended over white
  std::string_view pixels{};              // compression type, row lengths and samples

  int colours() const { return mode == kPsdRgb ? 3 : mode == kPsdCmyk ? 4 : 1; }
  std::size_t rowBytes() const { return (static_cast<std::size_t>(size.x) * static_cast<std::size_t>(bits) + 7) / 8; }
};

PsdImage headOf(PsdBytes& bytes) {
  constexpr std::uint64_t kMaxSide = 300'000;
  PsdImage image;
  bytes.take(4);
  const std::uint64_t version = bytes.number(2);
  bytes.take(6);
  image.large = version == 2;
  image.channels = static_cast<int>(bytes.number(2));
  const std::uint64_t height = bytes.number(4), width = bytes.number(4);
  image.size = {static_cast<int>(std::min(width, kMaxSide)), static_cast<int>(std::min(height, kMaxSide))};
  image.bits = static_cast<int>(bytes.number(2));
  image.mode = static_cast<unsigned>(bytes.number(2));
  if (version != 1 && version != 2) throw std::runtime_error("its version is unknown");
  return image;
}

void requireKnown(const PsdImage& image) {
  if (image.mode > kPsdCmyk && image.mode != kPsdDuotone)
    throw std::runtime_error("its colours are Lab or plates: convert it to RGB");
  const bool grey = image.mode == kPsdGrey || image.mode == kPsdDuotone, wide = image.bits == 16;
  const bool known = image.bits == 8 || (image.bits == 1 && image.mode == kPsdBitmap) ||
                     (wide && (grey || image.mode == kPsdRgb || image.mode == kPsdCmyk)) ||
                     (image.bits == 32 && (grey || image.mode == kPsdRgb));
  if (!known || (image.bits != 1) == (image.mode == kPsdBitmap))
    throw std::runtime_error("it is damaged: " + std::to_string(image.bits) + " bits for its kind of colours");
  if (image.channels < image.colours()) throw std::runtime_error("it is damaged: too few channels");
}

void readResources(std::string_view section, PsdImage& image) {
  enum { kProfile = 1039, kClearIndex = 1047, kVersion = 1057 };
  PsdBytes bytes{section};
  while (bytes.left.starts_with("8BIM")) {
    bytes.take(4);
    const std::uint64_t id = bytes.number(2), name = bytes.number(1);
    bytes.take(name | 1);  // an even number of bytes, with the length
    PsdBytes data{bytes.section(4)};
    if (data.left.size() % 2 != 0 && !bytes.left.empty()) bytes.take(1);
    if (id == kProfile) image.profile = data.left;
    if (id == kClearIndex && data.left.size() >= 2) image.clearIndex = static_cast<int>(data.number(2));
    if (id == kVersion && data.left.size() >= 5 && data.left[4] == 0)
      throw std::runtime_error("it has no image of all its layers: save it once more, with \"Maximize compatibility\"");
  }
}

// Whether the first channel after the colours is the opacity of the layers.
bool hasOpacity(std::string_view section, const PsdImage& image) {
  PsdBytes bytes{section};
  const std::size_t lengthBytes = image.large ? 8 : 4;
  if (section.size() > lengthBytes) {
    PsdBytes layers{bytes.section(lengthBytes)};
    if (layers.left.size() >= 2 && layers.number(2) >= 0x8000) return true;  // a negative count
  }
  return std::ranges::any_of(std::initializer_list<std::string_view>{"8BIMMtrn", "8BIMMt16", "8BIMMt32"},
                             [&](std::string_view key) { return section.find(key) != section.npos; });
}

PsdImage readImage(std::string_view file, const FileLimits& limits) {
  constexpr double kMaxPixelsPerByte = 512.0;  // PackBits expands 2 bytes to 128, of 8 pixels each
  PsdBytes bytes{file};
  PsdImage image = headOf(bytes);
  requireKnown(image);
  requireSize(image.size, limits, file.size(), kMaxPixelsPerByte);
  image.palette = bytes.section(4);
  constexpr std::size_t kPaletteBytes = 768;
  if (image.mode == kPsdPalette && image.palette.size() < kPaletteBytes)
    throw std::runtime_error("it is damaged: its palette is missing");
  readResources(bytes.section(4), image);
  image.alpha = hasOpacity(bytes.section(image.large ? 8 : 4), image) && image.channels > image.colours() &&
                image.bits != 32 && image.mode != kPsdCmyk;
  image.pixels = bytes.left;
  return image;
}

// Decodes a row of PackBits. Throws std::runtime_error unless the runs fill the row exactly.
void unpackRow(std::string_view packed, std::string& row) {
  std::size_t at = 0;
  PsdBytes bytes{packed};
  while (at < row.size()) {
    const auto code = static_cast<unsigned>(bytes.number(1));
    if (code == 128) continue;
    const std::size_t count = code < 128 ? code + 1 : 257 - code;
    if (count > row.size() - at) throw std::runtime_error("it is damaged: a run is longer than its row");
    if (code < 128)
      bytes.take(count).copy(&row[at], count);
    else
      row.replace(at, count, count, static_cast<char>(bytes.number(1)));
    at += count;
  }
}

// Returns the first `kept` channels, interleaved, bottom row first. T: 8 or 16 bits (bitmaps become 0 and 255), or
// float.
template <class T>
std::vector<T> samplesOf(const PsdImage& image, int kept) {
  PsdBytes bytes{image.pixels};
  const std::uint64_t packing = bytes.number(2);
  if (packing > 1) throw std::runtime_error("its pixels are packed by ZIP: save it once more");
  const auto width = static_cast<std::size_t>(image.size.x), height = static_cast<std::size_t>(image.size.y),
             pixel = static_cast<std::size_t>(kept), lengthBytes = std::size_t{image.large ? 4u : 2u};
  requireRoomToDecode(image.size, 2.0 * static_cast<double>(pixel * sizeof(T)));
  PsdBytes lengths{packing == 1 ? bytes.take(static_cast<std::size_t>(image.channels) * height * lengthBytes)
                                : std::string_view()};
  std::vector<T> samples(width * height * pixel);
  std::string row(image.rowBytes(), '\0');
  for (std::size_t c = 0; c < pixel; ++c)
    for (std::size_t y = height; y-- > 0;) {
      if (packing == 1)
        unpackRow(bytes.take(lengths.number(lengthBytes)), row);
      else
        row = bytes.take(row.size());
      T* to = &samples[y * width * pixel + c];
      for (std::size_t x = 0; x < width; ++x, to += pixel) {
        const auto byteAt = [&](std::size_t i) {
          return static_cast<std::uint32_t>(static_cast<unsigned char>(row[i]));
        };
        if constexpr (sizeof(T) == 1)
          *to = static_cast<T>(image.bits == 1 ? ((byteAt(x / 8) >> (7 - x % 8) & 1u) != 0 ? 0 : 255) : byteAt(x));
        else if constexpr (sizeof(T) == 2)
          *to = static_cast<T>(byteAt(2 * x) << 8 | byteAt(2 * x + 1));
        else
          *to = std::bit_cast<float>(byteAt(4 * x) << 24 | byteAt(4 * x + 1) << 16 | byteAt(4 * x + 2) << 8 |
                                     byteAt(4 * x + 3));
      }
    }
  return samples;
}

template <class T>
void fill(Picture& picture, const PsdImage& image) {
  constexpr T kMax = static_cast<T>(-1);
  const int kept = image.colours() + (image.alpha ? 1 : 0);
  std::vector<T> samples = samplesOf<T>(image, kept);
  const std::string profile(image.profile);
  if (image.mode == kPsdCmyk) {
    for (T& ink : samples) ink = static_cast<T>(kMax - ink);
    convertCmyk(picture, samples.data(), profile);
    return;
  }
  // Photoshop stores colours blended over white: c' = a c + (1 - a). Recovers c.
  const auto pixel = static_cast<std::size_t>(kept);
  for (std::size_t i = 0; image.alpha && i < samples.size(); i += pixel) {
    const T opacity = samples[i + pixel - 1];
    for (std::size_t c = 0; c + 1 < pixel && opacity != 0 && opacity != kMax; ++c) {
      const double white = kMax - opacity, colour = samples[i + c];
      samples[i + c] = static_cast<T>(std::clamp((colour - white) * kMax / opacity + 0.5, 0.0, double{kMax}));
    }
  }
  convert(picture, samples.data(), kept, 0.0, profile);
}

void fillByPalette(Picture& picture, const PsdImage& image) {
  const bool clear = image.clearIndex >= 0;
  std::vector<std::uint8_t> samples;
  for (const std::uint8_t index : samplesOf<std::uint8_t>(image, 1)) {
    for (std::size_t c = 0; c < 3; ++c) samples.push_back(static_cast<std::uint8_t>(image.palette[256 * c + index]));
    if (clear) samples.push_back(index == image.clearIndex ? 0 : 255);
  }
  convert(picture, samples.data(), clear ? 4 : 3, 0.0, std::string(image.profile));
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  const PsdImage image = readImage(bytes, limits);
  Picture picture{image.size, {}, image.bits != 32, {}};
  if (image.bits == 32) {
    convertLight(picture, samplesOf<float>(image, image.colours()).data(), image.colours());
    if (!image.profile.empty()) addNote(picture.notes, "its ICC profile is left out: sRGB primaries assumed");
  } else if (image.mode == kPsdPalette) {
    fillByPalette(picture, image);
  } else if (image.bits == 16) {
    fill<std::uint16_t>(picture, image);
  } else {
    fill<std::uint8_t>(picture, image);
  }
  if (image.mode == kPsdDuotone) addNote(picture.notes, "its inks are left out: grey is shown");
  if (image.channels > image.colours() + (image.alpha ? 1 : 0))
    addNote(picture.notes, "its further channels are left out");
  return picture;
}

glm::ivec2 sizeOf(std::string_view head, const FileLimits&) {
  PsdBytes bytes{head};
  return headOf(bytes).size;
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  const PsdImage image = readImage(bytes, limits);
  const int colours = image.colours();
  DepthImage depth{.size = image.size};
  if (image.mode == kPsdPalette || colours == 4)
    throw std::runtime_error("it is a colour image: depth needs one grey channel");
  if (image.bits == 32 && colours == 1)
    depth.values = samplesOf<float>(image, 1);
  else if (image.bits == 32)
    throw std::runtime_error("it is a colour image: depth needs one grey channel");
  else if (image.bits == 16)
    takeGrey(depth, samplesOf<std::uint16_t>(image, colours).data(), colours, 65535.0f);
  else
    takeGrey(depth, samplesOf<std::uint8_t>(image, colours).data(), colours, 255.0f);
  return depth;
}

bool looksLikeDepth(std::string_view head) try {
  PsdBytes bytes{head};
  const PsdImage image = headOf(bytes);
  return image.mode == kPsdGrey && image.channels == 1;
} catch (const std::runtime_error&) {
  return false;
}

}  // namespace

Codec psd() {
  return {.name = "PSD",
          .extensions = {".psd", ".psb"},
          .begins = [](std::string_view head) { return head.starts_with("8BPS"); },
          .about = {"the image of all layers: 1 to 32 bits, grey, palettes, RGB, CMYK, profile",
                    "inks without a profile; duotones: grey", "Lab and plates; further channels"},
          .picture = pictureOf,
          .size = sizeOf,
          .depth = depthOf,
          .oneChannel = looksLikeDepth};
}

}  // namespace satdof::formats
