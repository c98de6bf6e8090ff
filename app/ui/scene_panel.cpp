#include <imgui.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/scene/registry.h"
#include "app/ui/edit.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

// A control of a field "scene.<name>." shows with the scene of this name only.
constexpr std::array kSceneControls = {
    Control{.path = "scene.kind", .label = "Scene", .source = "Each scene has settings of its own"},
    Control{.path = "scene.teapots.count",
            .label = "Teapots",
            .source = "The Utah teapot, 32 bicubic patches (Newell 1975), instanced",
            .low = 1,
            .high = 3000,
            .logarithmic = true},
    Control{
        .path = "scene.teapots.lamps", .label = "Lamps", .source = "Brighter than white, so they show bokeh"},
    Control{.path = "scene.teapots.culling",
            .label = "Culling",
            .source = "Tree traversal by compaction: Horn 2005, Billeter et al. 2009"},
    Control{.path = "scene.bodies.count",
            .label = "Bodies",
            .source = "Equal bodies shine with equal light: the sum does not depend on their number",
            .low = 100,
            .high = 4 << 20,
            .logarithmic = true},
    Control{.path = "scene.bodies.initial",
            .label = "Initial state",
            .source = "Plummer's sphere: Aarseth, Henon and Wielen 1974"},
    Control{.path = "scene.bodies.seed", .label = "Seed", .source = "", .high = 100},
    Control{.path = "scene.bodies.solver",
            .label = "Solver",
            .source = "All pairs: O(n^2). Trees: O(n log n), Barnes and Hut 1986"},
    Control{.path = "scene.bodies.softening",
            .label = "Softening",
            .source = "Two bodies attract each other by m d / (d^2 + e^2)^(3/2)",
            .low = 0.001,
            .high = 0.5,
            .format = "%.3f",
            .logarithmic = true},
    Control{.path = "scene.bodies.timeStep",
            .label = "Time step",
            .source = "Leapfrog: kick, drift, gravity, kick. Time-reversible",
            .low = 0.0005,
            .high = 0.1,
            .format = "%.4f",
            .logarithmic = true},
    Control{.path = "scene.bodies.speed", .label = "Speed", .source = "", .high = 2, .format = "%.2f /s"},
    Control{.path = "scene.bodies.openingAngle",
            .label = "Opening angle",
            .source = "Smaller: exacter and slower",
            .high = 1.5},
    Control{.path = "scene.bodies.traversal", .label = "Traversal", .source = ""},
    Control{.path = "scene.bodies.sort", .label = "Sort", .source = "Orders the bodies by Morton code"},
    Control{.path = "scene.bodies.scan", .label = "Scan", .source = "Builds the tree"},
    Control{.path = "scene.bodies.compaction",
            .label = "Compaction",
            .source = "One a level of the breadth-first traversal"},
    Control{.path = "scene.bodies.colour", .label = "Colour", .source = ""},
    Control{.path = "scene.image.file",
            .label = "Image",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.image.depth",
            .label = "Depth",
            .source = "Type a path, then Enter, or drop both files on the window"},
    Control{.path = "scene.image.meaning", .label = "Depth means", .source = ""},
    Control{.path = "scene.image.inverted", .label = "Inverted", .source = ""},
    Control{.path = "scene.image.nearM",
            .label = "Nearest",
            .source = "",
            .low = 0.1,
            .high = 100,
            .format = "%.2f m",
            .logarithmic = true},
    Control{.path = "scene.image.farM",
            .label = "Farthest",
            .source = "",
            .low = 0.1,
            .high = 1000,
            .format = "%.1f m",
            .logarithmic = true},
    Control{.path = "scene.image.scale",
            .label = "Scale",
            .source = "",
            .low = 0.0001,
            .high = 1000,
            .format = "%.4g",
            .logarithmic = true},
    Control{.path = "scene.image.baselineMm",
            .label = "Baseline",
            .source = "z = baseline * focal length / (d + offset)",
            .low = 1,
            .high = 1000,
            .format = "%.1f mm",
            .logarithmic = true},
    Control{.path = "scene.image.focalLengthPx",
            .label = "Disparity focal",
            .source = "z = baseline * focal length / (d + offset)",
            .high = 8000,
            .format = "%.0f px",
            .zero = "image width"},
    Control{.path = "scene.image.offsetPx",
            .label = "Disparity offset",
            .source = "z = baseline * focal length / (d + offset)",
            .low = -200,
            .high = 200,
            .format = "%.1f px"},
    Control{.path = "scene.image.edgeRadiusPx",
            .label = "Edge radius",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .high = 32},
    Control{.path = "scene.image.edgeContrast",
            .label = "Edge contrast",
            .source = "Weighted median: Ma et al. 2013. See the view depth",
            .low = 0.005,
            .high = 0.5,
            .format = "%.3f",
            .logarithmic = true},
    Control{.path = "scene.image.highlights",
            .label = "Highlights",
            .source = "x / (1 - x (X - 1) / X) above the threshold, X: the peak",
            .high = 64,
            .format = "%.1f",
            .logarithmic = true},
    Control{.path = "scene.image.highlightsFrom", .label = "Highlights from", .source = ""},
    Control{.path = "scene.image.parallax",
            .label = "Parallax",
            .source = "Relief mapping: Policarpo et al. 2005. What no image shows is mirrored",
            .format = "%.3f",
            .zero = "still"},
    Control{.path = "scene.model.file",
            .label = "Model",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.model.camera", .label = "File camera", .source = "", .high = 10},
    Control{.path = "scene.model.clip", .label = "Clip", .source = "", .high = 10},
    Control{.path = "scene.model.scale",
            .label = "Unit",
            .source = "",
            .low = 0.0,
            .high = 10,
            .format = "%.3g m",
            .zero = "auto"},
    Control{.path = "scene.model.environment",
            .label = "Environment",
            .source = "Type a path, then Enter, or drop the file on the window"},
    Control{.path = "scene.model.environmentDegrees",
            .label = "Turn",
            .source = "",
            .low = -180,
            .high = 180,
            .format = "%.0f deg"},
    Control{.path = "scene.model.environmentStrength",
            .label = "Strength",
            .source = "",
            .low = 0.05,
            .high = 20,
            .logarithmic = true},
    Control{.path = "scene.animate", .label = "Animation", .source = "Key Space"},
};

// The files shown before; choosing one shows it again.
void drawRecentImages(Session& session) {
  rowLabel("Recent");
  const auto& recent = session.preferences.recentImages;
  ImGui::BeginDisabled(recent.empty());
  if (beginList("##recent", recent.empty() ? "none" : "choose...")) {
    for (const RecentImage& image : recent) {
      ImGui::PushID(&image);
      if (ImGui::Selectable(std::filesystem::path(image.file.text).filename().string().c_str())) {
        session.settings.scene.image.file = image.file;
        session.settings.scene.image.depth = image.depth;
        session.settings.scene.frame = true;
      }
      tooltip(image.file.text + (image.depth.none() ? "" : "\n" + image.depth.text));
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
}

}  // namespace

void drawScenePanel(Session& session, const std::vector<SceneReading>& readings,
                    const std::optional<LoadStatus>& loading) {
  Settings& settings = session.settings;
  const SceneSettings before = settings.scene;
  for (const Control& control : kSceneControls)
    if (showsControl(sceneRow(settings.scene.kind), control.path))
      edit(settings, control, kNoScope,
           std::string_view(control.path) == "scene.animate"
               ? session.whyStill
               : sceneEffectMissing(settings.scene, control.path));
  if (sceneRow(settings.scene.kind).imageSize != nullptr) drawRecentImages(session);
  if (loading) {
    ImGui::ProgressBar(loading->part, {-1, 0}, loading->doing.c_str());
    if (button("Cancel loading", "The scene keeps what it shows", -1.0f)) session.cancelLoading = true;
  }
  const SceneRow& scene = sceneRow(settings.scene.kind);
  for (const auto& [label, value, help] : readings) {
    rowLabel(label.c_str());
    ImGui::TextWrapped("%s", brokenAtSpaces(value, ImGui::GetContentRegionAvail().x).c_str());
    tooltip(help);
  }
  if (scene.restart != nullptr) {
    const bool pressed = button(scene.restartLabel, scene.restartHelp, -1.0f);
    if (pressed || before.kind != settings.scene.kind || !scene.startsAlike(before, settings.scene))
      scene.restart(settings.scene);
  }
  if (before.kind != settings.scene.kind) placeCamera(session);
}

}  // namespace satdof
