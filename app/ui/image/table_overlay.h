#pragma once
#include <optional>
#include <string>

#include "app/ui/session.h"
#include "app/views/table_reading.h"

// Numbers and marks of the debug views over the image. Call between ImGui::NewFrame() and ImGui::Render(). `scale`:
// screen coordinates per pixel of a display without scaling.
namespace satdof {

// Draws lines about the pixel under the mouse beside it; in the middle of the image until the mouse has moved. Tabs
// separate columns. `marks`: draws the box of the pixel with its corners, which the lines leave free if there is room.
void drawAtCursor(const Session& session, const std::string& text, const std::optional<TableMarks>& marks, float scale);

// Draws the origin of the shown table, or a mark at the visible point nearest to the origin.
void drawOrigin(const Session& session, const TableMarks& marks, float scale);

}  // namespace satdof
