#pragma once
#include <string>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// Returns the settings of a text: JSON, which changes `current`, or options of the command line, which change
// the defaults, after an optional name of the program. Throws UsageError if the text is neither.
Settings settingsFromText(const Settings& current, const std::string& text);

// Splits a command line at white space, outside of quotes. A backslash before the end of a line joins the
// lines. Throws UsageError, which begins with `where`, if a quote has no end.
std::vector<std::string> words(const std::string& where, const std::string& text);

}  // namespace satdof
