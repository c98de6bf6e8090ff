#include "app/core/text/foreign_text.h"

#include <nlohmann/json.hpp>

namespace satdof {

namespace {

constexpr unsigned kFirstPrintable = 0x20, kDelete = 0x7f;
// Terminals interpret U+0080 to U+009F (C1 controls) like control bytes. In UTF-8 they are 0xc2 and one of 0x80 to
// 0x9f.
constexpr unsigned kC1Lead = 0xc2, kC1First = 0x80, kC1Last = 0x9f;

unsigned byteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

void appendEscaped(std::string& out, unsigned byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  out.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
}

// Bytes of the first character if it is UTF-8 (RFC 3629), else 0.
std::size_t utf8Length(std::string_view text) {
  const unsigned lead = byteAt(text, 0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byteAt(text, i) & 0xc0u) != 0x80) return 0;
  const unsigned second = byteAt(text, 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90),
             surrogate = lead == 0xed && second > 0x9f, beyond = lead == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

// Whether the text begins with one of U+EF80 to U+EFFF.
bool standsForByte(std::string_view text) {
  return byteAt(text, 0) == 0xee && byteAt(text, 1) >= 0xbe && utf8Length(text) == 3;
}

}  // namespace

std::string toJsonText(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    std::size_t length = utf8Length(bytes);
    if (length > 0 && !standsForByte(bytes)) {
      text.append(bytes.substr(0, length));
    } else {
      length = 1;
      const unsigned byte = byteAt(bytes, 0);
      for (const unsigned part : {0xeeu, 0xbcu | byte >> 6, 0x80u | (byte & 0x3fu)}) text += static_cast<char>(part);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

std::string fromJsonText(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const bool stands = standsForByte(text);
    bytes += stands ? static_cast<char>((byteAt(text, 1) & 3u) << 6 | (byteAt(text, 2) & 0x3fu)) : text[0];
    text.remove_prefix(stands ? 3 : 1);
  }
  return bytes;
}

std::string printable(std::string_view message, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(message.size(), most); ++i) {
    const unsigned byte = byteAt(message, i), next = byteAt(message, i + 1);
    if (byte == kC1Lead && next >= kC1First && next <= kC1Last)
      appendEscaped(out, byteAt(message, ++i));
    else if (message[i] != '\n' && (byte < kFirstPrintable || byte == kDelete))
      appendEscaped(out, byte);
    else
      out += message[i];
  }
  return message.size() > most ? out + "..." : out;
}

std::string inQuotes(std::string_view text, std::size_t most) {
  std::string shown(text.substr(0, most));
  if (text.size() > most) shown += "...";
  return printable(nlohmann::json(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string excerpt(std::string_view text, std::size_t most) {
  const std::string shown = inQuotes(text, most);
  return shown.substr(1, shown.size() - 2);
}

std::string pathText(const std::filesystem::path& path, std::size_t most) {
  return excerpt(path.generic_string(), most);
}

}  // namespace satdof
