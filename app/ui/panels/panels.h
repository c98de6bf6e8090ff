#pragma once
#include <optional>
#include <string>

#include "app/quality/live_comparison.h"
#include "app/scene/scene.h"
#include "app/ui/session.h"

// The contents of the sections of the column, except Timings. Call each function after the header of its section.
namespace satdof {

// Draws preset, view and the meaning of a guessed depth, at the top of the column.
void drawTop(Session& session);
inline constexpr const char* kCancelEstimateHelp = "Stops the depth command. The photograph stays as it is";

// Draws how the image was drawn; while a file is read or a depth is estimated, its progress and a button to cancel.
// Always one line, so that nothing below moves.
void drawState(Session& session, const std::string& state, const std::optional<LoadStatus>& loading);
// Draws the strip of photographs.
void drawStripPanel(Session& session);
// Draws thumbnails of the shown photograph with each ready-made look.
void drawLooksPanel(Session& session);
void drawLensPanel(Session& session);
void drawCameraPanel(Session& session);
void drawFilterPanel(Session& session);
void drawQualityPanel(Session& session);
void drawSettingsPanel(Session& session);
void drawTablePanel(Session& session);
// `comparison`: image metrics; none unless one side is the reference.
void drawSplitPanel(Session& session, const std::optional<LiveComparison::Result>& comparison);
// Draws the choice of what the depth of a photograph means, if its files do not tell.
void drawGuessedDepth(Session& session);
void drawScenePanel(Session& session, const SceneReport& report);
void drawCapturePanel(Session& session);
// Draws a button that pauses the recording. `width`: as in button().
void drawPause(Session& session, float width);
// Draws frame rate, shutter, size and format of a film.
void drawFilmSettings(Session& session);
// Draws the window in which files are chosen, if it is shown.
void drawFileBrowser(Session& session);

}  // namespace satdof
