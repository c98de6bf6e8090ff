#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace satdof {

// A line of UTF-8 text that is edited by keys. Positions are byte offsets at the start of a character.
class TextLine {
 public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  // Start and end of the selection; equal if nothing is selected.
  std::pair<std::size_t, std::size_t> selection() const { return std::minmax(cursor_, anchor_); }

  // Replaces the text. Selects its first `selected` bytes, with the cursor at their end.
  void set(std::string text, std::size_t selected) {
    text_ = std::move(text);
    anchor_ = 0;
    cursor_ = std::min(selected, text_.size());
  }
  void clear() { set({}, 0); }
  void selectAll() { set(std::move(text_), std::string::npos); }

  // Replaces the selection by the text.
  void insert(const std::string& text) {
    const auto [from, to] = selection();
    text_.replace(from, to - from, text);
    cursor_ = anchor_ = from + text.size();
  }
  // Deletes the selection, else the character before the cursor (-1) or after it (1).
  void erase(int side) {
    if (cursor_ == anchor_) move(side, true);
    insert({});
  }
  // Moves the cursor by a character: back (-1) or on (1). `select`: extends the selection; else a selection collapses
  // to its end on that side.
  void move(int side, bool select) {
    const auto [from, to] = selection();
    std::size_t at = cursor_;
    if (!select && from != to)
      at = side < 0 ? from : to;
    else if (side < 0 ? at > 0 : at < text_.size())
      for (at += side < 0 ? -1 : 1; at < text_.size() && continues(text_[at]); at += side < 0 ? -1 : 1) {
      }
    place(at, select);
  }
  void moveToStart(bool select) { place(0, select); }
  void moveToEnd(bool select) { place(text_.size(), select); }

 private:
  static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }
  void place(std::size_t at, bool select) {
    cursor_ = at;
    if (!select) anchor_ = at;
  }

  std::string text_;
  std::size_t cursor_ = 0, anchor_ = 0;
};

}  // namespace satdof
