#include "app/io/codecs/stb.h"

#include <stb_image.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/stb_guard.h"

namespace satdof {

namespace {

constexpr double kMostPixelsPerByte = 4096.0;  // run lengths and LZW of GIF; progressive JPEG

template <class T>
void flipRows(T* samples, glm::ivec2 size, int channels) {
  const size_t stride = static_cast<size_t>(size.x) * static_cast<size_t>(channels);
  for (size_t low = 0, high = static_cast<size_t>(size.y) - 1; low < high; ++low, --high)
    std::swap_ranges(samples + low * stride, samples + (low + 1) * stride, samples + high * stride);
}

void readStbHeader(std::string_view bytes, glm::ivec2& size, int& channels) {
  if (stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                            &size.x, &size.y, &channels) == 0)
    throw stbError(bytes);
  // A BMP from the top has a negative height.
  if (size.y < 0 && size.y != std::numeric_limits<int>::min()) size.y = -size.y;
}

struct FreeStb {
  void operator()(void* samples) const { stbi_image_free(samples); }
};

// A format that has nothing but its pixels.
Codec plain(const char* name, std::vector<std::string> extensions, bool (*begins)(std::string_view),
            const About& about) {
  return {.name = name,
          .extensions = std::move(extensions),
          .begins = begins,
          .about = about,
          .picture = [](std::string_view bytes,
                        const FileLimits& limits) { return pictureByStb(bytes, limits, {}); },
          .size = sizeByStb,
          .depth = depthByStb};
}

struct GifBlocks {
  int images = 0;      // at most 2 are counted
  bool whole = false;  // the first has an end
};
// Blocks of a GIF are extensions (!), images (,) and the end (;).
GifBlocks gifBlocks(std::string_view bytes) {
  GifBlocks found;
  const auto byteAt = [&](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
  const auto palette = [](unsigned flags) { return (flags & 0x80u) != 0 ? size_t{6} << (flags & 7u) : 0; };
  size_t at = 13 + palette(byteAt(10));
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

}  // namespace

Picture pictureByStb(std::string_view bytes, const FileLimits& limits, const std::string& profile) {
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int length = static_cast<int>(bytes.size());
  requireSafeForStb(bytes);
  Picture picture;
  int channels = 0;
  readStbHeader(bytes, picture.size, channels);
  requireSize(picture.size, limits, bytes.size(), kMostPixelsPerByte);
  const auto decoded = [&](auto* samples) {
    if (samples == nullptr) throw stbError(bytes);
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
  requireSize(depth.size, limits, bytes.size(), kMostPixelsPerByte);
  requireRoomToDecode(depth.size, 3.0 * channels);  // the image, the planes of JPEG, and its rows
  glm::ivec2 size{0};
  const std::unique_ptr<stbi_uc, FreeStb> samples(
      stbi_load_from_memory(data, length, &size.x, &size.y, &channels, 0));
  if (!samples) throw stbError(bytes);
  flipRows(samples.get(), depth.size, channels);
  takeGrey(depth, samples.get(), channels, 255.0f);
  return depth;
}

void appendTo(void* string, void* data, int count) {
  static_cast<std::string*>(string)->append(static_cast<const char*>(data), static_cast<size_t>(count));
}

namespace formats {

Codec bmp() {
  return plain("BMP", {".bmp"}, [](std::string_view head) { return head.starts_with("BM"); },
               {"1 to 32 bits, palettes", "", "run lengths"});
}
Codec gif() {
  Codec codec = plain("GIF", {".gif"}, [](std::string_view head) { return head.starts_with("GIF8"); },
                      {"the first image", "a missing end: black", "later images"});
  codec.picture = [](std::string_view bytes, const FileLimits& limits) {
    const GifBlocks blocks = gifBlocks(bytes);
    Picture picture = pictureByStb(bytes, limits, {});
    if (blocks.images == 0) throw std::runtime_error("it is truncated: its image is missing");
    if (!blocks.whole) addNote(picture.notes, "it is cut off: the missing part is black");
    if (blocks.images > 1) addNote(picture.notes, "its later images are left out");
    return picture;
  };
  return codec;
}
Codec psd() {
  Codec codec = plain("PSD", {".psd"}, [](std::string_view head) { return head.starts_with("8BPS"); },
                      {"8 and 16 bits, RGB, all layers in one", "", "profiles; grey, palettes and inks"});
  codec.picture = [](std::string_view bytes, const FileLimits& limits) {
    Picture picture = pictureByStb(bytes, limits, {});
    if (bytes.find("8BIM\x04\x0f") != bytes.npos)
      addNote(picture.notes, "its ICC profile is left out: sRGB assumed");
    return picture;
  };
  return codec;
}
Codec pic() {
  return plain("PIC", {".pic"}, [](std::string_view head) { return head.starts_with("\x53\x80\xf6\x34"); },
               {"8 bits"});
}
Codec tga() { return plain("TGA", {".tga"}, nullptr, {"8 to 32 bits, palettes, run lengths"}); }

}  // namespace formats

}  // namespace satdof
