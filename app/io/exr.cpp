#include "app/io/exr.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfStringAttribute.h>
#include <ImfThreading.h>
#include <ImfVersion.h>
#include <half.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <glm/common.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/core/foreign_text.h"

namespace satdof {

namespace {

constexpr size_t kMagicAndVersionBytes = 8;
constexpr int kBandRows = 256;  // the largest chunk of scanlines of any compression
constexpr int kMostThreads = 8;
constexpr size_t kThreadedBytes = size_t{1} << 20;  // smaller images are not worth threads

std::uint32_t word(std::string_view bytes) {
  std::uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// An attribute of the header as stored.
struct RawAttribute {
  std::string_view name, type, value;
};

// Takes a zero-terminated text from the front of `bytes`; none if the zero is missing.
std::optional<std::string_view> takeText(std::string_view& bytes) {
  const size_t end = bytes.find('\0');
  if (end == bytes.npos) return std::nullopt;
  const auto text = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return text;
}

// The attributes of the first header. The library allocates what an attribute claims to be long, so every
// length is compared with the file first. None if the header is damaged or incomplete.
std::optional<std::vector<RawAttribute>> attributesOf(std::string_view bytes) {
  std::vector<RawAttribute> found;
  bytes.remove_prefix(kMagicAndVersionBytes);
  for (;;) {
    const auto name = takeText(bytes);
    if (!name) return std::nullopt;
    if (name->empty()) return found;
    const auto type = takeText(bytes);
    if (!type || bytes.size() < 4) return std::nullopt;
    const size_t length = word(bytes);
    bytes.remove_prefix(4);
    if (length > bytes.size()) return std::nullopt;
    found.push_back({*name, *type, bytes.substr(0, length)});
    bytes.remove_prefix(length);
  }
}

// A preview is allocated by the width and height that it claims.
bool previewFits(std::string_view value) {
  if (value.size() < 8) return false;
  const std::uint64_t width = word(value), height = word(value.substr(4));
  return width <= value.size() && height <= value.size() && width * height * 4 + 8 == value.size();
}

// Channels until an empty name.
bool channelsFit(std::string_view value) {
  constexpr size_t kChannelBytes = 16;
  for (;;) {
    const auto name = takeText(value);
    if (!name) return false;
    if (name->empty()) return value.empty();
    if (value.size() < kChannelBytes) return false;
    value.remove_prefix(kChannelBytes);
  }
}

// Strings are allocated by the lengths that they claim.
bool stringsFit(std::string_view value) {
  while (value.size() >= 4) {
    const size_t length = word(value);
    if (length > value.size() - 4) return false;
    value.remove_prefix(4 + length);
  }
  return value.empty();
}

// Whether the value ends where the attribute ends. The library reads a value by its type and takes what follows for the
// next attribute.
bool valueFits(const RawAttribute& attribute) {
  using Size = std::pair<std::string_view, size_t>;
  static constexpr std::array kSizes = {
      Size{"box2f", 16},         Size{"box2i", 16},    Size{"chromaticities", 32},
      Size{"compression", 1},    Size{"double", 8},    Size{"envmap", 1},
      Size{"deepImageState", 1}, Size{"float", 4},     Size{"int", 4},
      Size{"keycode", 28},       Size{"lineOrder", 1}, Size{"m33d", 72},
      Size{"m33f", 36},          Size{"m44d", 128},    Size{"m44f", 64},
      Size{"rational", 8},       Size{"tiledesc", 9},  Size{"timecode", 8},
      Size{"v2d", 16},           Size{"v2f", 8},       Size{"v2i", 8},
      Size{"v3d", 24},           Size{"v3f", 12},      Size{"v3i", 12}};
  if (attribute.type == "preview") return previewFits(attribute.value);
  if (attribute.type == "chlist") return channelsFit(attribute.value);
  if (attribute.type == "stringvector") return stringsFit(attribute.value);
  if (attribute.type == "floatvector") return attribute.value.size() % 4 == 0;
  const auto* const size = std::ranges::find(kSizes, attribute.type, &Size::first);
  return size == kSizes.end() || size->second == attribute.value.size();
}

class MemoryInput final : public Imf::IStream {
 public:
  MemoryInput(std::string_view bytes, const char* file) : IStream(file), bytes_(bytes) {}
  bool read(char to[], int count) override {
    if (count < 0 || at_ > bytes_.size() || static_cast<size_t>(count) > bytes_.size() - at_)
      throw std::runtime_error("the file is cut short");
    std::memcpy(to, bytes_.data() + at_, static_cast<size_t>(count));
    at_ += static_cast<size_t>(count);
    return at_ < bytes_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t at) override { at_ = static_cast<size_t>(at); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

class MemoryOutput final : public Imf::OStream {
 public:
  explicit MemoryOutput(std::string& bytes) : OStream("memory"), bytes_(bytes) {}
  void write(const char from[], int count) override {
    const size_t end = at_ + static_cast<size_t>(count);
    if (end > bytes_.size()) bytes_.resize(end);
    std::memcpy(bytes_.data() + at_, from, static_cast<size_t>(count));
    at_ = end;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t at) override { at_ = static_cast<size_t>(at); }

 private:
  std::string& bytes_;
  size_t at_ = 0;
};

// Threads of the library for an image of this many bytes.
int threadsFor(size_t bytes) {
  static const int all = [] {
    const int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
    Imf::setGlobalThreadCount(threads);
    return threads;
  }();
  return bytes < kThreadedBytes ? 0 : all;
}

size_t bytesOf(Imf::PixelType type) { return type == Imf::HALF ? 2 : 4; }

// Rows of a chunk that the library decompresses at once.
int chunkRows(Imf::Compression compression) {
  switch (compression) {
    case Imf::NO_COMPRESSION:
    case Imf::RLE_COMPRESSION:
    case Imf::ZIPS_COMPRESSION:
      return 1;
    case Imf::ZIP_COMPRESSION:
    case Imf::PXR24_COMPRESSION:
      return 16;
    case Imf::DWAB_COMPRESSION:
      return 256;
    default:
      return 32;
  }
}

// One line without the name of the file, which the caller adds. The library quotes names of the file as they are.
std::string reasonOf(const std::exception& error) {
  std::string text = printable(error.what(), 400);
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "damaged" : text;
}

struct Window {
  glm::ivec2 from, size;
};

// Checks what the library would allocate for the image. Returns the data window.
Window checkedWindow(const Imf::Header& header, bool tiled, size_t fileBytes, const ExrLimits& limits) {
  const auto& box = header.dataWindow();
  const std::int64_t width = std::int64_t{box.max.x} - box.min.x + 1;
  const std::int64_t height = std::int64_t{box.max.y} - box.min.y + 1;
  if (width < 1 || height < 1) throw std::runtime_error("it has no pixels");
  if (width > limits.sidePx || height > limits.sidePx)
    throw std::runtime_error(std::to_string(width) + "x" + std::to_string(height) + " pixels: at most " +
                             std::to_string(limits.sidePx) + " on a side can be read");
  std::uint64_t pixelBytes = 0;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i)
    pixelBytes += bytesOf(i.channel().type);
  std::uint64_t bufferedPixels = 0, chunks = 0;
  const auto columns = static_cast<std::uint64_t>(width), rows = static_cast<std::uint64_t>(height);
  if (tiled) {
    const auto& tile = header.tileDescription();
    const std::uint64_t tileX = tile.xSize, tileY = tile.ySize;
    const auto most = static_cast<std::uint64_t>(limits.sidePx);
    if (tileX < 1 || tileY < 1 || tileX > most || tileY > most)
      throw std::runtime_error("tiles of " + std::to_string(tileX) + "x" + std::to_string(tileY) + " pixels");
    const std::uint64_t across = (columns + tileX - 1) / tileX, down = (rows + tileY - 1) / tileY;
    bufferedPixels = tileX * tileY * 2 * kMostThreads + across * tileX * tileY;
    chunks = across * down;
  } else {
    const auto each = static_cast<std::uint64_t>(chunkRows(header.compression()));
    bufferedPixels = columns * std::min(each, rows + each) * 2 * kMostThreads;
    chunks = (rows + each - 1) / each;
  }
  if (chunks * sizeof(std::uint64_t) > fileBytes) throw std::runtime_error("the file is cut short");
  if (pixelBytes > 0 && bufferedPixels > limits.bytes / pixelBytes)
    throw std::runtime_error("its channels and tiles need more than " + std::to_string(limits.bytes >> 20) +
                             " MiB of memory");
  return {{box.min.x, box.min.y}, {static_cast<int>(width), static_cast<int>(height)}};
}

// The header, without the pixels. Checks everything that does not depend on the limits.
Imf::Header checkedHeader(std::string_view bytes, MemoryInput& stream) {
  if (!isExr(bytes)) throw std::runtime_error("not an OpenEXR file");
  int version = static_cast<int>(word(bytes.substr(4)));
  if (Imf::getVersion(version) != Imf::EXR_VERSION)
    throw std::runtime_error("version " + std::to_string(Imf::getVersion(version)) + " of the format");
  if (Imf::isMultiPart(version)) throw std::runtime_error("several parts; write a file with one");
  if (Imf::isNonImage(version)) throw std::runtime_error("deep pixels; write flat ones");
  const auto attributes = attributesOf(bytes);
  if (!attributes || !std::ranges::all_of(*attributes, valueFits))
    throw std::runtime_error("its header is damaged or cut short");
  Imf::Header header;
  stream.seekg(kMagicAndVersionBytes);
  header.readFrom(stream, version);
  stream.seekg(0);
  if (header.hasType() && Imf::isDeepData(header.type()))
    throw std::runtime_error("deep pixels; write flat ones");
  return header;
}

ExrImage decode(std::string_view bytes, const std::string& file, const std::vector<std::string>& names,
                const ExrLimits& limits) {
  constexpr int kMostSide = ExrLimits{}.sidePx;
  Imf::Header::setMaxImageSize(kMostSide, kMostSide);  // of the whole process
  Imf::Header::setMaxTileSize(kMostSide, kMostSide);
  MemoryInput stream(bytes, file.c_str());
  const Imf::Header header = checkedHeader(bytes, stream);
  const bool tiled = Imf::isTiled(static_cast<int>(word(bytes.substr(4))));
  const Window window = checkedWindow(header, tiled, bytes.size(), limits);
  header.sanityCheck(tiled);

  ExrImage image{.size = window.size, .channels = {}, .texts = {}};
  for (auto i = header.begin(); i != header.end(); ++i)
    if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&i.attribute()))
      image.texts.push_back({i.name(), text->value()});
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) {
    if (!names.empty() && std::ranges::find(names, std::string(i.name())) == names.end()) continue;
    if (i.channel().xSampling != 1 || i.channel().ySampling != 1)
      throw std::runtime_error("the channel \"" + std::string(i.name()) + "\" is not stored for every pixel");
    image.channels.push_back({i.name(), i.channel().type == Imf::HALF, {}});
  }
  const auto columns = static_cast<size_t>(window.size.x), rows = static_cast<size_t>(window.size.y);
  const size_t valueBytes = columns * rows * sizeof(float);
  if (image.channels.size() > limits.bytes / valueBytes)
    throw std::runtime_error(std::to_string(image.channels.size()) + " channels of " +
                             std::to_string(columns) + "x" + std::to_string(rows) +
                             " pixels need more than " + std::to_string(limits.bytes >> 20) +
                             " MiB of memory");
  if (image.channels.empty()) return image;

  Imf::InputFile input(stream, threadsFor(valueBytes * image.channels.size()));
  if (!input.isComplete()) throw std::runtime_error("the file is cut short");
  // In bands, so that a file cut short costs no memory for the pixels that it lacks. Memory reserved is not yet
  // memory used.
  for (auto& channel : image.channels) channel.values.reserve(columns * rows);
  const size_t bands = (rows + kBandRows - 1) / kBandRows;
  std::vector<std::vector<float>> band(image.channels.size());
  for (auto& values : band) values.resize(columns * std::min<size_t>(rows, kBandRows));
  for (size_t b = bands; b-- > 0;) {
    const size_t first = b * kBandRows, last = std::min(rows, first + kBandRows) - 1;
    const int top = window.from.y + static_cast<int>(first), bottom = window.from.y + static_cast<int>(last);
    Imf::FrameBuffer slices;
    for (size_t c = 0; c < band.size(); ++c)
      slices.insert(image.channels[c].name,
                    Imf::Slice::Make(Imf::FLOAT, band[c].data(), Imath::V2i(window.from.x, top),
                                     window.size.x, static_cast<std::int64_t>(last - first + 1),
                                     sizeof(float), columns * sizeof(float)));
    input.setFrameBuffer(slices);
    input.readPixels(top, bottom);
    for (size_t c = 0; c < band.size(); ++c)
      for (size_t y = last - first + 1; y-- > 0;) {
        const float* row = band[c].data() + y * columns;
        image.channels[c].values.insert(image.channels[c].values.end(), row, row + columns);
      }
  }
  return image;
}

}  // namespace

const ExrChannel* ExrImage::channel(std::string_view name) const {
  const auto found = std::ranges::find(channels, name, &ExrChannel::name);
  return found == channels.end() ? nullptr : &*found;
}

std::string encodeExr(const ExrImage& image) try {
  const auto columns = static_cast<size_t>(image.size.x), rows = static_cast<size_t>(image.size.y);
  Imf::Header header(image.size.x, image.size.y);
  header.compression() = Imf::ZIP_COMPRESSION;
  for (const ImageText& text : image.texts)
    header.insert(text.keyword.c_str(), Imf::StringAttribute(text.text));
  size_t bytes = 0;
  for (const ExrChannel& channel : image.channels) {
    const auto type = channel.half ? Imf::HALF : Imf::FLOAT;
    header.channels().insert(channel.name.c_str(), Imf::Channel(type));
    bytes += columns * rows * bytesOf(type);
  }
  std::string encoded;
  MemoryOutput stream(encoded);
  {
    Imf::OutputFile output(stream, header, threadsFor(bytes));
    std::vector<std::vector<char>> band(image.channels.size());
    for (size_t first = 0; first < rows; first += kBandRows) {
      const size_t count = std::min<size_t>(rows - first, kBandRows);
      Imf::FrameBuffer slices;
      for (size_t c = 0; c < band.size(); ++c) {
        const ExrChannel& channel = image.channels[c];
        const auto type = channel.half ? Imf::HALF : Imf::FLOAT;
        const size_t stride = columns * bytesOf(type);
        band[c].resize(count * stride);
        for (size_t y = 0; y < count; ++y) {
          const float* from = channel.values.data() + (rows - 1 - first - y) * columns;
          char* to = band[c].data() + y * stride;
          if (channel.half)
            std::transform(from, from + columns, reinterpret_cast<half*>(to),
                           [](float value) { return half(value); });
          else
            std::memcpy(to, from, stride);
        }
        slices.insert(
            channel.name,
            Imf::Slice::Make(type, band[c].data(), Imath::V2i(0, static_cast<int>(first)), image.size.x,
                             static_cast<std::int64_t>(count), bytesOf(type), stride));
      }
      output.setFrameBuffer(slices);
      output.writePixels(static_cast<int>(count));
    }
  }
  return encoded;
} catch (const std::exception& error) {
  throw std::runtime_error("cannot encode an image of " + std::to_string(image.size.x) + "x" +
                           std::to_string(image.size.y) + " as .exr: " + reasonOf(error) + "; try .pfm");
}

bool isExr(std::string_view bytes) {
  return bytes.size() > kMagicAndVersionBytes && word(bytes) == static_cast<std::uint32_t>(Imf::MAGIC);
}

std::optional<std::string> exrText(std::string_view bytes, std::string_view name) {
  if (!isExr(bytes)) return std::nullopt;
  const auto attributes = attributesOf(bytes);
  if (!attributes) return std::nullopt;
  for (const RawAttribute& attribute : *attributes)
    if (attribute.name == name && attribute.type == "string") return std::string(attribute.value);
  return std::nullopt;
}

ExrImage decodeExr(std::string_view bytes, const std::string& file, const std::vector<std::string>& names,
                   const ExrLimits& limits) try {
  return decode(bytes, file, names, limits);
} catch (const std::bad_alloc&) {
  throw std::runtime_error("cannot read " + file + ": out of memory");
} catch (const std::exception& error) {
  throw std::runtime_error("cannot read " + file + ": " + reasonOf(error));
}

}  // namespace satdof
