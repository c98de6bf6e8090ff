#pragma once
#include <optional>
#include <string>

#include "app/scene/load_status.h"
#include "app/ui/session.h"
#include "app/views/table_reading.h"

// Drawing over the image, beside the panels. Call between ImGui::NewFrame() and ImGui::Render(). `scale`: screen coordinates
// per pixel of a display without scaling. `pixelsPerPoint`: framebuffer pixels per screen coordinate.
namespace satdof {

// Draws the line between A and B, or between the halves of a view, with labels; while a key shows another image, only the label
// of that image. Leaves the loupe free. `onSplit`: the mouse touches the line. Needs a current context.
void drawSplit(const Session& session, bool onSplit, float scale, float pixelsPerPoint);

// Draws a progress bar, 0 to 1, at the lower edge of the image right of `left`; nothing if the image is finished.
void drawProgress(float progress, float left, float scale);

// Draws a preview of Session::reading, with its name and progress. Returns whether the preview covers the image.
bool drawReading(Session& session, const LoadStatus& loading, float scale);
// Draws the name of a photograph of the strip that could not be read. Returns whether this covers the image.
bool drawUnread(const Session& session);

// Draws the marks of the focus: a fading circle where it was set last, the focus point of a photograph, the place of the
// autofocus; and the outline of the depth brush.
void drawFocusMarkers(const Session& session, float scale);

// Draws the frame of the loupe, the mark of the pixel under the mouse, and its colour as text.
void drawLoupe(const Session& session, float pixelsPerPoint);

// Draws lines about the pixel under the mouse beside it; in the middle of the image until the mouse has moved. Tabs separate
// columns. `marks`: draws the box of the pixel with its corners, which the lines leave free if there is room.
void drawAtCursor(const Session& session, const std::string& text, const std::optional<TableMarks>& marks,
                  float scale);

// Draws the origin of the shown table, or a mark at the visible point nearest to the origin.
void drawOrigin(const Session& session, const TableMarks& marks, float scale);

// Draw the hint in the middle of the image, above the notice; and the notice in the lower right corner.
void drawHint(const Session& session, float pixelsPerPoint);
// `covered`: text of a notice below, which the box covers; empty: none.
void drawNotice(const Session& session, float pixelsPerPoint, const std::string& covered = "");

// Draws the progress of a recording at the upper edge, unless the recording would show it.
void drawRecording(const Session& session);

// Draws the progress of a capture, 0 to 1, with `text`, in the middle of the image. Returns whether its button is pressed.
bool drawCapture(const Session& session, const std::string& text, float progress);

// Draws the errors, and `message` until the user closes it. A long list scrolls above its button.
void drawErrors(Session& session, const std::string& message, float pixelsPerPoint);

// Draws the key help, if it is open.
void drawKeys(const Session& session);

}  // namespace satdof
