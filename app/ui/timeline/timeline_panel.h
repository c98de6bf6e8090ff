#pragma once
#include "app/ui/session.h"

namespace satdof {

// Draws the timeline, if it is shown: at the bottom of the window, beside the column of panels or, if there is too
// little room, below it.
void drawTimelinePanel(Session& session);

// Return the height that the timeline leaves to the image, and to the column of panels.
float heightOfImage(const Session& session);
float heightOfColumn(const Session& session);

}  // namespace satdof
