#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace satdof {

// "1 clip", "2 clips".
inline std::string countText(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "a, b or c"; `last`: the word before the last item, "or" or "and".
inline std::string listText(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text.append(i == 0 ? "" : i + 1 < words.size() ? ", " : " " + last + " ").append(words[i]);
  return text;
}

// Returns the parts of `text` between separators. A separator at the end starts no further part.
inline std::vector<std::string> splitText(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
  }
  return parts;
}

}  // namespace satdof
