#include "app/io/exif.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>

#include "app/core/files.h"
#include "app/core/foreign_text.h"
#include "app/io/codec.h"

namespace satdof {

namespace {

using namespace std::string_view_literals;

// Tags and types of TIFF 6.0 and EXIF 2.32.
enum Tag : std::uint32_t {
  kMake = 0x010f,
  kModel = 0x0110,
  kOrientation = 0x0112,
  kDateTime = 0x0132,
  kArtist = 0x013b,
  kCopyright = 0x8298,
  kExposureTime = 0x829a,
  kFNumber = 0x829d,
  kExifDirectory = 0x8769,
  kSensitivity = 0x8827,
  kDateTimeOriginal = 0x9003,
  kOffsetTimeOriginal = 0x9011,
  kFocalLength = 0x920a,
  kFocalLengthIn35mm = 0xa405,
  kLensMake = 0xa433,
  kLensModel = 0xa434,
};
constexpr std::array kKept = {kMake, kModel, kDateTime, kArtist, kCopyright};
constexpr std::array kKeptOfExif = {kExposureTime,       kFNumber,     kSensitivity,       kDateTimeOriginal,
                                    kOffsetTimeOriginal, kFocalLength, kFocalLengthIn35mm, kLensMake,
                                    kLensModel};
enum Type : std::uint32_t { kText = 2, kShort = 3, kLong = 4, kRational = 5 };
constexpr std::size_t kEntryBytes = 12, kMostTextBytes = 1000;

std::size_t bytesOf(std::uint32_t type) {
  switch (type) {
    case kText:
      return 1;
    case kShort:
      return 2;
    case kLong:
      return 4;
    case kRational:
      return 8;
    default:
      return 0;
  }
}

// A value, its numbers with the lowest byte first.
struct Value {
  std::uint32_t type = 0, count = 0;
  std::string bytes;
};
using Directory = std::map<std::uint32_t, Value>;

void append(std::string& to, std::uint32_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

std::uint32_t littleEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

class Tiff {
 public:
  explicit Tiff(std::string_view bytes) : bytes_(bytes), little_(bytes.starts_with("II"sv)) {}
  bool sound() const { return bytes_.size() >= 8 && (little_ || bytes_.starts_with("MM"sv)); }
  std::uint32_t number(std::size_t at, std::size_t count) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + (little_ ? count - 1 - i : i)]);
    return value;
  }
  // The entries of the directory at an offset that have one of `tags`.
  template <std::size_t N>
  Directory directory(std::size_t offset, const std::array<Tag, N>& tags) const {
    Directory found;
    if (offset > bytes_.size() - 2) return found;
    const std::size_t room = (bytes_.size() - offset - 2) / kEntryBytes;
    const std::size_t entries = std::min<std::size_t>(number(offset, 2), room);
    for (std::size_t i = 0; i < entries; ++i) {
      const std::size_t entry = offset + 2 + i * kEntryBytes;
      const std::uint32_t tag = number(entry, 2);
      if (std::ranges::find(tags, tag) == tags.end()) continue;
      if (auto value = read(entry)) found.emplace(tag, std::move(*value));
    }
    return found;
  }

 private:
  std::optional<Value> read(std::size_t entry) const {
    Value value{number(entry + 2, 2), number(entry + 4, 4), {}};
    const std::size_t each = bytesOf(value.type), most = value.type == kText ? kMostTextBytes : 1;
    if (each == 0 || value.count == 0 || value.count > most) return std::nullopt;
    const std::size_t length = each * value.count;
    const std::size_t at = length <= 4 ? entry + 8 : number(entry + 8, 4);
    if (at > bytes_.size() || length > bytes_.size() - at) return std::nullopt;
    if (value.type == kText) {
      value.bytes = bytes_.substr(at, length);
      value.bytes.resize(std::min(value.bytes.find('\0'), value.bytes.size()));
      while (value.bytes.ends_with(' ')) value.bytes.pop_back();
      if (value.bytes.empty()) return std::nullopt;
      value.bytes += '\0';
      value.count = static_cast<std::uint32_t>(value.bytes.size());
      return value;
    }
    const std::size_t part = std::min<std::size_t>(each, 4);  // a rational is two numbers
    for (std::size_t i = 0; i < each; i += part) append(value.bytes, number(at + i, part), part);
    return value;
  }

  std::string_view bytes_;
  bool little_;
};

// Appends the directory to a little-endian TIFF structure, its long values after it.
void append(std::string& tiff, const Directory& directory) {
  append(tiff, static_cast<std::uint32_t>(directory.size()), 2);
  std::string after;
  const std::size_t afterAt = tiff.size() + directory.size() * kEntryBytes + 4;
  for (const auto& [tag, value] : directory) {
    append(tiff, tag, 2);
    append(tiff, value.type, 2);
    append(tiff, value.count, 4);
    if (value.bytes.size() <= 4) {
      tiff += value.bytes + std::string(4 - value.bytes.size(), '\0');
    } else {
      append(tiff, static_cast<std::uint32_t>(afterAt + after.size()), 4);
      after += value.bytes;
      if (after.size() % 2 == 1) after += '\0';
    }
  }
  append(tiff, 0, 4);  // no further directory
  tiff += after;
}

std::string encoded(Directory main, const Directory& exif) {
  main[kOrientation] = {kShort, 1, std::string("\1\0", 2)};
  std::string tiff = "II";
  append(tiff, 42, 2);
  append(tiff, 8, 4);
  if (!exif.empty()) {
    main[kExifDirectory] = {kLong, 1, std::string(4, '\0')};
    std::string alone = tiff;
    append(alone, main);
    main[kExifDirectory].bytes.clear();
    append(main[kExifDirectory].bytes, static_cast<std::uint32_t>(alone.size()), 4);
  }
  append(tiff, main);
  if (!exif.empty()) append(tiff, exif);
  return tiff;
}

// One line of text; empty if the tag is missing.
std::string textOf(const Directory& directory, Tag tag) {
  const auto found = directory.find(tag);
  if (found == directory.end() || found->second.type != kText) return {};
  std::string text =
      printable(std::string_view(found->second.bytes).substr(0, found->second.bytes.size() - 1), 200);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

PhotographFacts photographFacts(std::string_view bytes) {
  const Tiff tiff(bytes);
  if (!tiff.sound()) return {};
  const Directory main = tiff.directory(tiff.number(4, 4), kKept);
  const Directory pointer = tiff.directory(tiff.number(4, 4), std::array{kExifDirectory});
  Directory exif;
  if (const auto at = pointer.find(kExifDirectory); at != pointer.end() && at->second.type == kLong)
    exif = tiff.directory(littleEndian(at->second.bytes), kKeptOfExif);
  if (main.empty() && exif.empty()) return {};
  PhotographFacts facts{encoded(main, exif), {}};
  const auto add = [&](const char* keyword, const std::string& text) {
    if (!text.empty()) facts.texts.push_back({keyword, text});
  };
  const std::string make = textOf(main, kMake), model = textOf(main, kModel);
  add("Camera", make.empty() || model.starts_with(make) ? model : model.empty() ? make : make + " " + model);
  add("Lens", textOf(exif, kLensModel));
  const std::string taken = textOf(exif, kDateTimeOriginal);
  add("Date Taken", taken.empty() ? textOf(main, kDateTime) : taken);
  add("Author", textOf(main, kArtist));
  add("Copyright", textOf(main, kCopyright));
  return facts;
}

PhotographFacts readPhotographFacts(const std::filesystem::path& path) try {
  constexpr std::size_t kHead = std::size_t{64} << 20;  // other metadata may stand before
  const std::string bytes = readFileHead(path, kHead);
  const Codec& codec = readerOf(bytes);
  return codec.facts != nullptr ? codec.facts(bytes) : PhotographFacts{};
} catch (const std::runtime_error&) {
  return {};
}

}  // namespace satdof
