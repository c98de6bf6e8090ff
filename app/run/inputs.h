#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"

// The files that drawing reads.
namespace satdof {

// What reading a file of a scene reads besides: the files of a model, calib.txt beside a depth.
std::vector<std::filesystem::path> filesReadWith(const std::filesystem::path& file);

// The files that the settings name, with filesReadWith() them.
std::vector<std::filesystem::path> inputsOf(Settings settings);

// What changes with the contents of inputsOf() the settings. Of each file, the content at the first call counts: the program draws
// what it has read then.
std::string inputsText(const Settings& settings);

}  // namespace satdof
