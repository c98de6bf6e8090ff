#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput() with each input; a target fails by
// require(), a sanitizer report, an exception that it does not expect, or by taking too long.
namespace satdof::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the run with a report if `good` is false.
inline void require(bool good, const char* promise) {
  if (good) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// A message for a person: not empty, no control bytes but line ends, not longer than some lines.
inline void requireReadable(std::string_view message) {
  constexpr std::size_t kMostBytes = 4000;
  require(!message.empty() && message.size() <= kMostBytes, "a message has 1 to 4000 bytes");
  for (const char c : message)
    require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f),
            "a message has no control bytes");
}

}  // namespace satdof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
