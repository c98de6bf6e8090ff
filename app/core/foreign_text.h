#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

// Foreign text in messages: from files, names of files and arguments.
namespace satdof {

// The text in double quotes, on one line, with control bytes and damaged UTF-8 escaped, cut after `most` bytes.
std::string inQuotes(std::string_view text, std::size_t most = 60);
// The same without the quotes.
std::string excerpt(std::string_view text, std::size_t most = 60);
// A file in a message: excerpt() of its path.
std::string pathText(const std::filesystem::path& path, std::size_t most = 1000);

// A whole message: keeps line ends and writes other control bytes as \xNN; cut after `most` bytes.
std::string printable(std::string_view message, std::size_t most = 20000);

}  // namespace satdof
