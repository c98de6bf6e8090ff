#pragma once
#include <span>

#include "app/lab/laboratory.h"
#include "app/trace/costs.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the window of the laboratory: the choice of the experiment, its progress, its curves with the values under
// the mouse, and the buttons that save them. `lab` is null until session.lab.shown has been set for a frame.
void drawLabPanel(Session& session, const lab::Laboratory* lab, std::span<const trace::Costs> costs,
                  float columnWidth);

}  // namespace satdof
