#pragma once
#include <filesystem>
#include <vector>

#include "app/core/settings.h"
#include "app/scene/registry.h"

namespace satdof {

// Whether a scene reads files with this extension, in any case.
bool isSceneFile(const std::filesystem::path& file);
// Whether the file is a scene file, a video or a settings file, by its extension.
bool opens(const std::filesystem::path& file);
// The extensions that opens() accepts, in lower case.
std::vector<std::string> openedExtensions();

// The main file of the scene that the settings select; empty: none.
FilePath shownFile(const Settings& settings);
// The main file of every scene, in the order of sceneRows().
std::vector<FilePath> shownFiles(const Settings& settings);
// Whether the scene shows an image file.
bool showsPhoto(const Settings& settings);
// `image` with the files of `frame`: image, depth, and its place in a film.
ImageSettings withFiles(ImageSettings image, const ImageSettings& frame);
// Whether `to` shows another scene or main file than `from`. `film`: the video whose frame `from` shows, which counts
// as the same file; empty: none.
bool showsAnother(const Settings& from, const Settings& to, const FilePath& film);

// Selects the scene of `row` and sets `file`, a member of row.files, to `path`. Throws UsageError if the path is not
// valid UTF-8.
void useFile(Settings& settings, const SceneRow& row, const SceneFile& file, const std::filesystem::path& path);

}  // namespace satdof
