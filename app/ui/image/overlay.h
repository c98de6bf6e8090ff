#pragma once
#include "app/core/system/load_status.h"
#include "app/ui/session.h"

// Drawing over the image, beside the panels. Call between ImGui::NewFrame() and ImGui::Render(). `scale`: screen
// coordinates per pixel of a display without scaling. `pixelsPerPoint`: framebuffer pixels per screen coordinate.
namespace satdof {

// Draws the line between A and B, or between the halves of a view, with labels; while a key shows another image, only
// the label of that image. Leaves the loupe free. `onSplit`: the mouse touches the line. Needs a current context.
void drawSplit(const Session& session, bool onSplit, float scale, float pixelsPerPoint);

// Draws a progress bar, 0 to 1, at the lower edge of the image right of `left`; nothing if the image is finished.
void drawProgress(float progress, float left, float scale);

// Draws a preview of Session::reading, with its name and progress. Returns whether the preview covers the image.
bool drawReading(Session& session, const LoadStatus& loading, float scale);
// Draws the name of a photograph of the strip that could not be read. Returns whether this covers the image.
bool drawUnread(const Session& session);

// Draws the marks of the focus: a fading circle where it was set last, the focus point of a photograph, the place of
// the autofocus; and the outline of the depth brush.
void drawFocusMarkers(const Session& session, float scale);

// Draws the frame of the loupe, the mark of the pixel under the mouse, and its colour as text.
void drawLoupe(const Session& session, float pixelsPerPoint);

}  // namespace satdof
