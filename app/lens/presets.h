#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/fields.h"
#include "app/io/notes.h"

namespace satdof {

// A lens as data: a JSON file with "title", "source" and the group "lens" of settings, or a prescription, whose lens is traced
// (app/lens/prescription); in assets/lenses/ or a folder of the user.
struct LensPreset {
  std::string name;  // of the file, without its extension
  std::string title, source;
};

// Whether a lens preset sets the field.
bool describesLens(const Field& field);

// Those of assets/lenses/, by name.
const std::vector<LensPreset>& lensPresets();

// Whether the text names a file, .json or a prescription .txt or .dat, rather than a lens of assets/lenses/.
bool namesLensFile(const std::filesystem::path& nameOrFile);
bool namesPrescription(const std::filesystem::path& file);
// Whether a file is a prescription, or has the title of a lens: settings have none.
bool holdsLens(const std::filesystem::path& file);

// Puts the lens of that name, or of a file, in place of another: sets its fields, and what a lens is made of (focal length,
// f-number, aperture, optics) to the defaults where it has none. Focus, camera, sensor and bokeh stay. Returns what the settings describe
// badly. Throws UsageError.
Notes applyLensPreset(Settings& settings, const std::string& nameOrFile);

// Writes the lens of the settings as such a file: what differs from the defaults, with the path of its image: from the file, if it lies below its folder, else from the root. Throws
// UsageError for a name without .json, std::runtime_error if it cannot be written.
void saveLensPreset(const Settings& settings, const std::filesystem::path& file);

}  // namespace satdof
