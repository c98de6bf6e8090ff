#pragma once
#include <cstdarg>
#include <cstdio>
#include <string>

namespace satdof {

// Returns the text that std::printf() would write.
[[gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, values)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(values);
  return text;
}

}  // namespace satdof
