#include "app/ui/panels/panels.h"

#include "app/ui/edit.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/slow_motion_panel.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

void drawFilterPanel(Session& session) {
  auto& settings = session.settings;
  const MaskName mask = settings.filter.mask;
  edit(settings, controlOf("filter.mask"));
  keepReadableMask(session, mask);
  edit(settings, kNoScope, {"filter.radiusPx", "filter.variant", "filter.form"});
}

void drawTablePanel(Session& session) {
  edit(session.settings, kTechniqueA,
       {"device", "table.scan", "table.format", "table.blockSize", "table.reducePasses"});
  if (button("Watch this scan (F4)", "Its kernel in slow motion, access by access", -1.0f))
    watchScan(session, session.settings.technique.table.scan);
  edit(session.settings, kTechniqueA, {"lens.on", "bokeh.compaction", "bokeh.sort"});
}

void drawQualityPanel(Session& session) { edit(session.settings, controls(ControlGroup::quality)); }

}  // namespace satdof
