#pragma once
#include <span>
#include <string_view>

namespace satdof::gltf {

// An extension that the reader knows.
struct Extension {
  std::string_view name;
  const char* approximated = "";  // for docs/files.md; empty: read as the extension says
  const char* needs = "";         // the library that reads it
  bool isMissing = false;         // this program was built without the library
};
std::span<const Extension> extensions();

// Whether this program reads it.
bool isRead(std::string_view extension);

}  // namespace satdof::gltf
