#include "app/io/formats/exr.h"

#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfStringAttribute.h>
#include <ImfThreading.h>
#include <ImfVersion.h>
#include <half.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <glm/common.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/core/pixels.h"
#include "app/core/text/foreign_text.h"
#include "app/io/file_limits.h"

namespace satdof {

namespace {

constexpr std::size_t kMagicAndVersionBytes = 8;
constexpr int kBandRows = 256;  // rows of the largest chunk of any compression
constexpr int kMaxThreads = 8;
constexpr std::size_t kThreadedBytes = std::size_t{1} << 20;  // smaller images are decoded by one thread

// Returns the little-endian number of the first four bytes.
std::uint32_t word(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// An undecoded attribute of the header.
struct RawAttribute {
  std::string_view name, type, value;
};

// Takes a zero-terminated text from the front of `bytes`. Nothing if the zero is missing.
std::optional<std::string_view> takeText(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  if (end == bytes.npos) return std::nullopt;
  const auto text = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return text;
}

// Takes the attributes of a header from the front of `bytes`. Nothing if the header is damaged or incomplete. Checks
// every length against the file, because OpenEXR allocates the stated length unchecked.
std::optional<std::vector<RawAttribute>> takeAttributes(std::string_view& bytes) {
  std::vector<RawAttribute> found;
  for (;;) {
    const auto name = takeText(bytes);
    if (!name) return std::nullopt;
    if (name->empty()) return found;
    const auto type = takeText(bytes);
    if (!type || bytes.size() < 4) return std::nullopt;
    const std::size_t length = word(bytes);
    bytes.remove_prefix(4);
    if (length > bytes.size()) return std::nullopt;
    found.push_back({*name, *type, bytes.substr(0, length)});
    bytes.remove_prefix(length);
  }
}

// OpenEXR allocates a preview by its stated width and height.
bool previewFits(std::string_view value) {
  if (value.size() < 8) return false;
  const std::uint64_t width = word(value), height = word(value.substr(4));
  return width <= value.size() && height <= value.size() && width * height * 4 + 8 == value.size();
}

// A list of channels ends with an empty name.
bool channelsFit(std::string_view value) {
  constexpr std::size_t kChannelBytes = 16;
  for (;;) {
    const auto name = takeText(value);
    if (!name) return false;
    if (name->empty()) return value.empty();
    if (value.size() < kChannelBytes) return false;
    value.remove_prefix(kChannelBytes);
  }
}

// OpenEXR allocates strings by their stated lengths.
bool stringsFit(std::string_view value) {
  while (value.size() >= 4) {
    const std::size_t length = word(value);
    if (length > value.size() - 4) return false;
    value.remove_prefix(4 + length);
  }
  return value.empty();
}

// Whether the size of the value matches its type. OpenEXR reads as many bytes as the type needs, whatever size the file
// states, and takes the next bytes for the next attribute.
bool valueFits(const RawAttribute& attribute) {
  using Size = std::pair<std::string_view, std::size_t>;
  static constexpr std::array kSizes = {Size{"box2f", 16},         Size{"box2i", 16},    Size{"chromaticities", 32},
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
    if (count < 0 || at_ > bytes_.size() || static_cast<std::size_t>(count) > bytes_.size() - at_)
      throw std::runtime_error("the file is cut short");
    std::memcpy(to, bytes_.data() + at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return at_ < bytes_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t at) override { at_ = static_cast<std::size_t>(at); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

class MemoryOutput final : public Imf::OStream {
 public:
  explicit MemoryOutput(std::string& bytes) : OStream("memory"), bytes_(bytes) {}
  void write(const char from[], int count) override {
    const std::size_t end = at_ + static_cast<std::size_t>(count);
    if (end > bytes_.size()) bytes_.resize(end);
    std::memcpy(bytes_.data() + at_, from, static_cast<std::size_t>(count));
    at_ = end;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t at) override { at_ = static_cast<std::size_t>(at); }

 private:
  std::string& bytes_;
  std::size_t at_ = 0;
};

// Returns the number of OpenEXR threads for an image of this size.
int threadsFor(std::size_t bytes) {
  static const int all = [] {
    const int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMaxThreads);
    Imf::setGlobalThreadCount(threads);
    return threads;
  }();
  return bytes < kThreadedBytes ? 0 : all;
}

std::size_t bytesOf(Imf::PixelType type) { return type == Imf::HALF ? 2 : 4; }

// Returns the rows of a chunk, which OpenEXR decompresses as a whole.
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

// Returns the message on one line. Escapes it: OpenEXR quotes names from the file unchanged.
std::string reasonOf(const std::exception& error) {
  std::string text = printable(error.what(), 400);
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "damaged" : text;
}

// A data window.
struct Window {
  glm::ivec2 from, size;
  std::uint64_t chunks = 0;  // entries of its chunk table
};

// A part of the file.
struct Part {
  Imf::Header header;
  bool tiled = false, deep = false;
};

// Checks the memory that OpenEXR would allocate for a part. Returns its data window.
Window checkedWindow(const Imf::Header& header, bool tiled, std::size_t fileBytes, const ExrLimits& limits) {
  const auto& box = header.dataWindow();
  const std::int64_t width = std::int64_t{box.max.x} - box.min.x + 1;
  const std::int64_t height = std::int64_t{box.max.y} - box.min.y + 1;
  if (width < 1 || height < 1) throw std::runtime_error("it has no pixels");
  if (width > limits.sidePx || height > limits.sidePx)
    throw std::runtime_error(std::to_string(width) + "x" + std::to_string(height) + " pixels: at most " +
                             std::to_string(limits.sidePx) + " on a side can be read");
  std::uint64_t pixelBytes = 0;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) pixelBytes += bytesOf(i.channel().type);
  std::uint64_t bufferedPixels = 0, chunks = 0;
  const auto columns = static_cast<std::uint64_t>(width), rows = static_cast<std::uint64_t>(height);
  if (tiled) {
    const auto& tile = header.tileDescription();
    const std::uint64_t tileX = tile.xSize, tileY = tile.ySize;
    const auto most = static_cast<std::uint64_t>(limits.sidePx);
    if (tileX < 1 || tileY < 1 || tileX > most || tileY > most)
      throw std::runtime_error("tiles of " + std::to_string(tileX) + "x" + std::to_string(tileY) + " pixels");
    const std::uint64_t across = (columns + tileX - 1) / tileX, down = (rows + tileY - 1) / tileY;
    bufferedPixels = tileX * tileY * 2 * kMaxThreads + across * tileX * tileY;
    chunks = across * down;
  } else {
    const auto each = static_cast<std::uint64_t>(chunkRows(header.compression()));
    bufferedPixels = columns * std::min(each, rows + each) * 2 * kMaxThreads;
    chunks = (rows + each - 1) / each;
  }
  if (chunks * sizeof(std::uint64_t) > fileBytes) throw std::runtime_error("the file is cut short");
  if (pixelBytes > 0 && bufferedPixels > limits.bytes / pixelBytes)
    throw std::runtime_error("its channels and tiles need more than " + std::to_string(limits.bytes >> 20) +
                             " MiB of memory");
  return {{box.min.x, box.min.y}, {static_cast<int>(width), static_cast<int>(height)}, chunks};
}

// Reads the headers. Checks everything that does not depend on the limits.
std::vector<Part> checkedParts(std::string_view bytes, MemoryInput& stream) {
  constexpr std::size_t kMaxParts = 1000;
  if (!isExr(bytes)) throw std::runtime_error("not an OpenEXR file");
  int version = static_cast<int>(word(bytes.substr(4)));
  if (Imf::getVersion(version) != Imf::EXR_VERSION)
    throw std::runtime_error("version " + std::to_string(Imf::getVersion(version)) + " of the format");
  const bool several = Imf::isMultiPart(version);
  std::vector<Part> parts;
  std::string_view rest = bytes.substr(kMagicAndVersionBytes);
  stream.seekg(kMagicAndVersionBytes);
  do {
    const auto attributes = takeAttributes(rest);
    if (!attributes || !std::ranges::all_of(*attributes, valueFits))
      throw std::runtime_error("its header is damaged or cut short");
    if (several && attributes->empty()) break;  // the end of the headers
    if (parts.size() == kMaxParts) throw std::runtime_error("it has too many parts");
    Part part;
    part.header.readFrom(stream, version);
    const std::string type = part.header.hasType() ? part.header.type() : std::string();
    // OpenEXR trusts the stated number of chunks of an unknown type.
    if ((several || !type.empty()) && !Imf::isSupportedType(type))
      throw std::runtime_error("the type of one of its parts is unknown");
    part.tiled = several ? Imf::isTiled(type) : Imf::isTiled(version);
    part.deep = Imf::isDeepData(type) || (!several && Imf::isNonImage(version));
    parts.push_back(std::move(part));
  } while (several);
  stream.seekg(0);
  if (std::ranges::all_of(parts, &Part::deep)) throw std::runtime_error("deep pixels; write flat ones");
  return parts;
}

// Returns the channel with the name of its part: "depth.Z" for "Z" of the part "depth". Often the channel repeats the
// name already.
std::string fullName(const Imf::Header& header, const std::string& channel) {
  const std::string part = header.hasName() ? header.name() : std::string();
  const bool within = part.empty() || channel.starts_with(part + ".");
  return within ? channel : part + "." + channel;
}

void readAttributes(ExrImage& image, const Imf::Header& header, const Window& window) {
  const auto& display = header.displayWindow();
  image.size = window.size;
  // 64 bits hold the differences of any coordinates in the file. A display window too large for 32 bits is ignored.
  const std::int64_t width = std::int64_t{display.max.x} - display.min.x + 1,
                     height = std::int64_t{display.max.y} - display.min.y + 1,
                     left = std::int64_t{window.from.x} - display.min.x,
                     below = std::int64_t{display.max.y} - (std::int64_t{window.from.y} + window.size.y - 1);
  constexpr std::int64_t kMax = 1 << 24;
  const bool usable =
      width >= 1 && height >= 1 && width <= kMax && height <= kMax && std::max(std::abs(left), std::abs(below)) <= kMax;
  image.displaySize = usable ? glm::ivec2(width, height) : window.size;
  image.from = usable ? glm::ivec2(left, below) : glm::ivec2(0);
  image.pixelAspect = header.pixelAspectRatio();
  if (const auto* found = header.findTypedAttribute<Imf::ChromaticitiesAttribute>("chromaticities")) {
    const auto vector = [](const Imath::V2f& v) { return glm::vec2(v.x, v.y); };
    const Imf::Chromaticities& c = found->value();
    image.primaries = {vector(c.red), vector(c.green), vector(c.blue), vector(c.white)};
  }
  for (auto i = header.begin(); i != header.end(); ++i)
    if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&i.attribute()))
      image.texts.push_back({i.name(), text->value()});
}

// A channel while it is read. It has one value for sampling.x x sampling.y pixels.
struct Source {
  std::string name;  // without the name of the part
  Imf::PixelType type;
  glm::ivec2 sampling{1};
  std::size_t columns = 0, rows = 0;
  std::vector<float> band;
};

// Upsamples a subsampled channel bilinearly. A value lies at the top left of its pixels. `values`: bottom row first.
std::vector<float> interpolated(const std::vector<float>& values, const Source& source, glm::ivec2 size) {
  std::vector<float> whole;
  whole.reserve(pixelCount(size));
  const auto place = [](std::size_t at, int sampling, std::size_t count) {
    const auto step = static_cast<std::size_t>(sampling);
    return std::pair(std::min(at / step, count - 1), static_cast<float>(at % step) / static_cast<float>(step));
  };
  const auto value = [&](std::size_t x, std::size_t fromTop) {
    return values[(source.rows - 1 - std::min(fromTop, source.rows - 1)) * source.columns +
                  std::min(x, source.columns - 1)];
  };
  for (auto row = static_cast<std::size_t>(size.y); row-- > 0;) {
    const auto [y, v] = place(row, source.sampling.y, source.rows);
    for (std::size_t column = 0; column < static_cast<std::size_t>(size.x); ++column) {
      const auto [x, u] = place(column, source.sampling.x, source.columns);
      whole.push_back(
          glm::mix(glm::mix(value(x, y), value(x + 1, y), u), glm::mix(value(x, y + 1), value(x + 1, y + 1), u), v));
    }
  }
  return whole;
}

// Checks the memory that OpenEXR would allocate for all parts. Returns their data windows.
std::vector<Window> checkedWindows(const std::vector<Part>& parts, std::size_t fileBytes, const ExrLimits& limits) {
  std::vector<Window> windows;
  std::uint64_t chunks = 0;
  for (const Part& part : parts) {
    windows.push_back(checkedWindow(part.header, part.tiled, fileBytes, limits));
    chunks += windows.back().chunks;
    if (chunks * sizeof(std::uint64_t) > fileBytes)
      throw std::runtime_error("the file is cut short: the tables of its parts exceed it");
    part.header.sanityCheck(part.tiled, parts.size() > 1);
  }
  return windows;
}

// Returns the channels of a part that `names` lists; no names: all.
std::vector<Source> sourcesOf(const Imf::Header& header, glm::ivec2 size, const std::vector<std::string>& names) {
  std::vector<Source> sources;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) {
    const std::string name = fullName(header, i.name());
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    const Imf::Channel& channel = i.channel();
    Source source{i.name(), channel.type, {channel.xSampling, channel.ySampling}, 0, 0, {}};
    // Bands must start at multiples of the sampling.
    if (kBandRows % source.sampling.x != 0 || kBandRows % source.sampling.y != 0)
      throw std::runtime_error("the channel \"" + name + "\" is stored for one of " +
                               std::to_string(source.sampling.x) + "x" + std::to_string(source.sampling.y) + " pixels");
    source.columns = static_cast<std::size_t>(std::max(size.x / source.sampling.x, 1));
    source.rows = static_cast<std::size_t>(std::max(size.y / source.sampling.y, 1));
    sources.push_back(std::move(source));
  }
  return sources;
}

// Reads the channels of a part into image.channels, band by band from the bottom: a truncated file costs no memory for
// its missing pixels, because reserved memory is not yet used.
void readBands(Imf::InputPart& pixels, const Window& window, std::vector<Source>& sources, ExrImage& image) {
  for (std::size_t c = 0; c < sources.size(); ++c) {
    image.channels[c].values.reserve(sources[c].columns * sources[c].rows);
    sources[c].band.resize(sources[c].columns * std::min<std::size_t>(sources[c].rows, kBandRows));
  }
  const auto rows = static_cast<std::size_t>(window.size.y), bands = (rows + kBandRows - 1) / kBandRows;
  for (std::size_t b = bands; b-- > 0;) {
    const std::size_t first = b * kBandRows, last = std::min(rows, first + kBandRows) - 1;
    const int top = window.from.y + static_cast<int>(first), bottom = window.from.y + static_cast<int>(last);
    Imf::FrameBuffer slices;
    for (Source& source : sources)
      slices.insert(source.name,
                    Imf::Slice::Make(Imf::FLOAT, source.band.data(), Imath::V2i(window.from.x, top), window.size.x,
                                     static_cast<std::int64_t>(last - first + 1), sizeof(float),
                                     source.columns * sizeof(float), source.sampling.x, source.sampling.y));
    pixels.setFrameBuffer(slices);
    pixels.readPixels(top, bottom);
    for (std::size_t c = 0; c < sources.size(); ++c) {
      const auto step = static_cast<std::size_t>(sources[c].sampling.y);
      for (std::size_t y = (last - first + step) / step; y-- > 0;) {
        const float* row = sources[c].band.data() + y * sources[c].columns;
        image.channels[c].values.insert(image.channels[c].values.end(), row, row + sources[c].columns);
      }
    }
  }
}

ExrImage decode(std::string_view bytes, const std::string& file, const std::vector<std::string>& names,
                const ExrLimits& limits, std::size_t wanted) {
  constexpr int kMaxSide = ExrLimits{}.sidePx;
  Imf::Header::setMaxImageSize(kMaxSide, kMaxSide);  // for the whole process
  Imf::Header::setMaxTileSize(kMaxSide, kMaxSide);
  MemoryInput stream(bytes, file.c_str());
  const std::vector<Part> parts = checkedParts(bytes, stream);
  // OpenEXR allocates tables for all parts, so all are checked.
  const std::vector<Window> windows = checkedWindows(parts, bytes.size(), limits);
  const Part& part = parts.at(wanted);
  if (part.deep) throw std::runtime_error("deep pixels; write flat ones");
  const Window& window = windows[wanted];

  ExrImage image;
  readAttributes(image, part.header, window);
  std::vector<Source> sources = sourcesOf(part.header, window.size, names);
  for (const Source& source : sources)
    image.channels.push_back({fullName(part.header, source.name), source.type == Imf::HALF, {}});
  const std::size_t valueBytes = pixelCount(window.size) * sizeof(float);
  if (image.channels.size() > limits.bytes / valueBytes)
    throw std::runtime_error(std::to_string(image.channels.size()) + " channels of " + std::to_string(window.size.x) +
                             "x" + std::to_string(window.size.y) + " pixels need more than " +
                             std::to_string(limits.bytes >> 20) + " MiB of memory");
  if (image.channels.empty()) return image;
  requireRoomToDecode(window.size, 4.0 * static_cast<double>(image.channels.size()));

  Imf::MultiPartInputFile input(stream, threadsFor(valueBytes * image.channels.size()));
  Imf::InputPart pixels(input, static_cast<int>(wanted));
  if (!pixels.isComplete()) throw std::runtime_error("the file is cut short");
  readBands(pixels, window, sources, image);
  for (std::size_t c = 0; c < sources.size(); ++c)
    if (sources[c].sampling != glm::ivec2(1))
      image.channels[c].values = interpolated(image.channels[c].values, sources[c], window.size);
  return image;
}

// Returns the nearest half float. Finite values stay finite.
half halfOf(float value) {
  constexpr float kMax = 65504.0f;
  return half(std::isfinite(value) ? std::clamp(value, -kMax, kMax) : value);
}

}  // namespace

const ExrChannel* ExrImage::channel(std::string_view name) const {
  const auto found = std::ranges::find(channels, name, &ExrChannel::name);
  return found == channels.end() ? nullptr : &*found;
}

std::string encodeExr(const ExrImage& image) try {
  const auto columns = static_cast<std::size_t>(image.size.x), rows = static_cast<std::size_t>(image.size.y);
  Imf::Header header(image.size.x, image.size.y);
  header.compression() = Imf::ZIP_COMPRESSION;
  for (const ImageText& text : image.texts) header.insert(text.keyword.c_str(), Imf::StringAttribute(text.text));
  std::size_t bytes = 0;
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
    for (std::size_t first = 0; first < rows; first += kBandRows) {
      const std::size_t count = std::min<std::size_t>(rows - first, kBandRows);
      Imf::FrameBuffer slices;
      for (std::size_t c = 0; c < band.size(); ++c) {
        const ExrChannel& channel = image.channels[c];
        const auto type = channel.half ? Imf::HALF : Imf::FLOAT;
        const std::size_t stride = columns * bytesOf(type);
        band[c].resize(count * stride);
        for (std::size_t y = 0; y < count; ++y) {
          const float* from = channel.values.data() + (rows - 1 - first - y) * columns;
          char* to = band[c].data() + y * stride;
          if (channel.half)
            std::transform(from, from + columns, reinterpret_cast<half*>(to), halfOf);
          else
            std::memcpy(to, from, stride);
        }
        slices.insert(channel.name,
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
  bytes.remove_prefix(kMagicAndVersionBytes);
  const auto attributes = takeAttributes(bytes);
  if (!attributes) return std::nullopt;
  for (const RawAttribute& attribute : *attributes)
    if (attribute.name == name && attribute.type == "string") return std::string(attribute.value);
  return std::nullopt;
}

std::vector<ExrPart> exrParts(std::string_view bytes, const std::string& file) try {
  MemoryInput stream(bytes, file.c_str());
  constexpr std::size_t kMaxChannels = 1024;  // the search for layers takes O(n^2)
  std::vector<ExrPart> found;
  std::size_t channels = 0;
  for (const Part& part : checkedParts(bytes, stream)) {
    ExrPart& now = found.emplace_back();
    now.deep = part.deep;
    for (auto i = part.header.channels().begin(); i != part.header.channels().end(); ++i) {
      if (++channels > kMaxChannels)
        throw std::runtime_error("more than " + std::to_string(kMaxChannels) + " channels");
      now.channels.push_back(fullName(part.header, i.name()));
    }
  }
  return found;
} catch (const std::exception& error) {
  throw std::runtime_error("cannot read " + pathText(file) + ": " + reasonOf(error));
}

ExrImage decodeExr(std::string_view bytes, const std::string& file, const std::vector<std::string>& names,
                   const ExrLimits& limits, std::size_t part) try {
  return decode(bytes, file, names, limits, part);
} catch (const std::bad_alloc&) {
  throw std::runtime_error("cannot read " + pathText(file) + ": out of memory");
} catch (const std::exception& error) {
  throw std::runtime_error("cannot read " + pathText(file) + ": " + reasonOf(error));
}

}  // namespace satdof
