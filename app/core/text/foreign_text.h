#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

// Makes untrusted text (file contents, file names, arguments) safe for messages.
namespace satdof {

// Returns `text` in double quotes on one line, with control bytes and invalid UTF-8 escaped. Truncates it after `most`
// bytes.
std::string inQuotes(std::string_view text, std::size_t most = 60);
// The same without the quotes.
std::string excerpt(std::string_view text, std::size_t most = 60);
// Returns excerpt() of the path of a file.
std::string pathText(const std::filesystem::path& path, std::size_t most = 1000);

// Any bytes as UTF-8, for strings of JSON files: a byte b that is no part of UTF-8 becomes U+EF00 + b, of the private
// use area; so do the bytes of U+EF80 to U+EFFF. fromJsonText(toJsonText(bytes)) == bytes.
std::string toJsonText(std::string_view bytes);
std::string fromJsonText(std::string_view text);

// Escapes a whole message: keeps line ends, writes other control bytes as \xNN. Truncates it after `most` bytes.
std::string printable(std::string_view message, std::size_t most = 20000);

}  // namespace satdof
