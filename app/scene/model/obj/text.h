#pragma once
#include <optional>
#include <string>
#include <string_view>

// The text of OBJ and MTL files.
namespace satdof::obj {

// The lines of a file: UTF-8 with or without a byte order mark, ended by \n, \r\n or \r. A backslash at the end of a line
// continues the line. Empty lines and comments are skipped.
class Lines {
 public:
  // Throws std::runtime_error if the text is UTF-16.
  explicit Lines(std::string_view text);
  // Goes to the next line. False at the end.
  bool next();
  // The first word of the line.
  std::string_view keyword() const { return keyword_; }
  // The line after the keyword, without blanks at its ends.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view physicalLine();

  std::string_view text_, keyword_, rest_;
  std::string joined_;
};

// Cuts the first word off `text`; empty at the end.
std::string_view takeWord(std::string_view& text);
// Also with a decimal comma. None if the word is no finite number; at most 1e9 from 0.
std::optional<double> numberOf(std::string_view word);

}  // namespace satdof::obj
