#pragma once
#include <span>
#include <string_view>

namespace satdof::gltf {

// A supported extension.
struct Extension {
  std::string_view name;
  const char* approximated = "";  // deviations, for docs/files.md; empty: none
  const char* needs = "";         // the library that decodes the extension
  bool isMissing = false;         // this program was built without the library
};
std::span<const Extension> extensions();

// Whether this program supports the extension.
bool isRead(std::string_view extension);

}  // namespace satdof::gltf
