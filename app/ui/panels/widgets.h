#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <string>

#include "app/ui/photographs/thumbnails.h"

// Widgets of the panels. Call between ImGui::NewFrame() and ImGui::Render().
struct ImDrawList;

namespace satdof {

// Draws a button with a tooltip. `width`: 0: of the label; -1: of the line. Disabled if the reason `unavailable` is not
// empty. Returns whether it is pressed.
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

// Draws a list that Esc closes. Its box contains `shown`, cut if the box is too narrow, then `ending`. Returns whether
// the list is open: then draw its entries and call endList().
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

// Draws white text with a black shadow.
void drawShadowedText(ImDrawList& draw, glm::vec2 at, const std::string& text);

// Draws the square roots of counts as bars in a rectangle. Counts from `most` on fill its height.
void drawBars(ImDrawList& draw, std::span<const std::uint32_t> counts, std::uint32_t most, glm::vec2 from,
              glm::vec2 size, std::uint32_t colour);

// Draws an image centred in a rectangle, as large as it fits.
void drawInside(ImDrawList& draw, const Thumbnails::Image& image, glm::vec2 from, glm::vec2 size);

// Draws a button that shows a thumbnail within `size`; its name until the thumbnail is made. Returns whether the button
// is pressed.
bool drawThumbnail(Thumbnails& thumbnails, const Thumbnails::Key& key, glm::vec2 size, bool chosen);

// Shows a tooltip for the last item while the mouse or the keyboard rests on it.
void tooltip(const std::string& text);

// Draws the label of a row, cut before its control; above the control if that would be narrow. The next item fills the
// rest of the line. Returns whether the label was double-clicked.
bool rowLabel(const char* label);

// Draws a row with a text field, which shows `shown` while it is empty.
void textRow(const char* label, const char* shown, std::string& value, const char* help);

// Draws a hint: small grey text that wraps at the edge of the panel.
void hint(const std::string& text);

// Returns "12.3 us", "1.23 ms" or "1.23 s".
std::string timeText(float timeUs);

// Begins a window over the image: beside the column of panels, or over the column if less than `narrowest` is left.
// Placed again when the size of the screen differs from `laidOutFor`. Sizes in screen coordinates. Returns whether it
// is open; call ImGui::End() in any case.
bool beginBesidePanels(const char* title, bool& shown, glm::vec2& laidOutFor, float columnWidth, float narrowest,
                       float height);

}  // namespace satdof
