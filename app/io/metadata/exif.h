#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"
#include "app/io/metadata/ifd.h"
#include "app/io/metadata/image_text.h"

namespace satdof {

// Which EXIF data of a photograph captures keep. The orientation becomes 1. Previews and maker notes are never kept:
// maker notes contain offsets into the old file.
enum class KeepMetadata {
  noGps,  // camera, lens, exposure, date, author and rights
  all,    // also the location, serial numbers and comments
  none,
};
std::span<const EnumEntry<KeepMetadata>> entries(KeepMetadata);

// The kept EXIF data of a photograph.
struct PhotographFacts {
  std::string exif;  // TIFF structure with orientation 1; empty: nothing is kept
  // The same for formats without EXIF: "Camera", "Lens", "Date Taken", "Author", "Copyright".
  std::vector<ImageText> texts;
};

// Extracts the data to keep. `bytes`: the EXIF data as a TIFF structure, or empty. Skips damaged tags.
PhotographFacts photographFacts(std::string_view bytes, KeepMetadata keep = KeepMetadata::noGps);

// Returns the EXIF data of an image file in memory; empty if there is none or it is damaged.
std::string exifOfFile(std::string_view file);
// Extracts the data to keep from a file. Empty if the file has no EXIF data or cannot be read.
PhotographFacts readPhotographFacts(const std::filesystem::path& path, KeepMetadata keep = KeepMetadata::noGps);

// Encodes `directory` as the first one of a file, at `offset`. Adds the tags of the TIFF structure `exif` that it
// lacks.
std::string withFacts(ifd::Directory directory, std::string_view exif, std::uint32_t offset);

}  // namespace satdof
