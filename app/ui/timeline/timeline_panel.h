#pragma once
#include "app/ui/session.h"

namespace satdof {

// Draws the timeline, if it is shown: at the bottom of the window, beside the column of panels or, if there is too little room,
// below it.
void drawTimelinePanel(Session& session);

// Return the height that the timeline leaves to the image, and to the column of panels.
float heightOfImage(const Session& session);
float heightOfColumn(const Session& session);

// Draws the diamond of a field: no keys (grey), keys at other times only (hollow), a key at the playhead (filled), or such a
// key with another value than the settings (half filled).
enum class Diamond { none, elsewhere, here, changed };
void drawDiamond(glm::vec2 at, float radius, Diamond state);

}  // namespace satdof
