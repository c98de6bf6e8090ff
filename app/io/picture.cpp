#include "app/io/picture.h"

#include <stdexcept>

#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

std::runtime_error cannotRead(const fs::path& path, const char* why) {
  return std::runtime_error("cannot read image \"" + pathText(path) + "\": " + why);
}

}  // namespace

Picture decodePicture(std::string_view bytes, const FileLimits& limits) {
  return readerOf(bytes).picture(bytes, limits);
}

Picture readPicture(const fs::path& path, const FileLimits& limits) {
  const std::string bytes = readWholeFile(path, limits.bytes);
  try {
    Picture picture = decodePicture(bytes, limits);
    picture.notes = inFile(path, picture.notes);
    return picture;
  } catch (const std::runtime_error& error) {
    throw cannotRead(path, error.what());
  }
}

glm::ivec2 pictureSize(const fs::path& path, const FileLimits& limits) {
  constexpr std::size_t kHead = std::size_t{64} << 20;  // metadata may precede the size
  const std::string bytes = readHead(path, kHead);
  try {
    const glm::ivec2 size = readerOf(bytes).size(bytes, limits);
    requireSize(size, limits, limits.bytes, 1.0);
    return size;
  } catch (const std::runtime_error& error) {
    throw cannotRead(path, error.what());
  }
}

}  // namespace satdof
