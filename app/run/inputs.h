#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"

// The files that drawing an image reads.
namespace satdof {

// Files that are read together with a file: those that a model names, or calib.txt beside a depth.
std::vector<std::filesystem::path> filesReadWith(const std::filesystem::path& file);

// The files that the settings name, and filesReadWith() each.
std::vector<std::filesystem::path> inputsOf(Settings settings);

// A hash of the contents of inputsOf() the settings. The contents of a file at the first call count: the program
// draws from the contents that it read.
std::string inputsText(const Settings& settings);

}  // namespace satdof
