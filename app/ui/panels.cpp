#include "app/ui/panels.h"

#include <string>
#include <string_view>

#include "app/ui/edit.h"
#include "app/ui/slow_motion_panel.h"
#include "app/ui/technique_controls.h"
#include "app/ui/widgets.h"

namespace satdof {

void drawFilterPanel(Session& session) {
  auto& settings = session.settings;
  const std::string off = settings.filter.mask.none() ? "no filter is chosen" : "";
  const MaskName mask = settings.filter.mask;
  edit(settings, controlOf("filter.mask"));
  keepReadableMask(session, mask);
  edit(settings, controlOf("filter.radiusPx"), kNoScope, radiusMissing(settings.filter));
  edit(settings, controlOf("filter.variant"), kNoScope, off);
  edit(settings, controlOf("filter.form"), kNoScope, off);
}

void drawTablePanel(Session& session) {
  editTable(session.settings, kTechniqueA);
  if (button("Watch this scan (F4)", "Its kernel in slow motion, access by access", -1.0f))
    watchScan(session, session.settings.technique.table.scan);
  editLensOn(session.settings, kTechniqueA);
  editBokehAlgorithms(session.settings, kTechniqueA);
}

void drawQualityPanel(Session& session) {
  for (const Control& control : controls(ControlGroup::quality)) {
    const bool converges = std::string_view(control.path) == "quality.converge";
    edit(session.settings, control, kNoScope, converges ? convergeMissing(session.settings) : "");
  }
}

}  // namespace satdof
