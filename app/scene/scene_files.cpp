#include "app/scene/scene_files.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

#include "app/io/picture.h"

namespace satdof {

bool opens(const std::filesystem::path& file) {
  constexpr std::string_view kOthers[] = {".glb", ".gltf", ".json", ".obj"};
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return hasPictureExtension(file) || std::ranges::find(kOthers, extension) != std::end(kOthers);
}

}  // namespace satdof
