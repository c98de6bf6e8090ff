#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"
#include "app/io/ifd.h"
#include "app/io/image_text.h"

namespace satdof {

// What captures keep of the EXIF data of a photograph. Never the orientation, which is 1 then, previews and the notes of
// the maker, which hold places in the old file.
enum class KeepMetadata {
  noGps,  // camera, lens, exposure, date, author and rights
  all,    // the place, serial numbers and comments, too
  none,
};
std::span<const EnumEntry<KeepMetadata>> entries(KeepMetadata);

struct PhotographFacts {
  std::string exif;  // a TIFF structure with orientation 1; empty: nothing is kept
  std::vector<ImageText>
      texts;  // the same for formats without EXIF: "Camera", "Lens", "Date Taken", "Author", "Copyright"
};

// `bytes`: a TIFF structure, or nothing. Leaves out what is damaged.
PhotographFacts photographFacts(std::string_view bytes, KeepMetadata keep = KeepMetadata::noGps);

// The EXIF data of an image file in memory; empty if it has none that can be read.
std::string exifOfFile(std::string_view file);
// Of a file with EXIF data; nothing of other files, and of files that cannot be read.
PhotographFacts readPhotographFacts(const std::filesystem::path& path,
                                    KeepMetadata keep = KeepMetadata::noGps);

// `directory` as the first of a file, at an offset, with the facts of a TIFF structure that it lacks.
std::string withFacts(ifd::Directory directory, std::string_view exif, std::uint32_t offset);

}  // namespace satdof
