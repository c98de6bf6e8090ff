#pragma once
#include "app/ui/session.h"

namespace satdof {

// The timeline, if it is shown: at the bottom of the window, beside the column of panels or, without room there, below it.
void drawTimelinePanel(Session& session);

// The height of the window that the timeline leaves to the image; to the column.
float heightOfImage(const Session& session);
float heightOfColumn(const Session& session);

// A diamond around `at`: full for a key here, else hollow.
enum class Diamond { none, elsewhere, here, changed };
void drawDiamond(glm::vec2 at, float radius, Diamond state);

}  // namespace satdof
