#include "app/io/formats/jpeg.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "app/io/damage.h"
#include "app/io/metadata/ifd.h"

namespace satdof {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kExif = "Exif\0\0"sv;
constexpr std::string_view kXmp = "http://ns.adobe.com/xap/1.0/\0"sv;
constexpr std::string_view kExtendedXmp = "http://ns.adobe.com/xmp/extension/\0"sv;
constexpr std::string_view kIcc = "ICC_PROFILE\0"sv;
constexpr std::string_view kMpf = "MPF\0"sv;
constexpr std::string_view kEnd = "\xff\xd9"sv;
constexpr unsigned kStartOfScan = 0xda, kFill = 0xff;
constexpr std::size_t kGuid = 32;
constexpr std::size_t kMaxExtendedBytes = std::size_t{256} << 20;

unsigned byteAt(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

std::uint32_t bigEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | byteAt(bytes, at + i);
  return value;
}

// Whether a marker has no length field. Also true for stuffed bytes.
bool standsAlone(unsigned marker) { return marker == 0x00 || marker == 0x01 || (marker >= 0xd0 && marker <= 0xd9); }

// Segments of the extended XMP, by offset.
struct Extended {
  std::uint32_t length = 0;
  std::map<std::uint32_t, std::string_view> parts;
};

// Adds a segment to the extended XMP of its GUID. `body`: GUID, total length, offset, data.
void collect(std::map<std::string, Extended, std::less<>>& found, std::string_view body) {
  if (body.size() < kGuid + 8) throw std::runtime_error("a segment of its extended XMP is too short");
  Extended& extended = found[std::string(body.substr(0, kGuid))];
  const std::uint32_t length = bigEndian(body, kGuid, 4), offset = bigEndian(body, kGuid + 4, 4);
  const std::string_view data = body.substr(kGuid + 8);
  if (!extended.parts.empty() && extended.length != length)
    throw std::runtime_error("segments of its extended XMP give different lengths");
  if (length > kMaxExtendedBytes || offset > length || data.size() > length - offset)
    throw std::runtime_error("a segment of its extended XMP lies outside the whole");
  extended.length = length;
  extended.parts[offset] = data;
}

std::string joined(const Extended& extended) {
  std::string whole;
  for (const auto& [offset, data] : extended.parts) {
    if (offset != whole.size()) throw std::runtime_error("parts of its extended XMP are missing or overlap");
    whole += data;
  }
  if (whole.size() != extended.length) throw std::runtime_error("the end of its extended XMP is missing");
  return whole;
}

}  // namespace

bool isJpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"sv); }

void requireSoundTables(std::string_view bytes) {
  constexpr unsigned kTables = 0xc4, kImageEnd = 0xd9;
  constexpr std::size_t kCounts = 16, kMaxCodes = 256;
  constexpr int kMaxScans = 100;  // each scan may update all pixels
  int scans = 0;
  bool ended = false;
  // Checks every marker that a decoder might see: any bytes may precede a marker, between segments and in entropy-coded
  // data.
  for (std::size_t at = 0; at + 4 <= bytes.size();) {
    if (byteAt(bytes, at) != 0xff) {
      ++at;
      continue;
    }
    const unsigned marker = byteAt(bytes, at + 1);
    ended = ended || marker == kImageEnd;
    if (marker == kStartOfScan && !ended && ++scans > kMaxScans) throw std::runtime_error("it has more than 100 scans");
    if (marker == 0xff || standsAlone(marker)) {
      at += marker == 0xff ? 1 : 2;
      continue;
    }
    const std::size_t end = std::min(at + 2 + bigEndian(bytes, at + 2, 2), bytes.size());
    for (std::size_t table = at + 4; marker == kTables && table < end;) {
      std::size_t codes = 0;
      for (std::size_t i = table + 1; i < std::min(table + 1 + kCounts, bytes.size()); ++i) codes += byteAt(bytes, i);
      if (codes > kMaxCodes) throw std::runtime_error("one of its Huffman tables has too many codes");
      table += 1 + kCounts + codes;
    }
    at = marker == kStartOfScan ? at + 2 : std::max(end, at + 2);
  }
}

std::string firstJpeg(std::string_view bytes, Notes& notes) {
  bool pixels = false;
  for (std::size_t at = 2; at + 2 <= bytes.size();) {
    const unsigned marker = byteAt(bytes, at + 1);
    if (byteAt(bytes, at) != 0xff || marker == kFill) {
      ++at;
      continue;
    }
    if (bytes.substr(at, 2) == kEnd) return std::string(bytes.substr(0, at + 2));
    pixels = pixels || marker == kStartOfScan;
    const bool alone = standsAlone(marker) || at + 4 > bytes.size();
    at += 2 + (alone ? 0 : bigEndian(bytes, at + 2, 2));
  }
  if (!pixels) throw std::runtime_error("it is truncated: its pixels are missing");
  addNote(notes, kNoEndNote);
  while (bytes.ends_with('\xff')) bytes.remove_suffix(1);  // half of a marker
  return std::string(bytes).append(kEnd);
}

std::vector<std::string_view> multiPictureImages(std::string_view bytes, const JpegMetadata& metadata) {
  constexpr unsigned kImages = 0xb002;
  constexpr std::size_t kMaxImages = 64, kImageBytes = 16;
  std::vector<std::string_view> found;
  const ifd::Structure tiff(metadata.mpf);
  const std::size_t entry = tiff.entry(kImages);
  if (entry == 0) return found;
  const std::size_t count = std::min<std::size_t>(tiff.number(entry + 4, 4) / kImageBytes, kMaxImages);
  for (std::size_t i = 1; i < count; ++i) {  // image 0 is the JPEG itself
    const std::size_t image = std::size_t{tiff.number(entry + 8, 4)} + i * kImageBytes;
    const std::size_t length = tiff.number(image + 4, 4), from = metadata.mpfAt + tiff.number(image + 8, 4);
    if (length > 0 && from < bytes.size() && length <= bytes.size() - from) found.push_back(bytes.substr(from, length));
  }
  return found;
}

namespace {

// Reads the metadata. Without `notes`, damage is an error; with them, damaged segments are skipped.
JpegMetadata metadataOf(std::string_view bytes, Notes* notes) {
  const auto damaged = [&](const char* what) {
    if (notes == nullptr) throw std::runtime_error(what);
    addNote(*notes, what);
  };
  constexpr unsigned kApp1 = 0xe1, kApp2 = 0xe2;
  JpegMetadata found;
  std::map<std::string, Extended, std::less<>> extended;
  std::map<unsigned, std::string_view> profile;
  unsigned profileParts = 0;
  std::size_t at = 2;
  while (at + 4 <= bytes.size()) {
    const unsigned marker = byteAt(bytes, at + 1);
    const bool isMarker = byteAt(bytes, at) == 0xff;
    if (!isMarker) damaged("a segment of its metadata is damaged");
    if (!isMarker || marker == kFill) {
      ++at;
      continue;
    }
    if (marker == kStartOfScan) break;
    const std::size_t length = bigEndian(bytes, at + 2, 2);
    if (length < 2 || length > bytes.size() - at - 2) {
      damaged("a segment of its metadata exceeds the file");
      break;
    }
    std::string_view body = bytes.substr(at + 4, length - 2);
    const auto begins = [&](unsigned wanted, std::string_view name) {
      if (marker != wanted || !body.starts_with(name)) return false;
      body.remove_prefix(name.size());
      return true;
    };
    if (begins(kApp1, kExif) && found.exif.empty())
      found.exif = body;
    else if (begins(kApp1, kXmp))
      found.xmp = body;
    else if (begins(kApp1, kExtendedXmp) && notes == nullptr)
      collect(extended, body);
    else if (begins(kApp2, kMpf) && found.mpf.empty()) {
      found.mpf = body;
      found.mpfAt = at + 4 + kMpf.size();
    } else if (begins(kApp2, kIcc) && body.size() > 2) {
      profile[byteAt(body, 0)] = body.substr(2);
      profileParts = byteAt(body, 1);
    }
    at += 2 + length;
  }
  if (!profile.empty() && (profile.size() != profileParts || profile.rbegin()->first != profileParts))
    damaged("parts of its ICC profile are missing: sRGB assumed");
  else
    for (const auto& [number, data] : profile) found.profile += data;
  for (const auto& [guid, parts] : extended)
    if (found.xmp.find(guid) != found.xmp.npos) found.extendedXmp = joined(parts);
  return found;
}

}  // namespace

JpegMetadata jpegMetadata(std::string_view bytes) { return metadataOf(bytes, nullptr); }

JpegMetadata readableJpegMetadata(std::string_view bytes, Notes& notes) { return metadataOf(bytes, &notes); }

int exifOrientation(std::string_view exif) {
  constexpr unsigned kOrientation = 0x0112, kShort = 3;
  const ifd::Structure tiff(exif);
  const std::size_t entry = tiff.entry(kOrientation);
  if (entry == 0 || tiff.number(entry + 2, 2) != kShort) return 1;
  const std::uint32_t value = tiff.number(entry + 8, 2);
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

bool isAdobeRgb(std::string_view exif) {
  constexpr std::uint32_t kExifFolder = 0x8769, kColourSpace = 0xa001, kInteroperability = 0xa005, kIndex = 1;
  constexpr std::uint32_t kUncalibrated = 65535;
  const ifd::Structure tiff(exif);
  const auto is = [](std::uint32_t wanted) { return [=](std::uint32_t tag) { return tag == wanted; }; };
  const ifd::Directory space = tiff.named({kExifFolder}, is(kColourSpace), 4),
                       index = tiff.named({kExifFolder, kInteroperability}, is(kIndex), 4);
  return !space.empty() && ifd::number(space.begin()->second.bytes) == kUncalibrated && !index.empty() &&
         index.begin()->second.bytes == "R03\0"sv;
}

}  // namespace satdof
