#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// Shared by the fuzz targets. libFuzzer calls LLVMFuzzerTestOneInput() with each input. A target fails by
// require(), a sanitizer report, an unexpected exception or a timeout.
namespace satdof::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Aborts with a report unless `holds`.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// Requires a readable message: 1 to 4000 bytes, without control characters except line ends.
inline void requireReadable(std::string_view message) {
  constexpr std::size_t kMaxBytes = 4000;
  require(!message.empty() && message.size() <= kMaxBytes, "a message has 1 to 4000 bytes");
  for (const char c : message)
    require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f), "a message has no control bytes");
}

}  // namespace satdof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
