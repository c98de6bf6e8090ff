#pragma once
#include <filesystem>
#include <vector>

#include "app/core/settings.h"
#include "app/scene/registry.h"

namespace satdof {

// Whether the extension, in any case, names a file that a scene reads.
bool isSceneFile(const std::filesystem::path& file);
// The same, a video or a file of settings; their extensions, in lower case.
bool opens(const std::filesystem::path& file);
std::vector<std::string> openedExtensions();

// The file that the scene of the settings shows; empty: none.
FilePath shownFile(const Settings& settings);
// The same of every scene, in the order of their rows.
std::vector<FilePath> shownFiles(const Settings& settings);
// Whether the scene shows an image file.
bool showsPhoto(const Settings& settings);
// Whether other settings show another scene, model or photograph. `film`: whose frame the first ones show; empty: of none.
bool showsAnother(const Settings& from, const Settings& to, const FilePath& film);

// Selects the scene and its file, a member of row.files. Throws UsageError if the path is not valid UTF-8.
void useFile(Settings& settings, const SceneRow& row, const SceneFile& file,
             const std::filesystem::path& path);

}  // namespace satdof
