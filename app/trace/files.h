#pragma once
#include <filesystem>
#include <string>

#include "app/trace/trace.h"

namespace satdof::trace {

enum class FileFormat { json, csv, svg, film };  // film: written by SlowMotionVideo, not by encode()

// Returns the format of a file by its extension. Throws UsageError with the known extensions.
FileFormat fileFormat(const std::filesystem::path& path);

// Sets data and fileValues by "ones", "ramp", "random" or the name of a text file of numbers, separated by white space
// or commas. Throws UsageError with the reason.
void useData(Request& request, const std::string& text);

// Returns the contents of a file. JSON: request, counts, result, and the steps if they are recorded. CSV: the counts,
// in total, by launch and by source line. SVG: a drawing of the first steps of the first block, time from top to
// bottom.
std::string encode(FileFormat format, const Trace& trace);

}  // namespace satdof::trace
