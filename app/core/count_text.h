#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace satdof {

// "1 clip", "2 clips".
inline std::string countText(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "a, b or c", where `last` is "or".
inline std::string listText(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text.append(i == 0 ? "" : i + 1 < words.size() ? ", " : " " + last + " ").append(words[i]);
  return text;
}

}  // namespace satdof
