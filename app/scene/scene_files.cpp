#include "app/scene/scene_files.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "app/core/file_names.h"
#include "app/io/codec.h"

namespace satdof {

bool opens(const std::filesystem::path& file) {
  constexpr std::string_view kOthers[] = {".glb", ".gltf", ".json", ".obj"};
  return codecNamed(file) != nullptr ||
         std::ranges::find(kOthers, lowerCase(file.extension().string())) != std::end(kOthers);
}

}  // namespace satdof
