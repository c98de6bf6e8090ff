#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// Returns the settings as JSON, nested by the paths of app/core/fields.h. Floats are the shortest text that reads back
// to the same value, sizes are "WIDTHxHEIGHT", enumerations are names.
std::string settingsToJson(const Settings& settings);

// Sets the fields in `text`; other fields keep their values. Throws UsageError and changes nothing if `text` is damaged
// or contains an unknown key, a wrong type or a value out of range. The message names `origin`, the file, unless it is
// empty.
void applySettingsJson(Settings& settings, std::string_view text, const std::string& origin);

// Like applySettingsJson(), but skips invalid values. Returns the reasons of the first few. Throws UsageError if `text`
// is not a JSON object.
std::vector<std::string> applyReadableSettings(Settings& settings, std::string_view text, const std::string& origin);

// Returns the fields of the look (see Look in app/core/fields.h) as JSON, without paths of files.
std::string lookToJson(const Settings& settings);

// Sets the fields of the look in `text`. Returns the paths of all other values in `text`, which are ignored. Throws
// like applySettingsJson().
std::vector<std::string> applyLook(Settings& settings, std::string_view text, const std::string& origin);

bool sameLook(const Settings& a, const Settings& b);

// Sets the field of a command-line option. Throws UsageError if `text` is not a valid value.
void applyOption(Settings& settings, std::string_view option, const std::string& text);

// Returns the options that turn the defaults into these settings: "--focus 3.5 --no-bokeh".
std::string optionsText(const Settings& settings);

// Returns the accepted values and the default of an option, for --help: "a number from 0.1 to 10000; 6".
std::string optionRange(std::string_view option);

// Return the value of `text`. Throw UsageError if `text` is invalid or outside [min, max]. The message begins with
// `where`.
bool parseBool(const std::string& where, const std::string& text);
int parseInt(const std::string& where, const std::string& text, int min, int max);
float parseFloat(const std::string& where, const std::string& text, double min, double max);

// Returns the candidate with the smallest edit distance from `text`. Needs at least one candidate.
std::string nearest(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace satdof
