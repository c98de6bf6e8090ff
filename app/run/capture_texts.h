#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/io/codec.h"
#include "app/run/capture.h"

// The texts of captured files, and the check of old files.
namespace satdof {

// Returns the texts of a file at `path`, without hashes, and the EXIF data that it keeps of a photograph.
Metadata metadataOf(const Settings& settings, float timeS, const std::filesystem::path& path,
                    const CaptureOptions& options);

// Appends the hashes of the encoded layers, if any, and with `ofTheFile` the place of a hash of the whole file.
void addHashes(std::vector<ImageText>& texts, const std::vector<std::string>& layers, bool ofTheFile);
// Writes the hash of the whole file to its place, if any.
std::string withHash(std::string bytes);

// Whether the file and its layers are whole and are what capture() would write: same settings, texts, program and
// device, and no input file is newer. Needs a current context.
bool holdsCapture(const std::filesystem::path& path, const Settings& settings, float timeS,
                  const CaptureOptions& options);

}  // namespace satdof
