#include "app/io/formats/jpeg.h"

#include <stb_image_write.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/codecs/stb.h"
#include "app/io/damage.h"
#include "app/io/embedded_depth.h"
#include "app/io/formats/jpeg_cmyk.h"
#include "app/io/metadata/colour_profile.h"
#include "app/io/metadata/orientation.h"

namespace satdof {

namespace {

constexpr char kMark = '\xff', kExif = '\xe1', kProfile = '\xe2', kComment = '\xfe', kScan = '\xda';

// Returns a segment of a JPEG; empty if `content` exceeds the 64 KB of a segment.
std::string jpegSegment(char marker, std::string_view content) {
  const std::size_t length = content.size() + 2;
  if (length > 0xffff) return {};
  std::string segment{kMark, marker, static_cast<char>(length >> 8), static_cast<char>(length & 0xff)};
  return segment.append(content);
}

std::optional<std::string> jpegText(std::string_view bytes, std::string_view keyword) {
  const std::string start = std::string(keyword).append(": ");
  bytes.remove_prefix(2);
  while (bytes.size() >= 4 && bytes[0] == kMark && bytes[1] != kScan) {
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    const std::size_t length = byte(2) << 8 | byte(3);
    if (length < 2 || length + 2 > bytes.size()) break;
    const std::string_view content = bytes.substr(4, length - 2);
    if (bytes[1] == kComment && content.starts_with(start)) return std::string(content.substr(start.size()));
    bytes.remove_prefix(length + 2);
  }
  return std::nullopt;
}

// Fills the missing pixels of a truncated baseline JPEG with grey. The decoder makes them up from the bits that follow
// the data: decoding again with other bits there shows which blocks they are. Progressive files are left alone: they
// lack detail everywhere.
void fillMissingWithGrey(Picture& picture, std::string jpeg, const FileLimits& limits, const std::string& profile) {
  constexpr std::string_view kProgressive = "\xff\xc2", kEnd = "\xff\xd9";
  constexpr std::size_t kMaxBytes = std::size_t{1} << 24;
  constexpr int kBlock = 8, kMaxBlocksDown = 2;  // size of a block in pixels, height of an MCU in blocks
  constexpr float kGrey = 0.18f;
  if (jpeg.find(kProgressive) != jpeg.npos) return;
  jpeg.insert(jpeg.size() - kEnd.size(), std::min(pixelCount(picture.size), kMaxBytes), '\x55');
  Picture other;
  try {
    other = pictureByStb(jpeg, limits, profile);
  } catch (const std::runtime_error&) {
    return;  // these bits are not a valid code
  }
  const glm::ivec2 size = picture.size;
  const auto at = [&](int x, int fromTop) { return 4 * pixelIndex(size, {x, size.y - 1 - fromTop}); };
  const auto differs = [&](int x, int y) {
    return !std::equal(&picture.rgba[at(x, y)], &picture.rgba[at(x, y)] + 4, &other.rgba[at(x, y)]);
  };
  // Chroma upsampling changes the last pixel of the preceding block, too.
  const auto isLastInBlock = [](int place) { return place % kBlock == kBlock - 1; };
  int first = size.y;  // first row with missing pixels, from the top
  for (int top = 0; top < size.y; top += kBlock) {
    const int end = std::min(top + kBlock, size.y);
    int left = top >= first + kMaxBlocksDown * kBlock ? 0 : size.x;
    for (int y = top; y < end && left > 0; ++y)
      for (int x = 0; x < left; ++x)
        if (!isLastInBlock(x) && !isLastInBlock(y) && differs(x, y)) left = x;
    if (left == size.x) continue;
    first = std::min(first, top);
    for (int y = top; y < end; ++y)
      for (int x = left / kBlock * kBlock; x < size.x; ++x) std::fill_n(&picture.rgba[at(x, y)], 3, half(kGrey));
  }
  if (first < size.y)
    addNote(picture.notes, "of its " + std::to_string(size.y) + " rows the last " + std::to_string(size.y - first) +
                               " " + kGreyRowsNote);
}

std::string exifOf(std::string_view bytes) {
  Notes damage;
  return readableJpegMetadata(bytes, damage).exif;
}

// Decodes a JPEG of four channels. Without libjpeg, stb_image converts plain CMYK.
Picture pictureOfCmyk(std::string_view jpeg, const FileLimits& limits, const std::string& profile) {
  if (!readsJpegCmyk()) {
    Picture picture = pictureByStb(jpeg, limits, {});
    addNote(picture.notes, "its inks are mixed without their profile: this program was built without libjpeg");
    return picture;
  }
  const JpegCmyk inks = decodeJpegCmyk(jpeg, limits);
  Picture picture{inks.size, {}, true, {}};
  convertCmyk(picture, inks.rows.data(), profile);
  return picture;
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  constexpr int kCmykChannels = 4;
  Notes damage, notes;
  const JpegMetadata metadata = readableJpegMetadata(bytes, damage);
  std::string jpeg = firstJpeg(bytes, notes);
  const int channels = jpegChannels(jpeg);
  const bool inks = channels == kCmykChannels;
  const std::string profile = metadata.profile.empty() && channels == 3 && isAdobeRgb(metadata.exif)
                                  ? namedProfile(NamedColours::adobeRgb)
                                  : metadata.profile;
  Picture picture = inks ? pictureOfCmyk(jpeg, limits, profile) : pictureByStb(jpeg, limits, profile);
  addNotes(picture.notes, damage);
  addNotes(picture.notes, notes);
  if (metadata.xmp.find("http://ns.adobe.com/hdr-gain-map/") != metadata.xmp.npos)
    addNote(picture.notes, "its gain map is left out: the image for plain displays is shown");
  if (!notes.empty() && !inks) fillMissingWithGrey(picture, std::move(jpeg), limits, profile);
  applyOrientation(picture.rgba, picture.size, 4, exifOrientation(metadata.exif));
  return picture;
}

Photograph photographOf(std::string_view bytes, const FileLimits& limits) {
  auto embedded = embeddedDepth(bytes, limits);
  if (!embedded) return {pictureOf(bytes, limits), std::nullopt};
  Photograph photograph;
  const int orientation = exifOrientation(exifOf(bytes));
  DepthImage& depth = embedded->depth;
  if (embedded->original.empty()) {
    photograph.picture = pictureOf(bytes, limits);
  } else {
    photograph.picture = decodePicture(embedded->original, limits);
    applyOrientation(photograph.picture.rgba, photograph.picture.size, 4, orientation);
    addNote(photograph.picture.notes, "the sharp image in the file is used, not the one that the camera blurred");
  }
  const glm::ivec2 size = photograph.picture.size;
  if (orientation > 4 && size.x != size.y && sameAspect(depth.size, size))
    addNote(depth.notes, "its depth is upright already: not turned as the image is");
  else
    applyOrientation(depth.values, depth.size, 1, orientation);
  photograph.depth = std::move(depth);
  return photograph;
}

glm::ivec2 sizeOf(std::string_view head, const FileLimits& limits) {
  return orientedSize(sizeByStb(head, limits), exifOrientation(exifOf(head)));
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  Notes notes;
  DepthImage depth = depthByStb(firstJpeg(bytes, notes), limits);
  notes.insert(notes.end(), depth.notes.begin(), depth.notes.end());
  depth.notes = std::move(notes);
  return depth;
}

}  // namespace

std::string encodeJpeg(const std::vector<std::uint8_t>& rgb, glm::ivec2 size, int quality,
                       const std::vector<ImageText>& texts, std::string_view exif) {
  constexpr std::size_t kHeader = 20;  // start of image and JFIF segment
  std::string bytes, segments;
  if (stbi_write_jpg_to_func(appendTo, &bytes, size.x, size.y, 3,
                             topFirst(rgb, static_cast<std::size_t>(size.x) * 3).data(), quality) == 0)
    throw encoderFailed(size, ".jpg", "stb_image_write");
  if (!exif.empty()) segments += jpegSegment(kExif, std::string("Exif\0\0", 6).append(exif));
  segments += jpegSegment(kProfile, std::string("ICC_PROFILE\0\1\1", 14) + srgbProfile());
  for (const auto& [keyword, text] : texts) segments += jpegSegment(kComment, keyword + ": " + text);
  return bytes.insert(kHeader, segments);
}

Codec formats::jpeg() {
  return {
      .name = "JPEG",
      .extensions = {".jpg", ".jpeg"},
      .begins = isJpeg,
      .about = {"8 bits, profile, Adobe RGB, orientation, CMYK with libjpeg; depth: GDepth, Dynamic Depth, or of an "
                "iPhone (multi-picture format)",
                "a missing end: grey; inks without a profile", "what is appended, such as films and gain maps"},
      .picture = pictureOf,
      .size = sizeOf,
      .depth = depthOf,
      .photograph = photographOf,
      .exif = exifOf,
      .text = jpegText,
      .choices = {{"JPEG", "As displayed, with the losses of the quality; contains the settings"}},
      .lossy = true,
      .write = [](Pixels& pixels, const Metadata& metadata, const WriteOptions& options) {
        return encodeJpeg(pixels.rgb8, pixels.size, options.quality, metadata.texts, metadata.exif);
      }};
}

}  // namespace satdof
