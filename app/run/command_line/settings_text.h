#pragma once
#include <string>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// Parses settings: JSON, which changes `current`, or a command line with or without the name of the program, which
// changes the defaults. Reads the files that these settings need, but no film. Throws UsageError if the text is
// neither.
Settings settingsFromText(const Settings& current, const std::string& text);

// Splits a command line at white space outside quotes. A backslash at the end of a line joins it with the next.
// Throws UsageError that begins with `where` if a quote has no end.
std::vector<std::string> words(const std::string& where, const std::string& text);

}  // namespace satdof
