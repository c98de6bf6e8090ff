#include "app/ui/panels.h"

#include <array>
#include <string>

#include "app/ui/technique_controls.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

constexpr std::array kQualityControls = {
    Control{.path = "quality.adaptive",
            .label = "Best at rest",
            .source = "Only what is set to auto adapts. Images and sequences that are saved take the best"},
    Control{.path = "quality.lowerResolution",
            .label = "Lower resolution",
            .source = "Aims at 24 frames per second"},
    Control{.path = "quality.converge",
            .label = "Converge",
            .source = "Cross-fades to the reference lens: accumulation, Haeberli and Akeley 1990"},
    Control{.path = "scene.samples",
            .label = "Samples",
            .source = "Colour is the mean of the samples, depth the nearest sample",
            .powersOfTwo = true},
};

}  // namespace

void drawFilterPanel(Session& session) {
  auto& settings = session.settings;
  const std::string off = settings.filter.mask.none() ? "no filter is chosen" : "";
  edit(settings, {.path = "filter.mask",
                  .label = "Filter",
                  .source = "After the lens, before exposure. Both sides of a split have the same filter"});
  edit(settings, {.path = "filter.radiusPx", .label = "Radius", .source = ""}, kNoScope, off);
  edit(settings, {.path = "filter.variant", .label = "Computed by", .source = "Timed as the stage filter"},
       kNoScope, off);
  edit(settings, {.path = "filter.form", .label = "Form", .source = "A mask of rank one is separable"},
       kNoScope, off);
}

void drawTablePanel(Session& session) {
  editTable(session.settings, kTechniqueA);
  editLensOn(session.settings, kTechniqueA);
  editBokehAlgorithms(session.settings, kTechniqueA);
}

void drawQualityPanel(Session& session) { edit(session.settings, kQualityControls); }

}  // namespace satdof
