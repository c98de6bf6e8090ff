#pragma once
#include <filesystem>

namespace satdof {

// Whether the extension, in any case, names an image or a model that a scene reads, or a file of settings.
bool opens(const std::filesystem::path& file);

}  // namespace satdof
