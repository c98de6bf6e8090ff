#include "app/ui/panels/fitted_text.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace satdof {

namespace {

// Whether the space at text[space] separates a number from its unit.
bool isBeforeUnit(std::string_view text, std::size_t space) {
  constexpr std::array<std::string_view, 13> kUnits = {"%",  "m", "mm", "px",  "deg", "dB", "us",
                                                       "ms", "s", "MB", "MiB", "GiB", "fps"};
  if (space == 0 || std::isdigit(static_cast<unsigned char>(text[space - 1])) == 0) return false;
  const std::string_view rest = text.substr(space + 1), word = rest.substr(0, rest.find_first_of(" \n,;:.)"));
  return std::ranges::find(kUnits, word) != kUnits.end();
}

}  // namespace

std::string brokenAtSpaces(const std::string& text, float width) {
  std::string broken = text;
  std::size_t line = 0, space = std::string::npos;  // where the line and its last space start
  for (std::size_t i = 0; i <= broken.size(); ++i) {
    if (i < broken.size() && broken[i] != '\n' && (broken[i] != ' ' || isBeforeUnit(broken, i))) continue;
    if (space != std::string::npos && ImGui::CalcTextSize(broken.data() + line, broken.data() + i).x > width) {
      broken[space] = '\n';
      line = space + 1;
    }
    space = i;
    if (i < broken.size() && broken[i] == '\n') {
      line = i + 1;
      space = std::string::npos;
    }
  }
  return broken;
}

std::string cut(const std::string& text, float width) {
  std::string shown = text;
  for (std::size_t length = text.size(); ImGui::CalcTextSize(shown.c_str()).x > width && length > 0;) {
    do --length;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80);  // within a character
    shown = text.substr(0, length) + "...";
  }
  return shown;
}

std::string cutBeginning(const std::string& text, float width) {
  std::string shown = text;
  for (std::size_t from = 0; ImGui::CalcTextSize(shown.c_str()).x > width && from < text.size();) {
    do ++from;
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80);
    shown = "..." + text.substr(from);
  }
  return shown;
}

}  // namespace satdof
