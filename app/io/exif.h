#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/io/image_text.h"

namespace satdof {

// What captures keep of the EXIF data of a photograph: camera, lens, exposure, date, author and rights. The place,
// serial numbers, previews and the notes of the maker are left out.
struct PhotographFacts {
  std::string exif;  // a TIFF structure with orientation 1; empty: nothing is kept
  std::vector<ImageText>
      texts;  // the same for formats without EXIF: "Camera", "Lens", "Date Taken", "Author", "Copyright"
};

// `bytes`: a TIFF structure. Leaves out what is damaged.
PhotographFacts photographFacts(std::string_view bytes);

// Of a JPEG, HEIC or AVIF file; nothing of other files, and of files that cannot be read.
PhotographFacts readPhotographFacts(const std::filesystem::path& path);

}  // namespace satdof
