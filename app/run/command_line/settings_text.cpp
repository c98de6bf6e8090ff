#include "app/run/command_line/settings_text.h"

#include <cctype>
#include <filesystem>

#include "app/core/settings_json.h"
#include "app/core/usage_error.h"
#include "app/run/command_line/command_line.h"

namespace satdof {

std::vector<std::string> words(const std::string& where, const std::string& text) {
  std::vector<std::string> found;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (quote == 0 && c == '\\' && next == '\n') continue;
    if (quote == 0 && c == '\\' && next == '\'') {
      if (!inWord) found.emplace_back();
      inWord = true;
      found.back() += text[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      if (!inWord) found.emplace_back();
      inWord = true;
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      inWord = false;
    } else {
      if (!inWord) found.emplace_back();
      inWord = true;
      found.back() += c;
    }
  }
  if (quote != 0) throw UsageError(where + ": a quote has no end");
  return found;
}

Settings settingsFromText(const Settings& current, const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw UsageError("cannot paste settings: the clipboard holds no text");
  Settings settings = current;
  if (text[first] == '{') {
    applySettingsJson(settings, text, "");
    return settings;
  }
  auto arguments = words("cannot paste settings", text);
  if (!arguments.front().starts_with('-')) {
    if (std::filesystem::path(arguments.front()).filename() != "satdof")
      throw UsageError("cannot paste settings: the clipboard holds neither JSON nor a command line of satdof");
    arguments.erase(arguments.begin());
  }
  std::vector<const char*> values{"satdof"};
  for (const auto& argument : arguments) values.push_back(argument.c_str());
  return parseSettings(static_cast<int>(values.size()), values.data()).settings();
}

}  // namespace satdof
