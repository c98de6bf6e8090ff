#pragma once
#include <optional>
#include <string>

#include "app/scene/load_status.h"
#include "app/ui/session.h"
#include "app/views/table_reading.h"

// What is drawn over the image, beside the panels. Call between ImGui::NewFrame() and ImGui::Render(). `scale`: screen
// coordinates per pixel of a display without scaling.
namespace satdof {

// The line between A and B, or between the halves of a view, with its labels; while a key shows another image, its label alone. Leaves
// the loupe free. `onSplit`: the mouse touches the line. Needs a current context.
void drawSplit(const Session& session, bool onSplit, float scale, float pixelsPerPoint);

// The progress of an image refined over several frames, 0 to 1, at its lower edge right of `left`.
void drawProgress(float progress, float left, float scale);

// Session::reading, small until it is read, with its name and how far it is. Returns whether that covers the image.
bool drawReading(Session& session, const LoadStatus& loading, float scale);
// The name of the photograph of the strip that could not be read. Returns whether that covers the image.
bool drawUnread(const Session& session);

// A circle where the focus was set last; it fades. A smaller one stays on a photograph, to be dragged.
void drawFocusMarker(const Session& session, float scale);

// Frames the loupe, and marks and names the colour of the pixel under the mouse.
void drawLoupe(const Session& session, float pixelsPerPoint);

// Lines about the pixel under the mouse, beside it; in the middle of the image until the mouse has moved. Tabs separate
// columns. With `marks`, the box of the pixel with its corners, which the lines leave free if there is room.
void drawAtCursor(const Session& session, const std::string& text, const std::optional<TableMarks>& marks,
                  float scale);

// The origin of the table that is shown, or of its part nearest to the origin.
void drawOrigin(const Session& session, const TableMarks& marks, float scale);

// In the middle of the image, above the notice.
void drawHint(const Session& session, float pixelsPerPoint);
void drawNotice(const Session& session, float pixelsPerPoint);

// What is recorded, at the upper edge; not where it would be recorded, too.
void drawRecording(const Session& session);

// The progress of a capture, `text` and 0 to 1, in the middle of the image. Returns whether its button is pressed.
bool drawCapture(const Session& session, const std::string& text, float part);

// Shows the errors, and `message` until it is closed or another. A long list scrolls above its button.
void drawErrors(Session& session, const std::string& message, float pixelsPerPoint);

// The list of the keys, if it is open.
void drawKeys(const Session& session);

}  // namespace satdof
