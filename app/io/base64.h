#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace satdof {

// Decodes base64 or base64url; ignores white space. Returns nothing if other characters occur.
inline std::optional<std::string> decodeBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view kSpace = " \n\r\t";
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int held = 0;
  bool padded = false;
  for (const char c : text) {
    if (kSpace.find(c) != kSpace.npos) continue;
    padded = padded || c == '=';
    if (c == '=') continue;
    const auto digit = kDigits.find(c == '-' ? '+' : c == '_' ? '/' : c);
    if (padded || digit == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace satdof
