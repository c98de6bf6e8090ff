#pragma once
#include <string>

#include "app/ui/session.h"

// Messages over the image, beside the panels. Call between ImGui::NewFrame() and ImGui::Render(). `pixelsPerPoint`:
// framebuffer pixels per screen coordinate.
namespace satdof {

// Draw the hint in the middle of the image, above the notice; and the notice in the lower right corner.
void drawHint(const Session& session, float pixelsPerPoint);
// `covered`: text of a notice below, which the box covers; empty: none.
void drawNotice(const Session& session, float pixelsPerPoint, const std::string& covered = "");

// Draws the progress of a recording at the upper edge, unless the recording would show it.
void drawRecording(const Session& session);

// Draws the progress of a capture, 0 to 1, with `text`, in the middle of the image. Returns whether its button is
// pressed.
bool drawCapture(const Session& session, const std::string& text, float progress);

// Whether no image is shown yet because the first file is being read.
bool awaitsFirst(const Session& session, bool loading);
// Draws the errors, and `message` until the user closes it. A long list scrolls above its button.
void drawErrors(Session& session, const std::string& message, float pixelsPerPoint);

// Draws the key help, if it is open.
void drawKeys(const Session& session);

}  // namespace satdof
