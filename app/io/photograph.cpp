#include "app/io/photograph.h"

#include <future>
#include <stdexcept>
#include <string_view>

#include "app/core/files/cache.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/metadata/exif.h"

namespace satdof {

Photograph decodePhotograph(std::string_view bytes, bool withDepth, const FileLimits& limits) {
  const Codec& codec = readerOf(bytes);
  if (withDepth && codec.photograph != nullptr) return codec.photograph(bytes, limits);
  return {codec.picture(bytes, limits), std::nullopt};
}

Photograph readPhotograph(const std::filesystem::path& path, bool withDepth, const FileLimits& limits,
                          bool withContent) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  std::future<std::string> content;
  if (withContent) content = std::async(std::launch::async, hashed, std::string_view(bytes));
  try {
    Photograph photograph = decodePhotograph(bytes, withDepth, limits);
    photograph.picture.notes = inFile(path, photograph.picture.notes);
    photograph.exif = exifOfFile(bytes);
    if (withContent) photograph.content = content.get();
    if (photograph.depth) photograph.depth->notes = inFile(path, photograph.depth->notes);
    return photograph;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read image \"" + pathText(path) + "\": " + error.what());
  }
}

}  // namespace satdof
