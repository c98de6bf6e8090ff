#pragma once
#include "app/ui/session.h"

namespace satdof {

// Draws the lowest line of the timeline: the selected keys, the progress of a film, or what to do.
void drawKeyLine(Session& session);

}  // namespace satdof
