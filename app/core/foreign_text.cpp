#include "app/core/foreign_text.h"

#include <nlohmann/json.hpp>

namespace satdof {

namespace {

constexpr unsigned kFirstPrintable = 0x20, kDelete = 0x7f;
// Terminals interpret U+0080 to U+009F (C1 controls) like control bytes. In UTF-8 they are 0xc2 and one of 0x80 to 0x9f.
constexpr unsigned kC1Lead = 0xc2, kC1First = 0x80, kC1Last = 0x9f;

unsigned byteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

void appendEscaped(std::string& out, unsigned byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  out.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
}

}  // namespace

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
