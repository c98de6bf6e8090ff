#pragma once
#include <functional>
#include <glm/vec2.hpp>
#include <initializer_list>
#include <span>
#include <string>

#include "app/core/fields.h"
#include "app/ui/controls.h"
#include "app/ui/thumbnails.h"
#include "app/ui/timeline.h"

// The controls of the panels. Call between ImGui::NewFrame() and ImGui::Render().
struct ImDrawList;

namespace satdof {

// Sets every field whose path begins with one of `paths` to its default.
void resetFields(Settings& settings, std::span<const char* const> paths);

// Draws the control of the field control.path within `scope`. A double click on a slider or on any label sets the
// default. Disabled if `unavailable` or whyNot() gives a reason. Throws std::logic_error if there is no such field.
void edit(Settings& settings, const Control& control, const Scope& scope = kNoScope,
          std::string unavailable = {});
// Draws the controls of these fields of one side, kTechniqueA or kTechniqueB.
void edit(Settings& settings, const Scope& side, std::initializer_list<const char*> paths);

// Draws a row of a field that is set elsewhere: its name, a text for its value, and its diamond.
void showField(const char* path, const std::string& text);

// Returns the lines of a control's tooltip after the help of its field.
std::string notesOf(const Control& control, const Scope& scope);

// Draws all controls of one panel.
void edit(Settings& settings, std::span<const Control> controls);

// Draws a button with a tooltip. `width`: 0: of the label; -1: of the line. Disabled if `unavailable`, the reason, is not
// empty.
bool button(const char* label, const char* help, float width, const std::string& unavailable = {});

// A slider with its number beside it, which Ctrl and a click edit.
bool numberedSlider(const char* id, float& value, float min, float max, const char* format, int flags = 0);
bool numberedSlider(const char* id, int& value, int min, int max, const char* format = "%d", int flags = 0);

// A button without a look of its own, but for a ring while the keyboard is at it.
bool plainButton(const char* id, glm::vec2 size);
// Whether the last item was pressed by the keyboard, given that it is `pressed`.
bool byKeyboard(bool pressed);

// Arrows that were pressed while the keyboard is at an item, which do not go on to another one.
struct Arrows {
  int right = 0, up = 0;
  int page = 0, end = 0;  // Page Up and Down, Home and End: -1 or 1
  bool shift = false;
};
// Of the last item. `upwards`: it takes arrows up and down, too.
Arrows arrowsOfItem(bool upwards = false);
// Pages and ends alone, which the current window takes.
Arrows pagesOfWindow();
// Call before the arrows of a frame.
void beginArrows();
// Returns whether an item of the last frame takes the arrow.
bool pressArrow(const Arrows& arrow);

// Draws a list that Esc closes. If it is open, draw its entries, then call ImGui::EndCombo(). Its box contains `shown`,
// cut where the box is too narrow, and `ending`.
bool beginList(const char* label, const std::string& shown, const std::string& ending = {});

// Draws a list with the entries that draw(row) draws.
void endList();
template <class Rows, class Draw>
void drawList(const char* label, const std::string& shown, const Rows& rows, const Draw& draw) {
  if (!beginList(label, shown)) return;
  for (const auto& row : rows) draw(row);
  endList();
}
// Draws an entry of a list, with a tooltip unless `help` is empty. Returns whether it is pressed.
bool listEntry(const std::string& label, const std::string& help, bool chosen);

// Whether Esc is pressed in this frame.
bool escapePressed();

// Draws a bar whose `part` is filled, 0 to 1, with text that is cut to its width.
void progressBar(float part, const std::string& text, float width, float height);

// Shows a diamond beside each field that takes keys, in the state that `states` returns for its path. Null: no diamonds.
using KeyStates = std::function<KeyState(const std::string& path)>;
void showKeyStates(KeyStates states);
// Returns the path of the field whose diamond was pressed since the last call; empty: none.
std::string takeKeyed();

// Draws the control of a field, by Field::path(), without its label, for the value of a key. Returns whether it changed.
bool editKeyValue(const Settings& settings, const std::string& path, float& value);

// Draws an image as large as it fits, in the middle.
void drawInside(ImDrawList& draw, const Thumbnails::Image& image, glm::vec2 from, glm::vec2 size);

// Draws a button that shows a thumbnail, or until there is one the name of its file, within `size`. Returns whether it is
// pressed.
bool drawThumbnail(Thumbnails& thumbnails, const Thumbnails::Key& key, glm::vec2 size, bool chosen);

// Call in every frame, before edit(). `loading`: files are read. Then a typed path waits in its field; a refused one leaves it.
void followEnteredPaths(bool loading);

// Returns the path of the field whose button to choose a file was pressed since the last call; empty: none.
std::string takeBrowsed();

// Shows a tooltip for the previous item while the mouse or the keyboard rests on it.
void tooltip(const std::string& text);

// Draws the label of a row, cut before the control, or above it where the control would be narrow. The next item fills the
// rest of the line. Returns whether the label was double-clicked.
bool rowLabel(const char* label);

// Draws a row with a text to type; `shown` while it is empty.
void textRow(const char* label, const char* shown, std::string& value, const char* help);

// Returns the text with line breaks at spaces, so that lines fit into `width` where their words do. A number and its unit
// are one word. Dear ImGui would also break between them, and after the point of a number.
std::string brokenAtSpaces(const std::string& text, float width);

// Returns the text, with its end replaced by "..." if it is wider than `width`.
std::string cut(const std::string& text, float width);
// The same with its beginning, for the path of a file.
std::string cutBeginning(const std::string& text, float width);

// Draws grey text that wraps at the panel's edge.
void hint(const std::string& text);

// Returns "12.3 us", "1.23 ms" or "1.23 s".
std::string timeText(float timeUs);

// A window over the image, beside the column of panels or over it if fewer than `narrowest` are left: placed again when the
// screen's size is no longer `laidOutFor`. Sizes in pixels. ImGui::End() follows in any case.
bool beginBesidePanels(const char* title, bool& shown, glm::vec2& laidOutFor, float columnWidth,
                       float narrowest, float height);

}  // namespace satdof
