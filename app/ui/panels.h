#pragma once
#include <optional>
#include <string>

#include "app/quality/live_comparison.h"
#include "app/ui/session.h"

// The panels of the column, Timings apart. Each is called between the head of its section and the next.
namespace satdof {

void drawTop(Session& session);
void drawLensPanel(Session& session);
// `progress`: of an image that is refined over several frames, 0 to 1.
void drawKernelPanel(Session& session, float progress);
// `state`: what the renderer says of the tables that it builds.
void drawTablePanel(Session& session, const std::string& state);
// `progress` as above; `comparison` with the reference, when one side is it.
void drawSplitPanel(Session& session, float progress,
                    const std::optional<LiveComparison::Result>& comparison);
void drawScenePanel(Session& session);
void drawCapturePanel(Session& session);

}  // namespace satdof
