#pragma once
#include "app/ui/session.h"

namespace satdof {

// Draws the buttons and menus of the timeline.
void drawToolbar(Session& session);

}  // namespace satdof
