#pragma once
#include <string>
#include <string_view>

// Letters of ASCII, in every locale: std::tolower leaves the I of a Turkish user as it is.
namespace satdof {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string lowerCase(std::string_view text) {
  std::string found(text);
  for (char& c : found) c = lower(c);
  return found;
}

}  // namespace satdof
