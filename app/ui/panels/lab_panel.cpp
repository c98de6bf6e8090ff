#include "app/ui/panels/lab_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/core/text/formatted.h"
#include "app/device/device.h"
#include "app/ui/panels/field_widgets.h"
#include "app/ui/panels/panel_canvas.h"
#include "app/ui/panels/slow_motion_panel.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr float kNarrowestLabInFonts = 30.0f;
constexpr float kNotesInFonts = 19.0f;  // height of the costs and the missing series
constexpr float kHoverInFonts = 1.0f;   // largest distance of the mouse from a point whose values are shown

// Returns a line with the median, and the range if there are several samples.
std::string spreadText(const char* label, const std::optional<lab::Spread>& time) {
  if (!time) return {};
  const std::string median = std::string("\n") + label + lab::durationText(time->medianUs);
  if (time->samples <= 1) return median;
  return median + " (" + lab::durationText(time->lowUs) + " to " + lab::durationText(time->highUs) + ", " +
         std::to_string(time->samples) + " samples)";
}

std::string pointText(const lab::PlottedPoint& plotted, const lab::ExperimentResult& result,
                      const lab::PlotOptions& options) {
  const lab::Point& point = *plotted.point;
  std::string text = plotted.curve->name + "\n" + lab::sizeText(point.x) + " " + result.axis;
  text += spreadText("work alone: ", point.kernel);
  text += spreadText("with launch and copies: ", point.endToEnd);
  const lab::Curve* const baseline = lab::baselineOf(result, options);
  if (baseline != nullptr && baseline != plotted.curve)
    if (const auto gain = lab::speedUp(*baseline, *plotted.curve, options.timed, point.x))
      text += formatted("\n%.3g times as fast as ", *gain) + baseline->name;
  if (plotted.curve->published) text += "\npublished";
  if (!plotted.curve->machine.empty()) text += "\nstored: " + plotted.curve->machine;
  return text;
}

// Returns the technique that a curve of tables measures: a device, or the scan of "cuda SCAN". None if it is not
// available here.
std::optional<Technique> measuredTechnique(const std::string& curve) {
  for (const auto& device : entries(DeviceId{})) {
    if (!availability(device.value).available) continue;
    if (curve == device.name) return Technique{.device = device.value};
    for (const auto& scan : entries(Scan{}))
      if (curve == std::string(device.name) + " " + scan.name)
        return Technique{.device = device.value, .table = {.scan = scan.value}};
  }
  return {};
}

// Shows the values of the point nearest to the mouse, if one is near. A click on a table uses its technique.
void drawHover(Session& session, bool tables, std::span<const lab::PlottedPoint> points,
               const lab::ExperimentResult& result, const lab::PlotOptions& options) {
  if (!ImGui::IsWindowHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const lab::PlottedPoint* nearest = nullptr;
  float least = kHoverInFonts * ImGui::GetFontSize();
  for (const lab::PlottedPoint& point : points) {
    const float distance = std::hypot(point.at.x - mouse.x, point.at.y - mouse.y);
    if (distance > least) continue;
    least = distance;
    nearest = &point;
  }
  if (nearest == nullptr) return;
  ImGui::GetWindowDrawList()->AddCircle({nearest->at.x, nearest->at.y}, 0.5f * ImGui::GetFontSize(),
                                        ImGui::GetColorU32(ImGuiCol_Text), 0, 1.5f);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(pointText(*nearest, result, options).c_str());
  const std::string& curve = nearest->curve->name;
  if (const auto technique = tables ? measuredTechnique(curve) : std::nullopt) {
    ImGui::TextUnformatted("Click to use this technique");
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      session.settings.technique.device = technique->device;
      session.settings.technique.table = technique->table;
      session.action = "Table: " + curve;
      session.say(session.action);
    }
  }
  ImGui::EndTooltip();
}

void drawChoice(Session& session, const lab::Laboratory& lab) {
  LabPanel& panel = session.lab;
  const auto& chosen = lab.experiments()[panel.experiment];
  ImGui::SetNextItemWidth(-12.0f * ImGui::GetFontSize());
  drawList("##experiment", chosen.title, lab.experiments(), [&](const lab::Experiment& experiment) {
    if (listEntry(experiment.title,
                  experiment.source + (experiment.source.empty() ? "" : "\n") + "--lab-only " + experiment.id,
                  &experiment == &chosen))
      panel.experiment = static_cast<std::size_t>(&experiment - lab.experiments().data());
  });
  ImGui::SameLine();
  if (panel.running) {
    if (ImGui::Button("Stop")) panel.running = false;
    tooltip("Keep the times measured so far");
    ImGui::SameLine();
    ImGui::ProgressBar(lab.progress(), {-1, 0});
    tooltip(lab.current());
  } else {
    if (ImGui::Button("Measure")) panel.running = true;
    tooltip("Measure every series of this experiment, one sample at a time between frames");
  }
}

// Continues the line if `width` is left there, else begins a new line.
void continueLine(float width) {
  ImGui::SameLine(0.0f, ImGui::GetFontSize());
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

bool hasStored(const lab::ExperimentResult& result) {
  return std::ranges::any_of(result.curves, [](const lab::Curve& curve) { return !curve.machine.empty(); });
}

void drawOptions(Session& session, const lab::ExperimentResult& result, bool stored) {
  LabPanel& panel = session.lab;
  lab::PlotOptions& plot = panel.plot;
  const auto& style = ImGui::GetStyle();
  const auto widthOf = [](const char* label) { return ImGui::CalcTextSize(label).x; };
  bool first = true;
  const auto radio = [&](const char* label, auto& value, auto choice, const char* help) {
    if (!std::exchange(first, false)) continueLine(ImGui::GetFrameHeight() + style.ItemInnerSpacing.x + widthOf(label));
    if (ImGui::RadioButton(label, value == choice)) value = choice;
    tooltip(help);
  };
  radio("With launch and copies", plot.timed, lab::Timed::endToEnd,
        "Wall clock: inputs to the device, launch, work, waiting, outputs back");
  radio("Work alone", plot.timed, lab::Timed::kernel, "Timer of the device; data stay in its memory");
  radio("Times", plot.shown, lab::Shown::time, "Time by size");
  radio("Speed-up", plot.shown, lab::Shown::speedUp, "Time of the baseline over the time of each curve");
  if (stored) {
    continueLine(ImGui::GetFrameHeight() + style.ItemInnerSpacing.x + widthOf("Stored"));
    ImGui::Checkbox("Stored", &panel.stored);
    tooltip("Dashed curves of a recorded run on another machine, for the series that cannot run here");
  }
  const lab::Curve* const baseline = lab::baselineOf(result, plot);
  ImGui::SetNextItemWidth(14.0f * ImGui::GetFontSize());
  drawList("Baseline", baseline == nullptr ? "none yet" : baseline->name, result.curves, [&](const lab::Curve& curve) {
    if (!curve.points.empty() && listEntry(curve.name, "", &curve == baseline)) plot.baseline = curve.name;
  });
  tooltip("Curve of speed-ups and crossovers. A ring marks the size from which a curve stays faster");
  continueLine(buttonWidth("Watch (F4)"));
  if (button("Watch (F4)", "Kernels in slow motion, with lessons: why one is faster", 0.0f)) session.slow.shown = true;
  const bool measured =
      std::ranges::any_of(result.curves, [](const lab::Curve& curve) { return !curve.points.empty(); });
  for (const char* extension : {".json", ".csv", ".svg", ".png"}) {
    continueLine(buttonWidth(extension + 1));
    const std::string help = std::string("Save this experiment as satdof-lab-0001").append(extension);
    if (button(extension + 1, help.c_str(), 0.0f, measured ? "" : "nothing is measured yet"))
      session.request({.command = Command::saveLab, .name = extension});
  }
}

// Draws the table of what the kernels of the experiment cost, which explains their times, with a button that plays each
// kernel.
void drawCosts(Session& session, const lab::Experiment& experiment, const lab::ExperimentResult& result,
               std::span<const trace::Costs> costs) {
  std::vector<const trace::Costs*> rows;
  for (const lab::Curve& curve : result.curves)
    if (const trace::Kernel* const kernel = trace::kernelOfCurve(experiment.kernels, curve.name))
      if (const auto row = std::ranges::find(costs, kernel->name, &trace::Costs::kernel);
          row != costs.end() && std::ranges::find(rows, &*row) == rows.end())
        rows.push_back(&*row);
  if (rows.empty()) return;
  static constexpr struct {
    const char *name, *help;
  } kColumns[] = {
      {"Kernel", "Its name in --trace"},
      {"Over memory", "Times that each element is read and written: 1 reads and writes each once"},
      {"Bytes", "Moved between memory and chip, for each element"},
      {"Launches", "Each waits for the one before"},
      {"Barriers", "That a block passes, over all launches"},
      {"Turns of banks", "For each access to shared memory: 1 is without conflicts"},
      {"", "Its kernel in slow motion"},
  };
  hint("Why, counted by the emulator at " + std::to_string(trace::kCostElements) +
       " elements, on any machine (the mouse over a title explains it):");
  if (!ImGui::BeginTable("costs", static_cast<int>(std::size(kColumns)),
                         ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg))
    return;
  for (const auto& column : kColumns) {
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%s", column.name);
    tooltip(column.help);
  }
  for (const trace::Costs* const row : rows) {
    ImGui::PushID(row->kernel.c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(row->kernel.c_str());
    tooltip(trace::kernelNamed(row->kernel).summary);
    const auto number = [](const char* format, auto value) {
      ImGui::TableNextColumn();
      ImGui::Text(format, value);
    };
    number("%.2f", row->passes);
    number("%.1f", row->bytesPerElement);
    number("%zu", row->launches);
    number("%.0f", row->barriersPerBlock);
    number(row->passesPerAccess > 0 ? "%.2f" : "-", row->passesPerAccess);
    ImGui::TableNextColumn();
    if (ImGui::SmallButton("Watch")) watchKernel(session, row->kernel);
    ImGui::PopID();
  }
  ImGui::EndTable();
}

// Draws costs, this machine, the spread of the samples, and the reasons why series are missing or end early.
void drawNotes(Session& session, const lab::ExperimentResult& result, const lab::Laboratory& lab,
               std::span<const trace::Costs> costs) {
  ImGui::BeginChild("notes");
  drawCosts(session, lab.experiments()[session.lab.experiment], result, costs);
  hint(lab::machineText(lab.machine()));
  for (const std::string& note : lab::spreadNotes(result, session.lab.plot.timed)) hint(note);
  for (const auto& [text, curves] : lab::notesOf(result)) {
    hint(text);
    ImGui::Indent();
    for (const std::string& curve : curves) hint(curve);
    ImGui::Unindent();
  }
  ImGui::EndChild();
}

}  // namespace

void drawLabPanel(Session& session, const lab::Laboratory* lab, std::span<const trace::Costs> costs,
                  float columnWidth) {
  LabPanel& panel = session.lab;
  if (!panel.shown || lab == nullptr) return;
  panel.experiment = std::min(panel.experiment, lab->experiments().size() - 1);
  const float font = ImGui::GetFontSize();
  const float height = std::max(26.0f * font, 0.7f * ImGui::GetIO().DisplaySize.y);
  if (beginBesidePanels("Laboratory", panel.shown, panel.laidOutFor, columnWidth, kNarrowestLabInFonts * font,
                        height)) {
    drawChoice(session, *lab);
    const lab::ExperimentResult result = shownResult(lab->result(panel.experiment), panel);
    drawOptions(session, result, hasStored(lab->result(panel.experiment)));
    const float notesHeight = std::min(kNotesInFonts * font, 0.4f * ImGui::GetContentRegionAvail().y);
    const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const ImVec2 to(from.x + room.x, from.y + std::max(8.0f * font, room.y - notesHeight));
    lab::PlotOptions options = panel.plot;
    options.dark = true;
    options.titled = false;  // the list names the experiment
    options.fontSize = font;
    PanelCanvas canvas;
    const auto points = lab::drawPlot(canvas, result, options, {from.x, from.y}, {to.x, to.y});
    drawHover(session, lab->experiments()[panel.experiment].tables, points, result, options);
    ImGui::Dummy({room.x, to.y - from.y});
    drawNotes(session, result, *lab, costs);
  }
  ImGui::End();
}

}  // namespace satdof
