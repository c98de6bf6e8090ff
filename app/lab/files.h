#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "app/lab/plot.h"
#include "app/lab/results.h"

namespace satdof::lab {

enum class FileFormat { json, csv, svg, png };

// Returns the format of the extension. Throws UsageError that lists the extensions.
FileFormat fileFormat(const std::filesystem::path& path);

// Returns the contents of a file with all results. `options`: of the plots in SVG and PNG; the machine is filled in.
std::string encode(FileFormat format, const Results& results, PlotOptions options = {});

// Decodes the JSON of encode(), whose measured numbers have five significant digits. Throws std::runtime_error with
// `name` and the reason if the text is damaged.
Results decodeJson(std::string_view text, const std::string& name);
// Reads a JSON file of encode(). Throws UsageError with the path and the reason.
Results readResults(const std::filesystem::path& path);

}  // namespace satdof::lab
