#pragma once
#include <optional>
#include <string>
#include <string_view>

// The text of OBJ and MTL files.
namespace satdof::obj {

// Iterates over the lines of a UTF-8 file, with or without a byte order mark. Lines end with \n, \r\n or \r; a
// backslash at the end continues a line. Skips empty lines and comments.
class Lines {
 public:
  // Throws std::runtime_error if the text is UTF-16.
  explicit Lines(std::string_view text);
  // Moves to the next line. Returns false at the end.
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

// Removes the first word and the blanks around it from `text`. Returns the word; empty at the end.
std::string_view takeWord(std::string_view& text);
// Parses a number with a decimal point or comma, clamped to +-1e9. None if the word is not a finite number.
std::optional<double> numberOf(std::string_view word);

}  // namespace satdof::obj
