#pragma once
#include <span>

#include "app/lab/laboratory.h"
#include "app/trace/costs.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the window of the laboratory: the experiment, its progress, its curves with the values at the mouse, its costs,
// and buttons to save. `lab`: null until the frame after session.lab.shown is set.
void drawLabPanel(Session& session, const lab::Laboratory* lab, std::span<const trace::Costs> costs, float columnWidth);

}  // namespace satdof
