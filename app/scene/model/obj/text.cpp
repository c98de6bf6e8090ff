#include "app/scene/model/obj/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "app/core/text/letters.h"

namespace satdof::obj {

namespace {

constexpr std::string_view kBlanks = " \t\v\f";

}  // namespace

Lines::Lines(std::string_view text) : text_(text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.size() >= 2 &&
      (byte(0) == 0 || byte(1) == 0 || (byte(0) == 0xff && byte(1) == 0xfe) || (byte(0) == 0xfe && byte(1) == 0xff)))
    throw std::runtime_error("the text is UTF-16: save the file as UTF-8");
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
}

std::string_view Lines::physicalLine() {
  const std::size_t end = std::min(text_.find_first_of("\n\r"), text_.size());
  const std::string_view line = trimmed(text_.substr(0, end));
  text_.remove_prefix(end);
  text_.remove_prefix(text_.starts_with("\r\n") ? 2 : std::min<std::size_t>(text_.size(), 1));
  return line;
}

bool Lines::next() {
  while (!text_.empty()) {
    std::string_view line = physicalLine();
    if (line.empty() || line[0] == '#') continue;
    if (line.back() == '\\') {
      joined_.clear();
      for (; line.ends_with('\\'); line = physicalLine()) joined_.append(line.substr(0, line.size() - 1)) += ' ';
      joined_ += line;
      line = trimmed(joined_);
    }
    rest_ = line;
    keyword_ = takeWord(rest_);
    if (!keyword_.empty()) return true;
  }
  return false;
}

std::string_view takeWord(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return word;
}

std::optional<double> numberOf(std::string_view word) {
  std::string dotted;
  if (const auto comma = word.find(','); comma != word.npos && word.find('.') == word.npos) {
    dotted = word;
    dotted[comma] = '.';
    word = dotted;
  }
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return std::clamp(value, -1e9, 1e9);
}

}  // namespace satdof::obj
