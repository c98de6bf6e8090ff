#include <imgui.h>

#include <cmath>
#include <optional>
#include <string>

#include "app/core/text/formatted.h"
#include "app/ui/edit.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panels.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

std::string metricsText(const ImageMetrics& metrics) {
  return formatted("PSNR %.2f dB", metrics.psnrDb) + (metrics.ssim ? formatted(", SSIM %.4f", *metrics.ssim) : "");
}

}  // namespace

void drawSplitPanel(Session& session, const std::optional<LiveComparison::Result>& comparison) {
  auto& settings = session.settings;
  const bool enabledBefore = settings.split.enabled;
  edit(settings, controlOf("split.enabled"));
  if (settings.split.enabled && !enabledBefore) startComparison(session);
  if (!showsB(settings)) return;
  edit(settings, controlOf("split.position"));
  const float width = shareOfLine(2);
  if (button("Swap A and B", "Exchange the techniques of the two sides", width)) swapSides(session);
  ImGui::SameLine();
  if (button("Copy A to B", "Make B equal to A, then change one setting", width)) {
    settings.split.b = settings.technique;
    session.action = "Copy A to B";
  }
  hint("B, right of the line");
  const bool ownBefore = settings.split.ownLens;
  edit(settings, controlOf("split.ownLens"));
  if (settings.split.ownLens && !ownBefore) settings.split.focusDistanceM = settings.lens.focusDistanceM;
  if (settings.split.ownLens) edit(settings, kNoScope, {"split.fNumber", "split.focusDistanceM"});
  edit(settings, kTechniqueB,
       {"view", "lens.kind", "bokeh.enabled", "device", "table.scan", "table.format", "table.blockSize",
        "table.reducePasses", "lens.on", "bokeh.compaction", "bokeh.sort"});
  if (comparison) {
    std::string text = metricsText(comparison->metrics);
    if (comparison->progress < 1.0f)
      text += " at " + std::to_string(std::lround(comparison->progress * 100)) + " % of the samples";
    ImGui::TextWrapped("%s", brokenAtSpaces(text, ImGui::GetContentRegionAvail().x).c_str());
    tooltip(
        "PSNR and SSIM of the other side against the reference accumulated so far, as displayed: Wang et al. "
        "2004");
    if (comparison->noiseFloor) {
      hint("Noise floor (half the samples): " + metricsText(*comparison->noiseFloor));
      tooltip("The even samples of the reference against its odd samples");
    }
  }
}

}  // namespace satdof
