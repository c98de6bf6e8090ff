#pragma once
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <initializer_list>
#include <span>
#include <string>

#include "app/core/fields.h"
#include "app/ui/controls.h"
#include "app/ui/photographs/thumbnails.h"
#include "app/ui/timeline/timeline.h"

// Controls and other widgets of the panels. Call between ImGui::NewFrame() and ImGui::Render().
struct ImDrawList;

namespace satdof {

// Sets every field whose path begins with one of `paths` to its default.
void resetFields(Settings& settings, std::span<const char* const> paths);

// Draws the control of the field control.path within `scope`. A double click on the label or the slider sets the default.
// Disabled if `unavailable` or whyNot() gives a reason. Throws std::logic_error if there is no such field.
void edit(Settings& settings, const Control& control, const Scope& scope = kNoScope,
          std::string unavailable = {});
// Draws the controls of several fields within `scope`.
void edit(Settings& settings, const Scope& scope, std::initializer_list<const char*> paths);
// Draws several controls.
void edit(Settings& settings, std::span<const Control> controls);

// Draws the row of a field that is not edited here: label, `text` for its value, and diamond.
void showField(const char* path, const std::string& text);

// Returns the lines of a control's tooltip after the help of its field.
std::string notesOf(const Control& control, const Scope& scope);

// Draws a button with a tooltip. `width`: 0: of the label; -1: of the line. Disabled if the reason `unavailable` is not empty.
// Returns whether it is pressed.
bool button(const char* label, const char* help, float width, const std::string& unavailable = {});

// Returns the width of a button with this label.
float buttonWidth(const char* label);
// Returns the width of each of several items that fill the rest of the line.
float shareOfLine(int items);

// Draws a slider with its number beside it. Ctrl and a click edit the number. Returns whether the value changed.
bool numberedSlider(const char* id, float& value, float min, float max, const char* format, int flags = 0);
bool numberedSlider(const char* id, int& value, int min, int max, const char* format = "%d", int flags = 0);

// An invisible button with an outline while it has the keyboard. Returns whether it is pressed.
bool plainButton(const char* id, glm::vec2 size);
// Whether the keyboard has pressed the last item. `pressed`: the item is pressed.
bool byKeyboard(bool pressed);

// Keys that an item takes while it has the keyboard, so that they do not go to another item.
struct Arrows {
  int right = 0, up = 0;
  int page = 0, end = 0;  // Page Up and Down, Home and End: -1 or 1
  bool shift = false;
};
// Returns the arrows that were pressed at the last item. `upwards`: it takes arrows up and down, too.
Arrows arrowsOfItem(bool upwards = false);
// Returns the page keys, Home and End that were pressed in the current window.
Arrows pagesOfWindow();
// Call in every frame before pressArrow().
void beginArrows();
// Gives a key to the item or window of the last frame that takes it. Returns whether there is one.
bool pressArrow(const Arrows& arrow);

// Draws a list that Esc closes. Its box contains `shown`, cut if the box is too narrow, then `ending`. Returns whether the list
// is open: then draw its entries and call endList().
bool beginList(const char* label, const std::string& shown, const std::string& ending = {});
void endList();
// Draws a list whose entries draw(row) draws.
template <class Rows, class Draw>
void drawList(const char* label, const std::string& shown, const Rows& rows, const Draw& draw) {
  if (!beginList(label, shown)) return;
  for (const auto& row : rows) draw(row);
  endList();
}
// Draws an entry of a list, with a tooltip unless `help` is empty. Returns whether the entry is pressed.
bool listEntry(const std::string& label, const std::string& help, bool chosen);

// Whether Esc is pressed in this frame.
bool escapePressed();

// Draws a progress bar, 0 to 1, with text that is cut to its width.
void progressBar(float progress, const std::string& text, float width, float height);

// Shows a diamond beside each field that takes keys. `states` returns the state of a field by its path; null: no diamonds.
using KeyStates = std::function<KeyState(const std::string& path)>;
void showKeyStates(KeyStates states);
// Returns the path of the field whose diamond was pressed since the last call; empty: none.
std::string takeKeyed();

// Draws the control of a field, by Field::path(), without its label, for the value of a key. Returns whether the value changed.
bool editKeyValue(const Settings& settings, const std::string& path, float& value);

// Draws white text with a black shadow.
void drawShadowedText(ImDrawList& draw, glm::vec2 at, const std::string& text);

// Draws the square roots of counts as bars in a rectangle. Counts from `most` on fill its height.
void drawBars(ImDrawList& draw, std::span<const std::uint32_t> counts, std::uint32_t most, glm::vec2 from,
              glm::vec2 size, std::uint32_t colour);

// Draws an image centred in a rectangle, as large as it fits.
void drawInside(ImDrawList& draw, const Thumbnails::Image& image, glm::vec2 from, glm::vec2 size);

// Draws a button that shows a thumbnail within `size`; its name until the thumbnail is made. Returns whether the button is
// pressed.
bool drawThumbnail(Thumbnails& thumbnails, const Thumbnails::Key& key, glm::vec2 size, bool chosen);

// Call in every frame, before edit(). A typed path stays in its field while its file is read (`loading`); the path of a file
// that is refused disappears.
void updateEnteredPaths(bool loading);

// Returns the path of the field whose button to choose a file was pressed since the last call; empty: none.
std::string takeBrowsed();

// Shows a tooltip for the last item while the mouse or the keyboard rests on it.
void tooltip(const std::string& text);

// Draws the label of a row, cut before its control; above the control if that would be narrow. The next item fills the rest of
// the line. Returns whether the label was double-clicked.
bool rowLabel(const char* label);

// Draws a row with a text field, which shows `shown` while it is empty.
void textRow(const char* label, const char* shown, std::string& value, const char* help);

// Returns the text with line breaks at spaces, such that lines fit into `width` if their words do. A number and its unit are
// one word: Dear ImGui would break between them, and after the decimal point of a number.
std::string brokenAtSpaces(const std::string& text, float width);

// Returns the text, with its end replaced by "..." if it is wider than `width`.
std::string cut(const std::string& text, float width);
// Returns the text, with its beginning replaced by "..." if it is wider than `width`: for paths.
std::string cutBeginning(const std::string& text, float width);

// Draws a hint: small grey text that wraps at the edge of the panel.
void hint(const std::string& text);

// Returns "12.3 us", "1.23 ms" or "1.23 s".
std::string timeText(float timeUs);

// Begins a window over the image: beside the column of panels, or over the column if less than `narrowest` is left. Placed
// again when the size of the screen differs from `laidOutFor`. Sizes in screen coordinates. Returns whether it is open; call
// ImGui::End() in any case.
bool beginBesidePanels(const char* title, bool& shown, glm::vec2& laidOutFor, float columnWidth,
                       float narrowest, float height);

}  // namespace satdof
