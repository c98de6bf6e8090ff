#pragma once

// Letters of ASCII, in every locale: std::tolower leaves the I of a Turkish user as it is.
namespace satdof {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

}  // namespace satdof
