#include "app/io/image_file.h"

#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <stdexcept>

#include "app/core/file_names.h"
#include "app/core/usage_error.h"
#include "app/io/exr.h"
#include "app/io/png.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr size_t kCommentBytes = 200;  // of a text in a line; readers have buffers of a thousand

struct FormatRow {
  ImageFormat format;
  const char* name;
  const char* extension;
  const char* magic;
  std::array<int, 2> bits;  // a channel, that --bit-depth may choose; 0: the format has its own
};

constexpr std::array kFormats = {
    FormatRow{ImageFormat::png, "PNG", ".png", "\x89PNG\r\n\x1a\n", {8, 16}},
    FormatRow{ImageFormat::jpeg, "JPEG", ".jpg", "\xff\xd8\xff", {0, 0}},
    FormatRow{ImageFormat::jpeg, "JPEG", ".jpeg", "\xff\xd8\xff", {0, 0}},
    FormatRow{ImageFormat::exr, "EXR", ".exr", "\x76\x2f\x31\x01", {16, 32}},
    FormatRow{ImageFormat::hdr, "Radiance HDR", ".hdr", "#?", {0, 0}},
    FormatRow{ImageFormat::pfm, "PFM", ".pfm", "P", {0, 0}},
};

// "# keyword: text" in as many comment lines as it takes, after the first line. JSON has no line ends in its
// strings, so a space may replace them.
std::string withComments(const std::string& hdr, const std::vector<ImageText>& texts) {
  std::string comments;
  for (ImageText text : texts) {
    std::ranges::replace(text.text, '\n', ' ');
    for (size_t at = 0; at < text.text.size(); at += kCommentBytes)
      comments.append("# ")
          .append(text.keyword)
          .append(": ")
          .append(text.text, at, kCommentBytes)
          .append("\n");
  }
  std::string result = hdr;
  return result.insert(result.find('\n') + 1, comments);
}

std::optional<std::string> hdrText(std::string_view bytes, std::string_view keyword) {
  const std::string start = std::string("# ").append(keyword).append(": ");
  std::optional<std::string> found;
  for (size_t end = bytes.find('\n'); end != bytes.npos && end > 0; end = bytes.find('\n')) {
    const auto line = bytes.substr(0, end);
    if (line.starts_with(start)) found = found.value_or("").append(line.substr(start.size()));
    bytes.remove_prefix(end + 1);
  }
  return found;
}

constexpr char kMark = '\xff', kExif = '\xe1', kComment = '\xfe', kScan = '\xda';

// A segment of a JPEG; empty if its length does not fit.
std::string jpegSegment(char marker, std::string_view content) {
  const size_t length = content.size() + 2;
  if (length > 0xffff) return {};
  std::string segment{kMark, marker, static_cast<char>(length >> 8), static_cast<char>(length & 0xff)};
  return segment.append(content);
}

std::optional<std::string> jpegText(std::string_view bytes, std::string_view keyword) {
  const std::string start = std::string(keyword).append(": ");
  bytes.remove_prefix(2);
  while (bytes.size() >= 4 && bytes[0] == kMark && bytes[1] != kScan) {
    const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(bytes[at])); };
    const size_t length = byte(2) << 8 | byte(3);
    if (length < 2 || length + 2 > bytes.size()) break;
    const std::string_view content = bytes.substr(4, length - 2);
    if (bytes[1] == kComment && content.starts_with(start)) return std::string(content.substr(start.size()));
    bytes.remove_prefix(length + 2);
  }
  return std::nullopt;
}

template <class T>
std::vector<T> topFirst(const std::vector<T>& rows, size_t rowValues) {
  std::vector<T> turned;
  turned.reserve(rows.size());
  for (size_t end = rows.size(); end > 0; end -= rowValues)
    turned.insert(turned.end(), rows.begin() + static_cast<std::ptrdiff_t>(end - rowValues),
                  rows.begin() + static_cast<std::ptrdiff_t>(end));
  return turned;
}

void append(void* to, void* data, int count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<size_t>(count));
}

std::runtime_error encoderFailed(glm::ivec2 size, const char* extension) {
  return std::runtime_error("cannot encode an image of " + std::to_string(size.x) + "x" +
                            std::to_string(size.y) + " as " + extension +
                            ": stb_image_write failed; try .pfm");
}

}  // namespace

std::string encodeJpeg(const std::vector<std::uint8_t>& rgb, glm::ivec2 size, int quality,
                       const std::vector<ImageText>& texts, std::string_view exif) {
  constexpr size_t kHeader = 20;  // start of image and JFIF segment
  std::string bytes, segments;
  if (stbi_write_jpg_to_func(append, &bytes, size.x, size.y, 3,
                             topFirst(rgb, static_cast<size_t>(size.x) * 3).data(), quality) == 0)
    throw encoderFailed(size, ".jpg");
  if (!exif.empty()) segments += jpegSegment(kExif, std::string("Exif\0\0", 6).append(exif));
  for (const auto& [keyword, text] : texts) segments += jpegSegment(kComment, keyword + ": " + text);
  return bytes.insert(kHeader, segments);
}

ImageFormat imageFormat(const fs::path& path) {
  const std::string extension = path.extension().string();
  for (const FormatRow& row : kFormats)
    if (extension == row.extension) return row.format;
  throw UsageError("cannot write " + path.string() +
                   ": expected a name ending in .png, .jpg, .exr, .hdr or .pfm");
}

void requireBitDepth(const fs::path& path, int bits) {
  const ImageFormat format = imageFormat(path);
  const auto& row = *std::ranges::find(kFormats, format, &FormatRow::format);
  if (bits == 0 || row.bits[0] == 0 || std::ranges::find(row.bits, bits) != row.bits.end()) return;
  throw UsageError("cannot write " + path.string() + " with --bit-depth " + std::to_string(bits) + ": a " +
                   row.name + " has " + std::to_string(row.bits[0]) + " or " + std::to_string(row.bits[1]) +
                   " bits a channel");
}

const char* imageFormatName(std::string_view bytes) {
  for (const FormatRow& row : kFormats)
    if (bytes.starts_with(row.magic) &&
        (row.format != ImageFormat::pfm || bytes.substr(1, 1) == "F" || bytes.substr(1, 1) == "f"))
      return row.name;
  return nullptr;
}

std::optional<std::string> imageText(std::string_view bytes, std::string_view keyword) {
  if (isPng(bytes)) return pngText(bytes, keyword);
  if (bytes.starts_with("\xff\xd8\xff")) return jpegText(bytes, keyword);
  if (isExr(bytes)) return exrText(bytes, keyword);
  if (bytes.starts_with("#?")) return hdrText(bytes, keyword);
  return std::nullopt;
}

void requireCapturePath(const fs::path& path, bool withUi) {
  if (imageFormat(path) != ImageFormat::png && withUi)
    throw UsageError("cannot write " + path.string() +
                     " with --with-ui: only .png holds the panels; expected a name ending in .png");
  requireWritable(path);
}

fs::path numberedPath(const fs::path& path, int number) {
  char text[16];
  std::snprintf(text, sizeof text, "-%04d", number);
  return path.parent_path() / path.stem().concat(text).concat(path.extension().string());
}

NextName numberedNames(const fs::path& path) {
  constexpr int kLast = 999999999;
  const std::string stem = path.stem().string() + "-", extension = path.extension().string();
  int highest = 0;
  std::error_code ignored;  // an unreadable folder has no numbers; writing there reports the reason
  for (const fs::path& taken : entriesOf(folderOf(path), ignored)) {
    if (!taken.filename().string().starts_with(stem) || taken.extension() != extension) continue;
    int number = 0, length = 0;
    const std::string digits = taken.stem().string().substr(stem.size());
    if (std::sscanf(digits.c_str(), "%9d%n", &number, &length) == 1 &&
        length == static_cast<int>(digits.size()))
      highest = std::max(highest, number);
  }
  return [path, highest]() mutable {
    if (highest < kLast) return numberedPath(path, ++highest);
    throw std::runtime_error("cannot number another " + path.string() + ": " + std::to_string(kLast) +
                             " is taken; choose another name");
  };
}

fs::path writeNumbered(const fs::path& path, std::string_view bytes) {
  return writeNewFile(folderOf(path), bytes, numberedNames(path));
}

std::string encodeFloatMap(const std::vector<float>& values, glm::ivec2 size, int channels) {
  const char* scale = std::endian::native == std::endian::little ? "-1.0" : "1.0";
  std::string bytes = channels == 1 ? "Pf\n" : "PF\n";
  bytes.append(std::to_string(size.x)).append(" ").append(std::to_string(size.y)).append("\n");
  bytes.append(scale).append("\n");
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

std::string encodeLinear(ImageFormat format, const std::vector<float>& rgb, glm::ivec2 size,
                         const std::vector<ImageText>& texts) {
  if (format == ImageFormat::pfm) return encodeFloatMap(rgb, size, 3);
  std::string bytes;
  std::vector<float> rows = topFirst(rgb, static_cast<size_t>(size.x) * 3);
  // stb_image_write encodes positive light below 2^127: other values would get the bits of another number.
  constexpr float kMost = 0x1.fep126f;
  for (float& value : rows) value = value > 0.0f ? std::min(value, kMost) : 0.0f;
  if (stbi_write_hdr_to_func(append, &bytes, size.x, size.y, 3, rows.data()) == 0)
    throw encoderFailed(size, ".hdr");
  return withComments(bytes, texts);
}

}  // namespace satdof
