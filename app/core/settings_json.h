#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// Settings as JSON, nested by the paths in settings_fields.h. Floats are the shortest text that reads back to
// the same value; sizes are "WIDTHxHEIGHT"; enumerations are their names.
std::string settingsToJson(const Settings& settings);

// Sets the fields that `text` holds; the others keep their values. Throws UsageError, and changes nothing,
// when it is damaged, or holds an unknown key, a wrong type or a value out of range; `origin` (a file name)
// begins the message.
void applySettingsJson(Settings& settings, std::string_view text, const std::string& origin);

// Sets the field whose command-line option is `option` from text. Throws UsageError as above.
void applyOption(Settings& settings, std::string_view option, const std::string& text);

// What that option accepts and its default, for --help: "a number from 0.1 to 10000; 6".
std::string optionRange(std::string_view option);

// The value that `text` is. Throw UsageError, beginning with `where`, when it is none or not within [min,
// max].
bool parseBool(const std::string& where, const std::string& text);
int parseInt(const std::string& where, const std::string& text, int min, int max);
LensKind parseLens(const std::string& where, const std::string& text);
float parseFloat(const std::string& where, const std::string& text, double min, double max);

// Whichever of the candidates (at least one) is the fewest edits away from `text`.
std::string nearest(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace satdof
