#pragma once
#include <optional>
#include <string>

#include "app/quality/live_comparison.h"
#include "app/scene/scene.h"
#include "app/ui/session.h"

// The sections of the column, without Timings and Benchmark. Call each one after its header.
namespace satdof {

void drawTop(Session& session);
// What the image is and how it was drawn: one line, however long, so that nothing below moves.
void drawState(const std::string& state);
void drawLensPanel(Session& session);
void drawCameraPanel(Session& session);
void drawFilterPanel(Session& session);
void drawQualityPanel(Session& session);
void drawSettingsPanel(Session& session);
void drawTablePanel(Session& session);
// `progress`: of an image refined over several frames, 0 to 1. `comparison`: image metrics, if one side is the reference.
void drawSplitPanel(Session& session, float progress,
                    const std::optional<LiveComparison::Result>& comparison);
// `readings`: what the scene measures. `loading`: of the file that it reads.
void drawScenePanel(Session& session, const std::vector<SceneReading>& readings,
                    const std::optional<LoadStatus>& loading);
void drawCapturePanel(Session& session);

}  // namespace satdof
