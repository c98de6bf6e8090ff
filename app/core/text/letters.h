#pragma once
#include <string>
#include <string_view>

// ASCII case conversion, independent of the locale: in a Turkish locale, std::tolower('I') is not 'i'.
namespace satdof {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string lowerCase(std::string_view text) {
  std::string found(text);
  for (char& c : found) c = lower(c);
  return found;
}

// Returns the text without blanks at both ends.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace satdof
