#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/notes.h"

namespace satdof {

// What stands beside the pixels of a JPEG.
struct JpegMetadata {
  std::string exif;         // TIFF structure; empty: none
  std::string xmp;          // the main packet; empty: none
  std::string extendedXmp;  // joined from its segments; empty: none
  std::string profile;      // ICC, joined from its segments; empty: none
  std::string mpf;          // TIFF structure of the multi-picture format (CIPA DC-007); empty: none
  std::size_t mpfAt = 0;    // its place in the file, from which it counts
};

bool isJpeg(std::string_view bytes);

// Reads the segments before the pixels. Extended XMP: the segments with the GUID that the main packet names, in any
// order (Adobe XMP specification, part 3, 1.1.3.1). Throws std::runtime_error with the reason alone if a segment
// exceeds the file, segments contradict each other, or parts of the extended XMP are missing.
JpegMetadata jpegMetadata(std::string_view bytes);
// The same for who needs the pixels: leaves out what is damaged, with a note, and the extended XMP.
JpegMetadata soundJpegMetadata(std::string_view bytes, Notes& notes);

// Throws std::runtime_error with the reason alone if a Huffman table has more than 256 codes: older versions of stb_image
// write beyond their table then. Also if it has more than 100 scans, which take as many times as long. Call before stb_image
// reads bytes that start with 0xff.
void requireSoundTables(std::string_view bytes);

// Returns the first image alone, without what cameras append, and with an end, which is noted if the file lacks it. Throws
// std::runtime_error with the reason alone if the file ends before its pixels.
std::string firstJpeg(std::string_view bytes, Notes& notes);

// The other images that the multi-picture format of the first lists; those that lie outside the file are left out.
std::vector<std::string_view> imagesBeside(std::string_view bytes, const JpegMetadata& metadata);

// Returns the orientation of an EXIF structure, 1 to 8; 1 if it is missing or damaged.
int exifOrientation(std::string_view exif);

}  // namespace satdof
