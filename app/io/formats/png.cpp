#include "app/io/formats/png.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstring>
#include <stdexcept>

#include "app/core/text/formatted.h"
#include "app/io/damage.h"

namespace satdof {

namespace {

constexpr std::size_t kSignatureBytes = 8;
// Limits against damaged files.
constexpr png_alloc_size_t kMaxTextBytes = 1 << 20;  // of an expanded text chunk
constexpr png_uint_32 kMaxChunks = 16;               // kept by libpng
constexpr png_alloc_size_t kMaxProfileBytes = 16 << 20;

// libpng reports errors by longjmp(): functions that call setjmp() own no objects with destructors.

void append(png_structp png, png_bytep data, std::size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), count);
}

void take(png_structp png, png_bytep data, std::size_t count) {
  auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(png));
  if (count > rest.size()) png_error(png, "truncated");
  std::memcpy(data, rest.data(), count);
  rest.remove_prefix(count);
}

[[noreturn]] void leave(png_structp png, png_const_charp why) {
  if (auto* const reason = static_cast<std::string*>(png_get_error_ptr(png))) *reason = why;
  png_longjmp(png, 1);
}

void ignore(png_structp, png_const_charp) {}

bool write(png_structp png, png_infop info, png_bytepp rows, glm::ivec2 size, int bitDepth, int channels,
           png_textp texts, int textCount, std::string_view exif) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, static_cast<png_uint_32>(size.x), static_cast<png_uint_32>(size.y), bitDepth,
               channels == 1   ? PNG_COLOR_TYPE_GRAY
               : channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA
                               : PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (channels != 1) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_text(png, info, texts, textCount);
#ifdef PNG_eXIf_SUPPORTED
  if (!exif.empty())
    png_set_eXIf_1(png, info, static_cast<png_uint_32>(exif.size()),
                   reinterpret_cast<png_bytep>(const_cast<char*>(exif.data())));
#endif
  png_set_compression_level(png, 4);
  png_write_info(png, info);
  if (bitDepth == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  png_write_image(png, rows);
  png_write_end(png, nullptr);
  return true;
}

bool readHeader(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_info(png, info);
  return true;
}

// Calls visit(name, content) for each complete chunk until it returns false.
template <class Visit>
void forEachChunk(std::string_view bytes, const Visit& visit) {
  constexpr std::size_t kLengthAndName = 8, kCrc = 4;
  bytes.remove_prefix(std::min(kSignatureBytes, bytes.size()));
  while (bytes.size() >= kLengthAndName + kCrc) {
    const std::size_t length = png_get_uint_32(reinterpret_cast<png_const_bytep>(bytes.data()));
    if (length > bytes.size() - kLengthAndName - kCrc) return;
    if (!visit(bytes.substr(4, 4), bytes.substr(kLengthAndName, length))) return;
    bytes.remove_prefix(kLengthAndName + length + kCrc);
  }
}

// Whether the chunks before the image data lie within `bytes`. libpng allocates the stated length of a chunk unchecked.
bool chunksFit(std::string_view bytes) {
  constexpr std::size_t kLengthAndName = 8, kCrc = 4;
  bytes.remove_prefix(kSignatureBytes);
  while (bytes.size() >= kLengthAndName) {
    if (bytes.substr(4, 4) == "IDAT") return true;
    const std::size_t length = png_get_uint_32(reinterpret_cast<png_const_bytep>(bytes.data()));
    if (length > bytes.size() || bytes.size() - length < kLengthAndName + kCrc) return false;
    bytes.remove_prefix(kLengthAndName + length + kCrc);
  }
  return false;
}

// Expands palettes, samples of less than 8 bits and transparency: pixels then have 1 to 4 samples of 8 or 16 bits.
bool expand(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_expand(png);
  if (png_get_bit_depth(png, info) == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

// Whether the chunk cHRM gives other primaries or another white than sRGB.
bool hasOtherPrimaries(png_structp png, png_infop info) {
  constexpr std::array kSrgbChromaticities = {0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06};
  constexpr double kRounded = 0.005;
  std::array<double, 8> xy = kSrgbChromaticities;
  png_get_cHRM(png, info, &xy[0], &xy[1], &xy[2], &xy[3], &xy[4], &xy[5], &xy[6], &xy[7]);
  return !std::ranges::equal(xy, kSrgbChromaticities, [](double a, double b) { return std::abs(a - b) < kRounded; });
}

// Adds a note on a chunk cICP, code points of ITU-T H.273, that does not say sRGB.
void noteCodePoints(Notes& notes, std::string_view bytes) {
  constexpr int kPrimaries = 1, kCurve = 13;  // of sRGB
  forEachChunk(bytes, [&](std::string_view name, std::string_view content) {
    if (name == "cICP" && content.size() > 1) {
      const int primaries = static_cast<unsigned char>(content[0]), curve = static_cast<unsigned char>(content[1]);
      if (primaries != kPrimaries || curve != kCurve)
        addNote(notes, formatted("its colours (cICP: primaries %d, tone curve %d) are ignored", primaries, curve));
    }
    return name != "IDAT";
  });
}

// Returns the ICC profile in a chunk iCCP: a name, a zero, the method of compression, data of Deflate. A single zero if
// the data is damaged or above kMaxProfileBytes. Empty if there is no chunk.
std::string storedProfile(std::string_view bytes) {
  constexpr std::size_t kZeroAndMethod = 2;
  std::string profile;
  forEachChunk(bytes, [&](std::string_view name, std::string_view content) {
    if (name == "iCCP") {
      content.remove_prefix(std::min(content.find('\0'), content.size()));
      content.remove_prefix(std::min(kZeroAndMethod, content.size()));
      profile.resize(kMaxProfileBytes);
      uLongf length = kMaxProfileBytes;
      const bool whole =
          uncompress(reinterpret_cast<Bytef*>(profile.data()), &length, reinterpret_cast<const Bytef*>(content.data()),
                     static_cast<uLong>(content.size())) == Z_OK;
      profile.resize(whole && length > 0 ? length : 1);
    }
    return profile.empty() && name != "IDAT";
  });
  return profile;
}

bool readRows(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_image(png, rows);
  return true;
}

}  // namespace

bool isWholePng(std::string_view bytes) {
  bool whole = false;
  if (isPng(bytes))
    forEachChunk(bytes, [&](std::string_view name, std::string_view content) {
      const auto* const start = reinterpret_cast<png_const_bytep>(name.data());
      const std::size_t length = name.size() + content.size();
      const bool right = crc32_z(0, start, length) == png_get_uint_32(start + length);
      whole = right && name == "IEND";
      return right;
    });
  return whole;
}

std::string pngExif(std::string_view bytes, bool late) {
  std::string exif;
  forEachChunk(bytes, [&](std::string_view name, std::string_view content) {
    if (name == "eXIf") exif = content;
    return exif.empty() && (late || name != "IDAT");
  });
  return exif;
}

bool isAnimatedPng(std::string_view bytes) {
  bool animated = false;
  forEachChunk(bytes, [&](std::string_view name, std::string_view) {
    animated = name == "acTL";
    return !animated && name != "IDAT";
  });
  return animated;
}

std::string encodePng(const void* rows, glm::ivec2 size, int bitDepth, const std::vector<ImageText>& texts,
                      int channels, std::string_view exif) {
  const auto stride = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(channels * bitDepth / 8);
  std::vector<png_bytep> topFirst(static_cast<std::size_t>(size.y));
  for (std::size_t y = 0; y < topFirst.size(); ++y)
    topFirst[y] = static_cast<png_bytep>(const_cast<void*>(rows)) + (topFirst.size() - 1 - y) * stride;
  std::vector<png_text> chunks(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    chunks[i].compression = PNG_TEXT_COMPRESSION_NONE;
    chunks[i].key = const_cast<char*>(texts[i].keyword.c_str());
    chunks[i].text = const_cast<char*>(texts[i].text.c_str());
    chunks[i].text_length = texts[i].text.size();
  }

  std::string bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append, nullptr);
  const bool written =
      write(png, info, topFirst.data(), size, bitDepth, channels, chunks.data(), static_cast<int>(chunks.size()), exif);
  png_destroy_write_struct(&png, &info);
  if (!written)
    throw std::runtime_error("cannot encode an image of " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                             " as .png: libpng failed; try .pfm");
  return bytes;
}

bool isPng(std::string_view bytes) {
  return bytes.size() >= kSignatureBytes &&
         png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, kSignatureBytes) == 0;
}

std::optional<std::string> pngText(std::string_view bytes, std::string_view keyword) {
  if (!isPng(bytes) || !chunksFit(bytes)) return std::nullopt;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore);
  png_infop info = png_create_info_struct(png);
  png_set_read_fn(png, &bytes, take);
  png_set_chunk_malloc_max(png, kMaxTextBytes);
  png_set_chunk_cache_max(png, kMaxChunks);
  std::optional<std::string> found;
  if (readHeader(png, info)) {
    png_textp texts = nullptr;
    const int count = png_get_text(png, info, &texts, nullptr);
    for (int i = 0; i < count; ++i)
      if (keyword == texts[i].key) found = std::string(texts[i].text);
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return found;
}

std::optional<glm::ivec2> pngSize(std::string_view bytes) {
  constexpr std::size_t kHeaderEnd = 24;
  if (!isPng(bytes) || bytes.size() < kHeaderEnd) return std::nullopt;
  const auto* const header = reinterpret_cast<png_const_bytep>(bytes.data());
  const glm::uvec2 size(png_get_uint_32(header + 16), png_get_uint_32(header + 20));
  if (size.x > PNG_UINT_31_MAX || size.y > PNG_UINT_31_MAX) return std::nullopt;
  return glm::ivec2(size);
}

PngImage decodePng(std::string_view bytes, const FileLimits& limits, Notes* damage) {
  constexpr double kMaxPixelsPerByte = 8.0 * 1032.0;  // the bound of Deflate, for pixels of one bit
  if (!isPng(bytes)) throw std::runtime_error("it is no PNG");
  if (!chunksFit(bytes)) throw std::runtime_error("it is truncated or damaged before its pixels");
  PngImage image;
  image.size = pngSize(bytes).value_or(glm::ivec2(0));
  requireSize(image.size, limits, bytes.size(), kMaxPixelsPerByte);

  std::string reason = "libpng gives no reason";
  struct Reading {
    png_structp png;
    png_infop info;
    ~Reading() { png_destroy_read_struct(&png, &info, nullptr); }
  };
  Reading reading{png_create_read_struct(PNG_LIBPNG_VER_STRING, &reason, leave, ignore), nullptr};
  reading.info = png_create_info_struct(reading.png);
  const auto failed = [&] { return std::runtime_error("libpng: " + reason); };
  std::string_view rest = bytes;
  png_set_read_fn(reading.png, &rest, take);
  png_set_user_limits(reading.png, static_cast<png_uint_32>(limits.side), static_cast<png_uint_32>(limits.side));
  png_set_chunk_malloc_max(reading.png, kMaxProfileBytes);
  png_set_chunk_cache_max(reading.png, kMaxChunks);
  if (!readHeader(reading.png, reading.info) || !expand(reading.png, reading.info)) throw failed();

  image.channels = png_get_channels(reading.png, reading.info);
  image.bitDepth = png_get_bit_depth(reading.png, reading.info);
  png_charp name = nullptr;
  png_bytep profile = nullptr;
  png_uint_32 length = 0;
  int compression = 0, intent = 0;
  const bool srgb = png_get_sRGB(reading.png, reading.info, &intent) != 0;
  if (png_get_iCCP(reading.png, reading.info, &name, &compression, &profile, &length) != 0)
    image.profile.assign(reinterpret_cast<const char*>(profile), length);
  else if (!srgb)
    image.profile = storedProfile(bytes);  // libpng drops profiles for other channels and damaged ones
  if (image.profile.empty() && !srgb) {
    png_get_gAMA(reading.png, reading.info, &image.gamma);
    if (hasOtherPrimaries(reading.png, reading.info))
      addNote(image.notes, "its primaries (cHRM) are ignored: sRGB assumed");
  }
  noteCodePoints(image.notes, bytes);

#ifdef PNG_eXIf_SUPPORTED
  png_uint_32 exifLength = 0;
  if (png_bytep exif = nullptr; png_get_eXIf_1(reading.png, reading.info, &exifLength, &exif) != 0)
    image.exif.assign(reinterpret_cast<const char*>(exif), exifLength);
#endif
  const std::size_t stride = png_get_rowbytes(reading.png, reading.info), rows = static_cast<std::size_t>(image.size.y);
  requireRoomToDecode(image.size, static_cast<double>(stride) / image.size.x);
  image.rows.resize(stride * rows);
  std::vector<png_bytep> topFirst(rows);
  for (std::size_t y = 0; y < rows; ++y) topFirst[y] = image.rows.data() + (rows - 1 - y) * stride;
  if (readRows(reading.png, topFirst.data())) return image;
  if (damage == nullptr || png_get_current_row_number(reading.png) == 0) throw failed();
  addNote(*damage, kDamagedNote);
  return image;
}

}  // namespace satdof
