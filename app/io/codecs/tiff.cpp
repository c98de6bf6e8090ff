#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <glm/gtc/packing.hpp>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "app/core/system/thread_pool.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/metadata/colour_profile.h"
#include "app/io/metadata/exif.h"
#include "app/io/metadata/ifd.h"
#include "app/io/metadata/orientation.h"

#if SATDOF_HAS_TIFF
#include <tiffio.h>
#endif

// TIFF, by libtiff.
namespace satdof::formats {

namespace {

bool isTiff(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv) || bytes.starts_with("II+\0"sv) ||
         bytes.starts_with("MM\0+"sv);
}

// Tags of TIFF 6.0 that this program writes.
enum WrittenTag : std::uint32_t {
  kWidth = 256,
  kHeight = 257,
  kBits = 258,
  kCompression = 259,
  kPhotometric = 262,
  kStripAt = 273,
  kOrientation = 274,
  kSamples = 277,
  kRowsPerStrip = 278,
  kStripBytes = 279,
  kSoftware = 305,
  kPredictor = 317,
  kSampleFormat = 339,
  kProfile = 34675,
  kSettings = 65000,  // private tag (TIFF reserves 32768 to 65535 for programs): the settings as JSON
  kTexts = 65001,     // private tag: the other texts, one a line, "keyword: text"
};

constexpr std::uint32_t kHeaderBytes = 8;
// Approximate size of a strip: small enough for all threads to compress one.
constexpr std::size_t kStripBytesWanted = std::size_t{1} << 20;

// Returns a strip of `count` rows, compressed by Deflate, with horizontal prediction if `differences`.
template <class T>
std::string compressed(const T* rows, std::size_t rowSamples, std::size_t count, bool differences) {
  constexpr std::size_t kChannels = 3;
  std::vector<T> strip;
  strip.reserve(count * rowSamples);
  // `rows` has the bottom row first; a TIFF has the top row first.
  for (std::size_t row = count; row-- > 0;)
    for (std::size_t i = 0; i < rowSamples; ++i) {
      const T* const at = rows + row * rowSamples + i;
      const T before = differences && i >= kChannels ? *(at - kChannels) : T{};
      strip.push_back(static_cast<T>(*at - before));
    }
  constexpr int kLevel = 4;
  const auto bytes = static_cast<uLong>(strip.size() * sizeof(T));
  uLongf length = compressBound(bytes);
  std::string out(length, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(strip.data()), bytes, kLevel);
  out.resize(length);
  return out;
}

ifd::Value shorts(std::initializer_list<std::uint32_t> values) {
  std::string bytes;
  for (const std::uint32_t value : values) ifd::append(bytes, value, 2);
  return ifd::shorts(bytes);
}

ifd::Value longs(const std::vector<std::size_t>& values) {
  std::string bytes;
  for (const std::size_t value : values) ifd::append(bytes, static_cast<std::uint32_t>(value), 4);
  return ifd::longs(bytes);
}

// Adds the texts and, for integers, the sRGB profile.
void addMetadata(ifd::Directory& directory, const Metadata& metadata, bool floats) {
  constexpr std::uint32_t kHorizontal = 2;
  if (!floats) {
    directory[kPredictor] = shorts({kHorizontal});
    const std::string profile = srgbProfile();
    directory[kProfile] = {ifd::kUndefined, static_cast<std::uint32_t>(profile.size()), profile};
  }
  std::string lines;
  for (const auto& [keyword, text] : metadata.texts) {
    if (keyword == "Software") directory[kSoftware] = ifd::text(text);
    if (keyword == kSettingsKeyword)
      directory[kSettings] = ifd::text(text);
    else
      lines += keyword + ": " + text + '\n';
  }
  if (!lines.empty()) directory[kTexts] = ifd::text(lines);
}

// Encodes RGB samples, bottom row first: integers as sRGB with prediction, floats as linear light.
template <class T>
std::string encoded(const std::vector<T>& samples, glm::ivec2 size, const Metadata& metadata) {
  constexpr bool kFloats = std::is_floating_point_v<T>;
  const std::size_t rowSamples = 3 * static_cast<std::size_t>(size.x), height = static_cast<std::size_t>(size.y);
  const std::size_t rows = std::clamp(kStripBytesWanted / (rowSamples * sizeof(T)), std::size_t{1}, height);
  std::vector<std::string> strips((height + rows - 1) / rows);
  ThreadPool threads(hardwareThreads());
  threads.forEach(static_cast<int>(strips.size()), [&](int i) {
    const std::size_t fromTop = static_cast<std::size_t>(i) * rows, count = std::min(rows, height - fromTop);
    strips[static_cast<std::size_t>(i)] =
        compressed(&samples[(height - fromTop - count) * rowSamples], rowSamples, count, !kFloats);
  });

  constexpr std::uint32_t kDeflate = 8, kRgb = 2, kInteger = 1, kFloat = 3;
  std::vector<std::size_t> lengths(strips.size());
  std::ranges::transform(strips, lengths.begin(), &std::string::size);
  constexpr std::uint32_t kBitsEach = 8 * sizeof(T), kFormat = kFloats ? kFloat : kInteger;
  ifd::Directory directory{{kWidth, longs({static_cast<std::size_t>(size.x)})},
                           {kHeight, longs({height})},
                           {kBits, shorts({kBitsEach, kBitsEach, kBitsEach})},
                           {kCompression, shorts({kDeflate})},
                           {kPhotometric, shorts({kRgb})},
                           {kStripAt, longs(lengths)},
                           {kOrientation, shorts({1})},
                           {kSamples, shorts({3})},
                           {kRowsPerStrip, longs({rows})},
                           {kStripBytes, longs(lengths)},
                           {kSampleFormat, shorts({kFormat, kFormat, kFormat})}};
  addMetadata(directory, metadata, kFloats);
  // Directories precede the pixels, so that the head of the file contains the settings.
  std::size_t end = kHeaderBytes + withFacts(directory, metadata.exif, kHeaderBytes).size();
  for (std::size_t& length : lengths) end += std::exchange(length, end);
  if (end > std::numeric_limits<std::uint32_t>::max()) throw encoderFailed(size, ".tif", "a file of 4 GB");
  directory[kStripAt] = longs(lengths);
  std::string file = ifd::header(kHeaderBytes) + withFacts(std::move(directory), metadata.exif, kHeaderBytes);
  file.reserve(end);
  for (const std::string& strip : strips) file += strip;
  return file;
}

std::string write(Pixels& pixels, const Metadata& metadata, const WriteOptions&) {
  return !pixels.light.empty()   ? encoded(pixels.light, pixels.size, metadata)
         : !pixels.rgb16.empty() ? encoded(pixels.rgb16, pixels.size, metadata)
                                 : encoded(pixels.rgb8, pixels.size, metadata);
}

std::optional<std::string> textOf(std::string_view bytes, std::string_view keyword) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  const std::uint32_t wanted = keyword == kSettingsKeyword ? kSettings : kTexts;
  const ifd::Directory found = ifd::Structure(bytes).first([&](std::uint32_t tag) { return tag == wanted; }, kMaxBytes);
  if (found.empty() || found.begin()->second.type != ifd::kText) return std::nullopt;
  std::string text = found.begin()->second.bytes;
  if (!text.empty()) text.pop_back();
  if (wanted == kSettings) return text;
  std::istringstream lines(text);
  const std::string start = std::string(keyword) + ": ";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) return line.substr(start.size());
  return std::nullopt;
}

std::string exifOf(std::string_view head) {
  constexpr std::size_t kMaxBytes = 2;
  return ifd::header(kHeaderBytes) +
         withFacts(ifd::Structure(head).first([](std::uint32_t tag) { return tag == kOrientation; }, kMaxBytes), head,
                   kHeaderBytes);
}

#if SATDOF_HAS_TIFF

constexpr double kMaxPixelsPerByte = 1e5;  // images of a single colour

// A file in memory as libtiff reads it, and the last error of libtiff.
struct Source {
  std::string_view bytes;
  std::size_t at = 0;
  std::string error{};

  static Source& of(thandle_t handle) { return *static_cast<Source*>(handle); }
  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    Source& source = of(handle);
    const std::size_t left = source.bytes.size() - std::min(source.at, source.bytes.size());
    const std::size_t taken = std::min(left, static_cast<std::size_t>(std::max<tmsize_t>(count, 0)));
    std::memcpy(to, source.bytes.data() + std::min(source.at, source.bytes.size()), taken);
    source.at += taken;
    return static_cast<tmsize_t>(taken);
  }
  static toff_t seek(thandle_t handle, toff_t to, int whence) {
    Source& source = of(handle);
    const std::size_t from = whence == SEEK_CUR ? source.at : whence == SEEK_END ? source.bytes.size() : 0;
    source.at = from + static_cast<std::size_t>(to);
    return source.at;
  }
  static void fail(thandle_t handle, const char*, const char* format, va_list values) {
    char text[200];
    std::vsnprintf(text, sizeof text, format, values);
    if (handle != nullptr) of(handle).error = text;
  }
};

struct Close {
  void operator()(TIFF* file) const { TIFFClose(file); }
};
using File = std::unique_ptr<TIFF, Close>;

[[noreturn]] void refuse(const Source& source) {
  throw std::runtime_error("libtiff: " + (source.error.empty() ? "unknown error" : excerpt(source.error, 200)));
}

File openTiff(Source& source, const FileLimits& limits) {
  constexpr std::int64_t kMin = std::int64_t{16} << 20, kPixelBytes = 16;
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  TIFFSetErrorHandlerExt(Source::fail);
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), std::max(kMin, kPixelBytes * limits.pixels));
  // "m" disables memory mapping.
  File file(TIFFClientOpenExt(
      "", "rm", &source, Source::read, [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; }, Source::seek,
      [](thandle_t) { return 0; }, [](thandle_t handle) -> toff_t { return Source::of(handle).bytes.size(); }, nullptr,
      nullptr, options.get()));
  if (!file) refuse(source);
  return file;
}

// Returns the value of a tag or its default in the TIFF specification; `otherwise` if it has neither.
template <class T>
T tag(const File& file, std::uint32_t name, T otherwise) {
  T value{};
  return TIFFGetFieldDefaulted(file.get(), name, &value) == 1 ? value : otherwise;
}

glm::ivec2 storedSize(const File& file) {
  constexpr auto kMax = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
  const auto side = [&](std::uint32_t name) {
    return static_cast<int>(std::min(tag<std::uint32_t>(file, name, 0), kMax));
  };
  return {side(TIFFTAG_IMAGEWIDTH), side(TIFFTAG_IMAGELENGTH)};
}

// The samples of an image as they are stored.
struct TiffImage {
  glm::ivec2 size{0};
  int channels = 1, bits = 8;
  int storedBits = 8;                   // bits of a sample in the file; `bits`: of a sample in `rows`
  std::uint32_t largest = 0xffffffffu;  // largest integer in `rows`
  std::uint16_t format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
  int extra = 0;       // channels after the colours
  bool alpha = false;  // the first extra channel is unassociated alpha
  int orientation = 1;
  std::vector<unsigned char> rows{};  // bottom row first
  std::string profile{};

  std::uint64_t lineBits() const {
    return static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(channels) *
           static_cast<std::uint64_t>(storedBits);
  }
  std::size_t sampleBytes() const { return static_cast<std::size_t>(bits) / 8; }
  std::size_t stride() const {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(channels) * sampleBytes();
  }
};

TiffImage headOf(const File& file, const Source& source) {
  constexpr std::size_t kCanonAt = 8;
  const bool isCanonRaw = source.bytes.substr(std::min(kCanonAt, source.bytes.size())).starts_with("CR");
  if (isCanonRaw || (tag<std::uint32_t>(file, TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0)
    throw std::runtime_error(
        "its first image is a small preview, as in raw files of cameras: develop it to TIFF, PNG or EXR");
  TiffImage image{.size = storedSize(file)};
  image.channels = tag<std::uint16_t>(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  image.bits = image.storedBits = tag<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE, 1);
  image.format = tag<std::uint16_t>(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (image.format == SAMPLEFORMAT_VOID) image.format = SAMPLEFORMAT_UINT;
  image.photometric = tag<std::uint16_t>(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  image.orientation = tag<std::uint16_t>(file, TIFFTAG_ORIENTATION, 1);
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  if (TIFFGetFieldDefaulted(file.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1) {
    image.extra = count;
    image.alpha = count > 0 && kinds[0] == EXTRASAMPLE_UNASSALPHA;
  }
  std::uint32_t bytes = 0;
  void* profile = nullptr;
  if (TIFFGetField(file.get(), TIFFTAG_ICCPROFILE, &bytes, &profile) == 1 && profile != nullptr)
    image.profile.assign(static_cast<const char*>(profile), bytes);
  return image;
}

// How samples are widened for TiffImage::rows. none: stored as they are; numbers: integers of fewer than 16 bits become
// 16 bits, all others 32 bits, with the same value; shades: scaled to 0 to 65535.
enum class Widening { none, numbers, shades };

// Whether no C++ type has the number of bits of a sample.
bool hasOddBits(const TiffImage& image) {
  const int bits = image.storedBits;
  return (image.format == SAMPLEFORMAT_UINT && bits >= 1 && bits <= 24 && bits != 8 && bits != 16) ||
         (image.format == SAMPLEFORMAT_IEEEFP && bits == 24);
}

Widening wideningOf(const TiffImage& image, bool picture) {
  const bool shades = picture && image.format == SAMPLEFORMAT_UINT;
  if (shades && image.storedBits == 32) return Widening::shades;
  if (!hasOddBits(image)) return Widening::none;
  return shades ? Widening::shades : Widening::numbers;
}

// Returns the sample at a bit offset of a line. Bits are in big-endian order, but libtiff swaps samples of whole bytes
// to the order of the machine.
std::uint32_t sampleAt(const unsigned char* line, std::uint64_t bit, int bits) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t first = bit / 8, last = (bit + static_cast<std::uint64_t>(bits) - 1) / 8;
  std::uint64_t window = 0;
  for (std::uint64_t i = first; i <= last; ++i) window = window << 8 | line[bits % 8 == 0 ? first + last - i : i];
  window >>= 8 * (last - first + 1) - bit % 8 - static_cast<std::uint64_t>(bits);
  return static_cast<std::uint32_t>(window & ((std::uint64_t{1} << bits) - 1));
}

// Converts a float of 24 bits: a sign, 7 bits of exponent, 16 bits of mantissa.
float floatOf24(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x800000u) << 8, exponent = bits >> 16 & 0x7fu, mantissa = bits & 0xffffu;
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -62 - 16)
                     : exponent < 0x7f
                         ? std::ldexp(static_cast<float>(mantissa | 0x10000u), static_cast<int>(exponent) - 63 - 16)
                     : mantissa == 0 ? std::numeric_limits<float>::infinity()
                                     : std::numeric_limits<float>::quiet_NaN();
  return sign != 0 ? -size : size;
}

void widen(unsigned char* to, const TiffImage& image, std::uint32_t sample, Widening widening) {
  const int bits = image.storedBits;
  if (image.format == SAMPLEFORMAT_IEEEFP) {
    sample = std::bit_cast<std::uint32_t>(floatOf24(sample));
  } else if (widening == Widening::shades) {
    const std::uint32_t most = (1u << std::min(bits, 16)) - 1;
    sample = bits > 16 ? sample >> (bits - 16) : (sample * 65535u + most / 2) / most;
  }
  std::memcpy(to, &sample, image.sampleBytes());  // the lower half comes first
}

// Copies a tile or scanline of `size` texels to image.rows at `from`: all channels (`together`), else the channel
// `plane`.
void copyChunk(TiffImage& image, const std::vector<unsigned char>& part, glm::ivec2 from, glm::ivec2 size, int plane,
               bool together, Widening widening) {
  const std::size_t sample = image.sampleBytes(), pixel = static_cast<std::size_t>(image.channels) * sample,
                    each = together ? static_cast<std::size_t>(image.channels) : 1;
  const auto stored = static_cast<std::size_t>(image.storedBits);
  const std::size_t lineBytes = (static_cast<std::size_t>(size.x) * each * stored + 7) / 8;
  for (int y = 0; y < size.y && from.y + y < image.size.y; ++y) {
    const auto row = static_cast<std::size_t>(image.size.y - 1 - from.y - y);
    const unsigned char* const line = &part[static_cast<std::size_t>(y) * lineBytes];
    for (int x = 0; x < size.x && from.x + x < image.size.x; ++x) {
      unsigned char* const to = &image.rows[row * image.stride() + static_cast<std::size_t>(from.x + x) * pixel +
                                            (together ? 0 : static_cast<std::size_t>(plane) * sample)];
      const std::size_t at = static_cast<std::size_t>(x) * each;
      if (widening == Widening::none) {
        std::memcpy(to, &line[at * sample], each * sample);
        continue;
      }
      for (std::size_t c = 0; c < each; ++c)
        widen(to + c * sample, image, sampleAt(line, (at + c) * stored, image.storedBits), widening);
    }
  }
}

// Throws std::runtime_error if libtiff would allocate far more for a strip or tile than the image needs.
void requireBoundedChunks(const File& file, const TiffImage& image) {
  constexpr std::uint64_t kMaxPart = std::uint64_t{64} << 20;
  const bool tiled = TIFFIsTiled(file.get()) != 0;
  const std::uint64_t held = tiled ? TIFFTileSize64(file.get()) : TIFFStripSize64(file.get());
  const std::uint64_t whole = (image.lineBits() + 7) / 8 * static_cast<std::uint64_t>(image.size.y);
  if (held < 1 || held > std::max(kMaxPart, 4 * whole))
    throw std::runtime_error("its strips or tiles have an impossible size");
}

void readSamples(const File& file, const Source& source, TiffImage& image, bool picture) {
  const Widening widening = wideningOf(image, picture);
  const bool shades = widening == Widening::shades, integers = image.format == SAMPLEFORMAT_UINT;
  if (widening != Widening::none) image.bits = shades || (integers && image.storedBits < 16) ? 16 : 32;
  if (const int bits = shades ? 16 : image.storedBits; bits < 32) image.largest = (1u << bits) - 1;
  requireBoundedChunks(file, image);
  const bool together = tag<std::uint16_t>(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_CONTIG;
  const bool tiled = TIFFIsTiled(file.get()) != 0;
  glm::ivec2 step(image.size.x, 1);
  if (tiled)
    step = {static_cast<int>(tag<std::uint32_t>(file, TIFFTAG_TILEWIDTH, 0)),
            static_cast<int>(tag<std::uint32_t>(file, TIFFTAG_TILELENGTH, 0))};
  const std::uint64_t bytes = tiled ? TIFFTileSize64(file.get()) : TIFFScanlineSize64(file.get());
  if (step.x < 1 || step.y < 1 || bytes < 1) throw std::runtime_error("its strips or tiles have an impossible size");
  const std::uint64_t lineSamples =
      static_cast<std::uint64_t>(step.x) * (together ? static_cast<std::uint64_t>(image.channels) : 1);
  const std::uint64_t needed =
      (lineSamples * static_cast<std::uint64_t>(image.storedBits) + 7) / 8 * static_cast<std::uint64_t>(step.y);
  if (bytes < needed) throw std::runtime_error("its strips or tiles have an impossible size");
  image.rows.resize(image.stride() * static_cast<std::size_t>(image.size.y));
  std::vector<unsigned char> part(bytes);
  for (int plane = 0; plane < (together ? 1 : image.channels); ++plane)
    for (int y = 0; y < image.size.y; y += step.y)
      for (int x = 0; x < image.size.x; x += step.x) {
        const auto px = static_cast<std::uint32_t>(x), py = static_cast<std::uint32_t>(y);
        const auto pp = static_cast<std::uint16_t>(plane);
        const bool read = tiled ? TIFFReadTile(file.get(), part.data(), px, py, 0, pp) >= 0
                                : TIFFReadScanline(file.get(), part.data(), py, pp) == 1;
        if (!read) refuse(source);
        copyChunk(image, part, {x, y}, step, plane, together, widening);
      }
}

bool isLab(const TiffImage& image) {
  return image.photometric == PHOTOMETRIC_CIELAB || image.photometric == PHOTOMETRIC_ICCLAB;
}

// Whether readSamples() supports the image: grey, RGB, CMYK or Lab in plain integers, or grey or RGB in floats. Other
// images need pictureByLibtiff().
bool readsSamples(const TiffImage& image) {
  const int bits = image.storedBits;
  const bool integers =
      image.format == SAMPLEFORMAT_UINT && (hasOddBits(image) || bits == 8 || bits == 16 || bits == 32);
  const bool floats =
      image.format == SAMPLEFORMAT_IEEEFP && (hasOddBits(image) || bits == 16 || bits == 32 || bits == 64);
  const int colours = image.channels - image.extra;
  const bool grey =
      image.photometric == PHOTOMETRIC_MINISBLACK || (image.photometric == PHOTOMETRIC_MINISWHITE && integers);
  return (integers || floats) && ((grey && colours == 1) || (image.photometric == PHOTOMETRIC_RGB && colours == 3) ||
                                  (image.photometric == PHOTOMETRIC_SEPARATED && colours == 4 && integers) ||
                                  (isLab(image) && colours == 3 && integers && (bits == 8 || bits == 16)));
}

// Returns the first `kept` channels, interleaved. Inverts unsigned integers where 0 is white.
template <class T>
std::vector<T> samplesOf(const TiffImage& image, int kept) {
  const std::size_t pixels = pixelCount(image.size);
  std::vector<T> samples(pixels * static_cast<std::size_t>(kept));
  for (std::size_t i = 0; i < pixels; ++i)
    std::memcpy(&samples[i * static_cast<std::size_t>(kept)],
                &image.rows[i * static_cast<std::size_t>(image.channels) * sizeof(T)],
                static_cast<std::size_t>(kept) * sizeof(T));
  if constexpr (std::is_unsigned_v<T>)
    if (image.photometric == PHOTOMETRIC_MINISWHITE)
      for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(kept))
        samples[i] = static_cast<T>(image.largest - samples[i]);
  return samples;
}

// Returns the first `kept` channels of floats of 16, 32 or 64 bits.
std::vector<float> floatsOf(const TiffImage& image, int kept) {
  if (image.bits == 32) return samplesOf<float>(image, kept);
  std::vector<float> floats;
  if (image.bits == 64) {
    for (const double value : samplesOf<double>(image, kept)) floats.push_back(static_cast<float>(value));
  } else {
    for (const std::uint16_t value : samplesOf<std::uint16_t>(image, kept))
      floats.push_back(glm::unpackHalf1x16(value));
  }
  return floats;
}

bool keepsAlpha(const TiffImage& image) {
  return image.alpha && image.format == SAMPLEFORMAT_UINT && image.photometric != PHOTOMETRIC_SEPARATED &&
         !isLab(image);
}

// Changes samples of L*, a* and b* to the encoding of kLab. CIELAB has signed a* and b*. With 16 bits, they and ICCLAB
// have the scale of ICC 2: 256 for 257.
template <class T>
void encodeLab(std::vector<T>& samples, bool icc) {
  constexpr std::uint32_t kSign = 1u << (8 * sizeof(T) - 1), kMax = static_cast<T>(-1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool lightness = i % 3 == 0;
    std::uint32_t value = samples[i] ^ (lightness || icc ? 0 : kSign);
    if (sizeof(T) == 2 && (icc || !lightness)) value = std::min((value * 257 + 128) / 256, kMax);
    samples[i] = static_cast<T>(value);
  }
}

template <class T>
void fill(Picture& picture, const TiffImage& image) {
  const int colours = image.channels - image.extra, kept = colours + (keepsAlpha(image) ? 1 : 0);
  std::vector<T> samples = samplesOf<T>(image, kept);
  if (image.photometric == PHOTOMETRIC_SEPARATED)
    convertCmyk(picture, samples.data(), image.profile);
  else if (isLab(image)) {
    encodeLab(samples, image.photometric == PHOTOMETRIC_ICCLAB);
    convertLab(picture, samples.data());
  } else
    convert(picture, samples.data(), kept, 0.0, image.profile);
}

// Reads palettes and YCbCr by the conversion of libtiff to 8-bit RGBA.
Picture pictureByLibtiff(const File& file, const Source& source, const TiffImage& image) {
  char why[1024] = "";
  if (image.format != SAMPLEFORMAT_UINT && image.format != SAMPLEFORMAT_IEEEFP)
    throw std::runtime_error("its numbers have a sign or two parts: no image, but perhaps depth");
  if (TIFFRGBAImageOK(file.get(), why) == 0) throw std::runtime_error("libtiff: " + excerpt(why, 200));
  requireBoundedChunks(file, image);
  std::vector<std::uint32_t> raster(pixelCount(image.size));
  TIFFSetField(file.get(), TIFFTAG_ORIENTATION,
               ORIENTATION_TOPLEFT);  // libtiff would apply mirroring, but no rotation
  if (TIFFReadRGBAImageOriented(file.get(), static_cast<std::uint32_t>(image.size.x),
                                static_cast<std::uint32_t>(image.size.y), raster.data(), ORIENTATION_BOTLEFT, 1) == 0)
    refuse(source);
  Picture picture{image.size, {}, true, {}};
  const bool grey = image.photometric <= PHOTOMETRIC_MINISBLACK;
  std::vector<std::uint8_t> samples;
  samples.reserve((grey ? 1 : 3) * raster.size());
  bool transparent = false;
  for (const std::uint32_t texel : raster) {
    samples.push_back(static_cast<std::uint8_t>(TIFFGetR(texel)));
    if (!grey) {
      samples.push_back(static_cast<std::uint8_t>(TIFFGetG(texel)));
      samples.push_back(static_cast<std::uint8_t>(TIFFGetB(texel)));
    }
    transparent = transparent || TIFFGetA(texel) != 255;
  }
  convert(picture, samples.data(), grey ? 1 : 3, 0.0, image.profile);
  if (image.bits > 8) addNote(picture.notes, "its " + std::to_string(image.bits) + " bits are read as 8");
  if (transparent) addNote(picture.notes, "transparent pixels blended over black");
  if (image.extra > (image.alpha || transparent ? 1 : 0)) addNote(picture.notes, "its further channels are left out");
  if (tag<std::uint16_t>(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_OJPEG)
    addNote(picture.notes, "its old kind of JPEG leaves details open: colours may differ");
  return picture;
}

void noteLaterImages(const File& file, Notes& notes) {
  if (TIFFReadDirectory(file.get()) == 1) addNote(notes, "its later images are left out");
}

Picture pictureOfSamples(const File& file, const Source& source, TiffImage& image) {
  readSamples(file, source, image, true);
  Picture picture{image.size, {}, image.format == SAMPLEFORMAT_UINT, {}};
  if (image.format == SAMPLEFORMAT_IEEEFP)
    convertLight(picture, floatsOf(image, image.channels - image.extra).data(), image.channels - image.extra);
  else if (image.bits == 16)
    fill<std::uint16_t>(picture, image);
  else
    fill<std::uint8_t>(picture, image);
  if (image.extra > (keepsAlpha(image) ? 1 : 0)) addNote(picture.notes, "its further channels are left out");
  return picture;
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  Source source{bytes};
  const File file = openTiff(source, limits);
  TiffImage image = headOf(file, source);
  requireSize(image.size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(image.size, 2.0 * std::max(image.channels * std::max(image.bits / 8, 4), 4));
  Picture picture = readsSamples(image) ? pictureOfSamples(file, source, image) : pictureByLibtiff(file, source, image);
  applyOrientation(picture.rgba, picture.size, 4, image.orientation);
  noteLaterImages(file, picture.notes);
  return picture;
}

template <class T>
void appendNumbers(DepthImage& depth, const TiffImage& image) {
  for (const T value : samplesOf<T>(image, 1)) depth.values.push_back(static_cast<float>(value));
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  Source source{bytes};
  const File file = openTiff(source, limits);
  TiffImage image = headOf(file, source);
  DepthImage depth{.size = image.size};
  requireSize(image.size, limits, bytes.size(), kMaxPixelsPerByte);
  requireRoomToDecode(image.size, 2.0 * std::max(image.channels * std::max(image.bits / 8, 4), 4));
  const int colours = image.channels - image.extra;
  const bool numbers = hasOddBits(image) || image.bits == 8 || image.bits == 16 || image.bits == 32 || image.bits == 64;
  if (image.photometric > PHOTOMETRIC_RGB || (colours != 1 && colours != 3) || !numbers)
    throw std::runtime_error("depth needs one grey channel of 1 to 24, 32 or 64 bits");
  if (image.bits == 64 && image.format != SAMPLEFORMAT_IEEEFP)
    throw std::runtime_error("its integers have 64 bits: depth needs at most 32, or floats");
  if (image.photometric == PHOTOMETRIC_MINISWHITE && image.format != SAMPLEFORMAT_UINT)
    throw std::runtime_error("its numbers fall from black to white, but have a sign or are floats");
  const auto of = [&](std::uint16_t format, int bits) { return image.format == format && image.bits == bits; };
  readSamples(file, source, image, false);
  if (of(SAMPLEFORMAT_UINT, 8)) {
    takeGrey(depth, samplesOf<std::uint8_t>(image, colours).data(), colours, 255.0f);
  } else if (of(SAMPLEFORMAT_UINT, 16)) {
    takeGrey(depth, samplesOf<std::uint16_t>(image, colours).data(), colours, static_cast<float>(image.largest));
  } else if (colours != 1) {
    throw std::runtime_error("it is a colour image: depth needs one grey channel");
  } else if (image.format == SAMPLEFORMAT_IEEEFP && image.bits != 8) {
    depth.values = floatsOf(image, 1);
  } else if (of(SAMPLEFORMAT_UINT, 32)) {
    appendNumbers<std::uint32_t>(depth, image);
  } else if (of(SAMPLEFORMAT_INT, 16)) {
    appendNumbers<std::int16_t>(depth, image);
  } else if (of(SAMPLEFORMAT_INT, 32)) {
    appendNumbers<std::int32_t>(depth, image);
  } else {
    throw std::runtime_error("its numbers are of an unknown kind");
  }
  applyOrientation(depth.values, depth.size, 1, image.orientation);
  noteLaterImages(file, depth.notes);
  return depth;
}

glm::ivec2 sizeOf(std::string_view head, const FileLimits& limits) {
  Source source{head};
  const File file = openTiff(source, limits);
  return orientedSize(storedSize(file), tag<std::uint16_t>(file, TIFFTAG_ORIENTATION, 1));
}

bool isOneChannel(std::string_view head) try {
  Source source{head};
  const File file = openTiff(source, {});
  const TiffImage image = headOf(file, source);
  return image.channels == 1 && image.photometric <= PHOTOMETRIC_MINISBLACK;
} catch (const std::runtime_error&) {
  return false;
}

std::string library() {
  const std::string_view text = TIFFGetVersion();  // "LIBTIFF, Version 4.5.0\nCopyright ..."
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t at = line.rfind(' ');
  return "libtiff " + std::string(at == line.npos ? line : line.substr(at + 1));
}

#else

[[noreturn]] void refuse() {
  throw std::runtime_error("TIFF is not read: this program was built without libtiff; convert it to PNG or EXR");
}

std::string library() { return {}; }
bool isOneChannel(std::string_view) { return false; }
Picture pictureOf(std::string_view, const FileLimits&) { refuse(); }
DepthImage depthOf(std::string_view, const FileLimits&) { refuse(); }
glm::ivec2 sizeOf(std::string_view, const FileLimits&) { refuse(); }

#endif

}  // namespace

Codec tiff() {
  return {
      .name = "TIFF",
      .extensions = {".tif", ".tiff"},
      .begins = isTiff,
      .about = {"strips and tiles of 1 to 32 bits or floats of 16 to 64; grey, RGB, palettes, YCbCr, "
                "CMYK, Lab; profile, orientation; signed depth of 16 and 32 bits",
                "inks without a profile; palettes, YCbCr: 8 bits", "later images, further channels, raw files",
                "libtiff"},
      .picture = pictureOf,
      .size = sizeOf,
      .depth = depthOf,
      .oneChannel = isOneChannel,
      .needsWholeFile = true,
      .exif = exifOf,
      .text = textOf,
      .library = library,
      .choices = {{"TIFF, 8 bit", "As displayed, with an sRGB profile; contains the settings", 8},
                  {"TIFF, 16 bit", "The same with 16 bits per channel", 16},
                  {"TIFF, 32 bit float", "Linear light before exposure; contains the settings", 32, Content::light}},
      .write = write};
}

}  // namespace satdof::formats
