#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/notes.h"

namespace satdof {

// The metadata of a JPEG.
struct JpegMetadata {
  std::string exif;         // TIFF structure; empty: none
  std::string xmp;          // the main packet; empty: none
  std::string extendedXmp;  // joined from its segments; empty: none
  std::string profile;      // ICC, joined from its segments; empty: none
  std::string mpf;          // TIFF structure of the multi-picture format (CIPA DC-007); empty: none
  std::size_t mpfAt = 0;    // offset of `mpf` in the file, which its own offsets are relative to
};

bool isJpeg(std::string_view bytes);

// Returns the metadata in the segments before the pixels. The extended XMP consists of the segments with the GUID in
// the main packet, in any order (Adobe XMP specification, part 3, 1.1.3.1). Throws std::runtime_error with only the
// reason if a segment exceeds the file, segments contradict each other, or segments of the extended XMP are missing.
JpegMetadata jpegMetadata(std::string_view bytes);
// The same without the extended XMP. Skips damaged segments and adds a note for each.
JpegMetadata readableJpegMetadata(std::string_view bytes, Notes& notes);

// Call before stb_image reads bytes that start with 0xff. Throws std::runtime_error with only the reason if a Huffman
// table has more than 256 codes, which overflows a table in older versions of stb_image, or if there are more than 100
// scans, which take too long.
void requireSoundTables(std::string_view bytes);

// Returns the first image alone, without images that cameras append. Adds a missing end marker, with a note. Throws
// std::runtime_error with only the reason if the file ends before its pixels.
std::string firstJpeg(std::string_view bytes, Notes& notes);

// Returns the further images that the multi-picture format lists. Leaves out images that exceed the file.
std::vector<std::string_view> multiPictureImages(std::string_view bytes, const JpegMetadata& metadata);

// Returns the EXIF orientation, 1 to 8; 1 if it is missing or damaged.
int exifOrientation(std::string_view exif);
// Whether EXIF data say that the colours are Adobe RGB (DCF 2.0, option files).
bool isAdobeRgb(std::string_view exif);

}  // namespace satdof
