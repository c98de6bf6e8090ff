#pragma once
#include <optional>
#include <string>

#include "app/quality/live_comparison.h"
#include "app/scene/scene.h"
#include "app/ui/session.h"

// The sections of the column, without Timings. Call each one after its header.
namespace satdof {

void drawTop(Session& session);
// What the image is and how it was drawn or, while a file is read, its progress and a button that cancels it: one line,
// however long, so that nothing below moves.
void drawState(Session& session, const std::string& state, const std::optional<LoadStatus>& loading);
// The photographs that are open together.
void drawStripPanel(Session& session);
// The ready-made looks, on the photograph that is shown.
void drawLooksPanel(Session& session);
void drawLensPanel(Session& session);
void drawCameraPanel(Session& session);
void drawFilterPanel(Session& session);
void drawQualityPanel(Session& session);
void drawSettingsPanel(Session& session);
void drawTablePanel(Session& session);
// `comparison`: image metrics, if one side is the reference.
void drawSplitPanel(Session& session, const std::optional<LiveComparison::Result>& comparison);
// What the numbers of the depth of a photograph mean, if its files do not say that.
void drawGuessedDepth(Session& session);
void drawScenePanel(Session& session, const SceneReport& report);
void drawCapturePanel(Session& session);
// A button that pauses the film that is recorded. `width`: as of button().
void drawPause(Session& session, float width);
// Frame rate, size and format of a film.
void drawFilmSettings(Session& session);
// The window in which files are chosen, while it is shown.
void drawFileBrowser(Session& session);

}  // namespace satdof
