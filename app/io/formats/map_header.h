#pragma once
#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/core/text/number.h"

namespace satdof {

// Reads the header of a portable map (PFM, PNM): words separated by white space and by comments from # to the end of
// the line.
class MapHeader {
 public:
  static constexpr std::size_t kMaxBytes = 4096;

  explicit MapHeader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view word() {
    const std::string_view head = bytes_.substr(0, kMaxBytes);
    const auto space = [&] { return std::isspace(static_cast<unsigned char>(head[at_])) != 0; };
    while (at_ < head.size() && (space() || head[at_] == '#'))
      at_ = head[at_] == '#' ? std::min(head.find('\n', at_), head.size()) : at_ + 1;
    const std::size_t from = at_;
    while (at_ < head.size() && !space()) ++at_;
    return head.substr(from, at_ - from);
  }

  template <class T>
  T number(const char* what) {
    if (const auto value = numberInText<T>(word())) return *value;
    throw std::runtime_error(std::string("its header has no ") + what);
  }

  // Returns the bytes after the header. One white-space byte separates them; CR LF counts as one in a header with CR LF
  // line ends.
  std::string_view body() const {
    const bool pairs = bytes_.substr(0, at_).find("\r\n") != bytes_.npos && bytes_.substr(at_, 2) == "\r\n";
    return bytes_.substr(std::min(at_ + (pairs ? 2 : 1), bytes_.size()));
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace satdof
