#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/lab/plot.h"
#include "app/lab/results.h"

namespace satdof::lab {

enum class FileFormat { json, csv, svg, png };

// Returns the format of the extension. Throws UsageError with the known extensions.
FileFormat fileFormat(const std::filesystem::path& path);

// All results as the contents of a file. `options`: of the plots in SVG and PNG, which also name the machine.
std::string encode(FileFormat format, const Results& results, PlotOptions options = {});

// The results in a JSON file of encode(). Measured numbers have five digits. Throws std::runtime_error with `name` and
// the reason if the text is damaged.
Results decodeJson(std::string_view text, const std::string& name);
// Reads such a file. Throws UsageError with the path and the reason.
Results readResults(const std::filesystem::path& path);

}  // namespace satdof::lab
