#include "app/io/codecs/stb.h"

#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/damage.h"
#include "app/io/formats/stb_guard.h"
#include "app/io/metadata/orientation.h"

namespace satdof {

namespace {

constexpr double kMaxPixelsPerByte = 4096.0;  // bound for run lengths, LZW of GIF and progressive JPEG

template <class T>
void flipRows(T* samples, glm::ivec2 size, int channels) {
  const std::size_t stride = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(channels);
  for (std::size_t low = 0, high = static_cast<std::size_t>(size.y) - 1; low < high; ++low, --high)
    std::swap_ranges(samples + low * stride, samples + (low + 1) * stride, samples + high * stride);
}

void readStbHeader(std::string_view bytes, glm::ivec2& size, int& channels) {
  if (stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &size.x,
                            &size.y, &channels) == 0)
    throw stbError(bytes);
  // A top-down BMP has a negative height.
  if (size.y < 0 && size.y != std::numeric_limits<int>::min()) size.y = -size.y;
}

struct FreeStb {
  void operator()(void* samples) const { stbi_image_free(samples); }
};

// Returns a format that stb_image reads, without metadata.
Codec stbCodec(const char* name, std::vector<std::string> extensions, bool (*begins)(std::string_view),
               const FormatSupport& about) {
  return {.name = name,
          .extensions = std::move(extensions),
          .begins = begins,
          .about = about,
          .picture = [](std::string_view bytes, const FileLimits& limits) { return pictureByStb(bytes, limits, {}); },
          .size = sizeByStb,
          .depth = depthByStb};
}

struct GifBlocks {
  int images = 0;      // counts up to 2
  bool whole = false;  // the first image is complete
};
// Scans the blocks of a GIF: extensions (!), images (,) and the trailer (;).
GifBlocks gifBlocks(std::string_view bytes) {
  GifBlocks found;
  const auto byteAt = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  const auto palette = [](unsigned flags) { return (flags & 0x80u) != 0 ? std::size_t{6} << (flags & 7u) : 0; };
  std::size_t at = 13 + palette(byteAt(10));
  while (at < bytes.size()) {
    if (byteAt(at) == ',') {
      if (++found.images == 2) return found;
      at += 11 + palette(byteAt(at + 9));
    } else if (byteAt(at) == '!') {
      at += 2;
    } else {
      return found;
    }
    while (byteAt(at) != 0) at += 1 + byteAt(at);
    found.whole = found.whole || (found.images == 1 && at < bytes.size());
    ++at;
  }
  return found;
}

// Returns the little-endian number of `count` bytes at `at`; bytes beyond the end are 0.
std::uint64_t littleEndianAt(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
  return value;
}

constexpr std::size_t kBmpPacking = 30;  // offset of its number, 0 for plain rows

struct Bmp {
  std::string unpacked{};  // the file without run-length encoding; empty: it has none
  bool truncated = false;
};

// Decodes run-length encoded rows of 8 or 4 (`nibbles`) bits a pixel and appends them to the header in `to`. Skipped
// pixels stay 0. Returns whether the data is complete.
bool unpackBmpRuns(std::string_view packed, std::string& to, std::size_t header, glm::ivec2 size, bool nibbles) {
  const std::size_t stride = (static_cast<std::size_t>(size.x) * (nibbles ? 4 : 8) + 31) / 32 * 4;
  to.resize(header + stride * static_cast<std::size_t>(size.y));
  std::size_t at = 0, x = 0, y = 0;
  const auto width = static_cast<std::size_t>(size.x), height = static_cast<std::size_t>(size.y);
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned>(littleEndianAt(packed, i, 1)); };
  const auto put = [&](unsigned index) {
    if (x < width) {
      char& byte = to[header + y * stride + (nibbles ? x / 2 : x)];
      const unsigned other = nibbles && x % 2 != 0 ? static_cast<unsigned char>(byte) : 0u;
      byte = static_cast<char>(other | index << (nibbles && x % 2 == 0 ? 4 : 0));
    }
    ++x;
  };
  const auto indexOf = [&](unsigned byte, std::size_t i) {
    return nibbles ? byte >> (i % 2 == 0 ? 4 : 0) & 15u : byte;
  };
  while (at + 1 < packed.size() && y < height) {
    const unsigned count = byteAt(at), value = byteAt(at + 1);
    at += 2;
    if (count > 0) {
      for (unsigned i = 0; i < count; ++i) put(indexOf(value, i));
    } else if (value == 0) {  // end of row
      x = 0;
      ++y;
    } else if (value == 1) {  // end of image
      return true;
    } else if (value == 2) {  // offset
      x += byteAt(at);
      y += byteAt(at + 1);
      at += 2;
    } else {
      for (unsigned i = 0; i < value; ++i) put(indexOf(byteAt(at + (nibbles ? i / 2 : i)), i));
      at += std::size_t{(nibbles ? (value + 1) / 2 : value) + 1} / 2 * 2;
    }
  }
  return y >= height;
}

Bmp unpackedBmp(std::string_view bytes, const FileLimits& limits) {
  constexpr std::size_t kPixelsAt = 10, kHeaderBytes = 14, kWidth = 18, kHeight = 22, kBits = 28, kRows = 40;
  Bmp bmp;
  if (littleEndianAt(bytes, kHeaderBytes, 4) < kRows) return bmp;
  const auto side = [&](std::size_t at) {
    return static_cast<int>(static_cast<std::uint32_t>(littleEndianAt(bytes, at, 4)));
  };
  const std::uint64_t pixelsAt = littleEndianAt(bytes, kPixelsAt, 4), bits = littleEndianAt(bytes, kBits, 2),
                      packing = littleEndianAt(bytes, kBmpPacking, 4);
  const glm::ivec2 size(side(kWidth), side(kHeight));
  const bool runs = (packing == 1 && bits == 8) || (packing == 2 && bits == 4);
  if (!runs) {
    const double rows = std::abs(static_cast<double>(size.y)),
                 stride = std::floor((static_cast<double>(size.x) * static_cast<double>(bits) + 31.0) / 32.0) * 4.0;
    bmp.truncated = static_cast<double>(bytes.size()) < static_cast<double>(pixelsAt) + rows * stride;
    return bmp;
  }
  requireSize(size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(size, 2.0);
  if (pixelsAt < kHeaderBytes + kRows || pixelsAt > bytes.size())
    throw std::runtime_error("it is truncated or damaged");
  bmp.unpacked = bytes.substr(0, pixelsAt);
  bmp.unpacked.replace(kBmpPacking, 4, 4, '\0');
  bmp.truncated = !unpackBmpRuns(bytes.substr(pixelsAt), bmp.unpacked, pixelsAt, size, bits == 4);
  return bmp;
}

}  // namespace

Picture pictureByStb(std::string_view bytes, const FileLimits& limits, const std::string& profile) {
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  requireSafeForStb(bytes);
  Picture picture;
  int channels = 0;
  readStbHeader(bytes, picture.size, channels);
  requireSize(picture.size, limits, bytes.size(), kMaxPixelsPerByte);
  const auto decoded = [&](auto* samples) {
    if (samples == nullptr) throw stbError(bytes);
    std::unique_ptr<std::remove_pointer_t<decltype(samples)>, FreeStb> owned(samples);
    flipRows(samples, picture.size, channels);
    return owned;
  };
  glm::ivec2 size{0};
  const bool hdr = stbi_is_hdr_from_memory(data, length) != 0;
  // The decoded image, and as much working memory.
  requireRoomToDecode(picture.size, hdr ? 12.0 : 2.0 * channels * (stbi_is_16_bit_from_memory(data, length) ? 2 : 1));
  if (hdr) {
    channels = 3;
    const auto samples = decoded(stbi_loadf_from_memory(data, length, &size.x, &size.y, nullptr, channels));
    convertLight(picture, samples.get(), channels);
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

glm::ivec2 sizeByStb(std::string_view head, const FileLimits&) {
  requireSafeForStb(head);
  glm::ivec2 size{0};
  int channels = 0;
  readStbHeader(head, size, channels);
  return size;
}

DepthImage depthByStb(std::string_view bytes, const FileLimits& limits) {
  DepthImage depth;
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  requireSafeForStb(bytes);
  int channels = 0;
  readStbHeader(bytes, depth.size, channels);
  requireSize(depth.size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(depth.size, 3.0 * channels);  // the image, the planes of a JPEG, and its rows
  glm::ivec2 size{0};
  const std::unique_ptr<stbi_uc, FreeStb> samples(stbi_load_from_memory(data, length, &size.x, &size.y, &channels, 0));
  if (!samples) throw stbError(bytes);
  flipRows(samples.get(), depth.size, channels);
  takeGrey(depth, samples.get(), channels, 255.0f);
  return depth;
}

void appendTo(void* string, void* data, int count) {
  static_cast<std::string*>(string)->append(static_cast<const char*>(data), static_cast<std::size_t>(count));
}

namespace formats {

Codec bmp() {
  Codec codec = stbCodec("BMP", {".bmp"}, [](std::string_view head) { return head.starts_with("BM"); },
                         {"1 to 32 bits, palettes, run lengths", "a missing end: black"});
  codec.picture = [](std::string_view bytes, const FileLimits& limits) {
    Bmp bmp = unpackedBmp(bytes, limits);
    Picture picture = pictureByStb(bmp.unpacked.empty() ? bytes : bmp.unpacked, limits, {});
    if (bmp.truncated) addNote(picture.notes, kCutOffNote);
    return picture;
  };
  // stb_image refuses run lengths, but the size does not depend on them.
  codec.size = [](std::string_view head, const FileLimits& limits) {
    std::string plain(head);
    if (plain.size() >= kBmpPacking + 4) plain.replace(kBmpPacking, 4, 4, '\0');
    return sizeByStb(plain, limits);
  };
  codec.depth = [](std::string_view bytes, const FileLimits& limits) {
    const Bmp bmp = unpackedBmp(bytes, limits);
    return depthByStb(bmp.unpacked.empty() ? bytes : bmp.unpacked, limits);
  };
  return codec;
}
Codec gif() {
  Codec codec = stbCodec("GIF", {".gif"}, [](std::string_view head) { return head.starts_with("GIF8"); },
                         {"the first image", "a missing end: black", "later images"});
  codec.picture = [](std::string_view bytes, const FileLimits& limits) {
    const GifBlocks blocks = gifBlocks(bytes);
    Picture picture = pictureByStb(bytes, limits, {});
    if (blocks.images == 0) throw std::runtime_error("it is truncated: its image is missing");
    if (!blocks.whole) addNote(picture.notes, kCutOffNote);
    if (blocks.images > 1) addNote(picture.notes, "its later images are left out");
    return picture;
  };
  return codec;
}
Codec pic() {
  return stbCodec("PIC", {".pic"}, [](std::string_view head) { return head.starts_with("\x53\x80\xf6\x34"); },
                  {"8 bits"});
}
Codec tga() {
  Codec codec =
      stbCodec("TGA", {".tga"}, nullptr,
               {"8 to 32 bits, palettes, run lengths", "transparent pixels: blended over black; a missing end: black"});
  codec.picture = [](std::string_view bytes, const FileLimits& limits) {
    constexpr std::size_t kKind = 2, kBits = 16, kFlags = 17, kHead = 18;
    Picture picture = pictureByStb(bytes, limits, {});
    const auto byteAt = [&](std::size_t at) { return static_cast<unsigned>(littleEndianAt(bytes, at, 1)); };
    const std::size_t palette = littleEndianAt(bytes, 5, 2) * ((byteAt(7) + 7) / 8);
    const bool plainRows = byteAt(kKind) <= 3;
    if (plainRows && bytes.size() < kHead + byteAt(0) + palette + pixelCount(picture.size) * ((byteAt(kBits) + 7) / 8))
      addNote(picture.notes, kCutOffNote);
    constexpr int kMirrored = 2;
    if ((byteAt(kFlags) & 0x10u) != 0) applyOrientation(picture.rgba, picture.size, 4, kMirrored);
    return picture;
  };
  return codec;
}

}  // namespace formats

}  // namespace satdof
