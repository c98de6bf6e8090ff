#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/io/notes.h"

namespace satdof {

// A lens as a file: JSON with "title", "source" and the group "lens" of settings, or a prescription, through which rays
// are traced (app/lens/prescription). In assets/lenses/ or a folder of the user.
struct LensPreset {
  std::string name;  // of the file, without extension
  std::string title, source;
};

// The lenses of assets/lenses/, by name.
const std::vector<LensPreset>& lensPresets();

// Whether the text names a file (.json, .txt or .dat) rather than a lens of assets/lenses/.
bool namesLensFile(const std::filesystem::path& nameOrFile);
// Whether the file has the extension of a prescription: .txt or .dat.
bool namesPrescription(const std::filesystem::path& file);
// Whether a file is a prescription, or JSON with the title of a lens; settings have no title.
bool holdsLens(const std::filesystem::path& file);

// Replaces the lens of the settings by the lens of that name or file. Fields of a lens that it does not give (f-number,
// aperture, optics) get their defaults. Focal length, focus, camera, sensor and bokeh stay; the f-number gives the
// aperture the diameter in the file. So the far background blurs as in images of the real lens from the distance that
// gives the subject the same size. Returns notes on properties of the lens that the settings describe badly. Throws
// UsageError if the lens is unknown or its file is wrong.
Notes applyLensPreset(Settings& settings, const std::string& nameOrFile);

// Writes the lens of the settings to a JSON file: the fields that differ from the defaults. The path of its image is
// relative to assets/lenses/ if it lies below, else as withoutUserPaths() says; a note tells if the file then names
// another image or none. Throws UsageError for a name without .json, std::runtime_error if the file cannot be written.
Notes saveLensPreset(const Settings& settings, const std::filesystem::path& file);

}  // namespace satdof
