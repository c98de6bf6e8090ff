#include "app/ui/panels/timings_panel.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>

#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr double kRefreshS = 0.25;
constexpr float kHistoryHeightInFonts = 5.0f;
// Top of the axis of the history relative to the current technique: older samples of a slower technique are cut off.
constexpr float kHistoryReach = 3.0f;
constexpr ImU32 kBackground = IM_COL32(0, 0, 0, 90);
constexpr ImU32 kLabelBackground = IM_COL32(15, 15, 15, 220);
constexpr ImU32 kCurve = IM_COL32(235, 170, 70, 255);
constexpr ImU32 kMedian = IM_COL32(240, 240, 240, 200);
constexpr ImU32 kP99 = IM_COL32(240, 100, 90, 220);

void textRight(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(text.c_str());
}

const char* clockLabel(Clock clock) { return clock == Clock::gpu ? "GPU" : "CPU"; }

// Chosen far apart in OKLab (Ottosson 2020) for full colour vision, protanopia and deuteranopia (Machado et al. 2009),
// with a contrast of at least 3:1 to the panel.
constexpr ImU32 kStageColours[] = {
    IM_COL32(208, 124, 244, 255), IM_COL32(136, 124, 100, 255), IM_COL32(148, 244, 160, 255),
    IM_COL32(160, 64, 196, 255),  IM_COL32(52, 172, 100, 255),  IM_COL32(244, 196, 244, 255),
    IM_COL32(232, 64, 184, 255),  IM_COL32(220, 124, 40, 255),  IM_COL32(244, 244, 244, 255),
    IM_COL32(64, 136, 172, 255),  IM_COL32(52, 220, 196, 255),  IM_COL32(220, 40, 40, 255),
    IM_COL32(40, 100, 244, 255),  IM_COL32(172, 172, 220, 255), IM_COL32(40, 220, 40, 255),
    IM_COL32(40, 124, 40, 255),   IM_COL32(220, 136, 160, 255), IM_COL32(244, 244, 100, 255),
    IM_COL32(148, 88, 124, 255),  IM_COL32(196, 184, 136, 255)};

ImU32 colourOf(std::size_t place) { return kStageColours[place % std::size(kStageColours)]; }

}  // namespace

std::string stageHelp(std::string_view name) {
  constexpr std::pair<std::string_view, const char*> kStages[] = {
      {"accumulate", "Adds a view through one point of the aperture to the mean of the reference"},
      {"background", "Draws what lies behind the surfaces"},
      {"channels", "Joins red, green and blue, each blurred with its own focus"},
      {"collect highlights", "Lists the bright pixels out of focus, for bokeh sprites"},
      {"compact", "Moves the bright pixels together into a list"},
      {"compare", "Measures A against B"},
      {"cull", "Finds the teapots in the image"},
      {"diagnostics", "Measures energy and momentum of the bodies"},
      {"difference", "Draws how far A and B differ"},
      {"download", "Copies pixels from OpenGL to main memory"},
      {"fill", "Fills holes behind the near field with colours beside them"},
      {"filter", "Convolves the finished image by the filter's mask"},
      {"focus surface", "Draws where the focus plane cuts the scene"},
      {"gravity", "Moves the bodies by their gravity"},
      {"highlights", "Finds bright pixels out of focus"},
      {"lens", "Blurs each pixel by its circle of confusion"},
      {"map", "Hands images from OpenGL to CUDA"},
      {"mark highlights", "Marks the bright pixels out of focus"},
      {"present", "Exposure, tone curve and sRGB, into the window"},
      {"quantise", "Rounds colours to the numbers that the table sums"},
      {"scan columns", "Sums the table along its columns"},
      {"scan rows", "Sums the table along its rows"},
      {"scatter", "Spreads near pixels over their circles of confusion"},
      {"scene", "Draws colour and depth of the scene"},
      {"sprites", "Draws bright pixels out of focus as bokeh sprites"},
      {"swap", "Waits for the display"},
      {"table", "Builds the summed-area table"},
      {"traverse", "Walks the tree of teapots, to find those in the image"},
      {"ui", "Draws the panels"},
      {"unmap", "Hands images from CUDA back to OpenGL"},
      {"upload", "Copies pixels from main memory to OpenGL"},
      {"wait", "Waits for the GPU before its pixels are read"},
      {"write sprites", "Writes the list of bokeh sprites"},
  };
  if (name.starts_with("A: ") || name.starts_with("B: ")) name.remove_prefix(3);
  const auto* const found = std::ranges::find(kStages, name, [](const auto& row) { return row.first; });
  return found == std::end(kStages) ? "" : found->second;
}

std::span<const unsigned> stageColours() { return kStageColours; }

void TimingsPanel::draw(const FrameStats& stats) {
  refresh(stats);
  if (rows_.empty()) {
    hint("No frame has been timed yet");
    return;
  }
  drawHistory(stats);
  drawBar(Clock::gpu);
  drawBar(Clock::cpu);
  drawTable();
}

void TimingsPanel::refresh(const FrameStats& stats) {
  const auto timed = [](const Stage& stage) { return stage.isCurrent(); };
  if (!timed(stats.frame) && std::ranges::none_of(stats.stages, timed)) return;
  if (!rows_.empty() && ImGui::GetTime() - refreshedS_ < kRefreshS) return;
  refreshedS_ = ImGui::GetTime();
  rows_.clear();
  const auto add = [&](const Stage& stage) {
    rows_.push_back({stage.name, stage.clock, placeOf(stage.name, stage.clock), stage.latestUs(), stage.medianUs(),
                     stage.percentileUs(0.99)});
  };
  for (const auto& stage : stats.stages)
    if (timed(stage)) add(stage);
  std::ranges::sort(rows_, {}, &Row::place);
  add(stats.frame);
}

std::size_t TimingsPanel::placeOf(const std::string& name, Clock clock) {
  const std::pair stage{name, clock};
  const auto found = std::ranges::find(places_, stage);
  const auto place = static_cast<std::size_t>(found - places_.begin());
  if (found == places_.end()) places_.push_back(stage);
  return place;
}

void TimingsPanel::drawBar(Clock clock) const {
  float sumUs = 0.0f;
  for (std::size_t i = 0; i + 1 < rows_.size(); ++i)
    if (rows_[i].clock == clock) sumUs += rows_[i].medianUs;
  if (sumUs <= 0.0f) return;
  rowLabel((std::string(clockLabel(clock)) + " " + timeText(sumUs)).c_str());
  const auto from = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight());
  ImGui::PushID(clockLabel(clock));
  plainButton("bar", {size.x, size.y});
  ImGui::PopID();
  const float mouseX = ImGui::GetIO().MousePos.x;
  auto* const draw = ImGui::GetWindowDrawList();
  float x = from.x;
  for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
    if (rows_[i].clock != clock) continue;
    const float end = x + size.x * rows_[i].medianUs / sumUs;
    draw->AddRectFilled({x, from.y + 2}, {end, from.y + size.y - 2}, colourOf(rows_[i].place));
    if (ImGui::IsItemHovered() && mouseX >= x && mouseX < end)
      ImGui::SetTooltip("%s: median %s", rows_[i].name.c_str(), timeText(rows_[i].medianUs).c_str());
    x = end;
  }
}

void TimingsPanel::drawTable() {
  if (!ImGui::BeginTable("stages", 4, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_WidthStretch);
  const float timeWidth = ImGui::CalcTextSize("00.0 ms").x;
  for (const char* column : {"latest", "median", "p99"})
    ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed, timeWidth);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("stage");
  for (const char* column : {"latest", "median", "99 %"}) {
    ImGui::TableNextColumn();
    textRight(column);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& row = rows_[i];
    const bool isFrame = i + 1 == rows_.size();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(i));
    const auto swatch = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetFontSize() * 0.6f;
    const float top = swatch.y + 0.2f * ImGui::GetFontSize();
    if (!isFrame)
      ImGui::GetWindowDrawList()->AddRectFilled({swatch.x, top}, {swatch.x + side, top + side}, colourOf(row.place));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5f * side);
    if (ImGui::Selectable(row.name.c_str(), row.name == selected_ && row.clock == selectedClock_,
                          ImGuiSelectableFlags_SpanAllColumns)) {
      selected_ = row.name;
      selectedClock_ = row.clock;
    }
    const std::string help = stageHelp(row.name);
    tooltip(help + (help.empty() ? "" : "\n") +
            (isFrame                   ? "From one frame to the next, including the wait for the display"
             : row.clock == Clock::gpu ? "Measured by GPU timestamps"
                                       : "Measured by the CPU clock") +
            "\nClick to show its history");
    for (const float timeUs : {row.latestUs, row.medianUs, row.p99Us}) {
      ImGui::TableNextColumn();
      textRight(timeUs > 0.0f ? timeText(timeUs) : "-");
    }
    ImGui::PopID();
  }
  ImGui::EndTable();
}

void TimingsPanel::drawHistory(const FrameStats& stats) const {
  const Stage* stage = &stats.frame;
  for (const auto& known : stats.stages)
    if (known.name == selected_ && known.clock == selectedClock_) stage = &known;
  const Row* row = &rows_.back();
  for (const auto& known : rows_)
    if (known.name == stage->name && known.clock == stage->clock) row = &known;

  const auto from = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, kHistoryHeightInFonts * ImGui::GetFontSize());
  const ImVec2 to(from.x + size.x, from.y + size.y);
  plainButton("history", {size.x, size.y});
  tooltip("Recent frames of the stage selected below. White: median. Red: 99th percentile");
  auto* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, to, kBackground, 3.0f);
  const auto& samples = stage->samplesUs;
  const auto count = std::min(samples.size(), static_cast<std::size_t>(std::max(size.x, 2.0f)));
  float topUs = std::max(1.3f * row->p99Us, 1e-3f);
  const float limitUs = kHistoryReach * topUs;
  for (std::size_t i = samples.size() - count; i < samples.size(); ++i)
    topUs = std::max(topUs, std::min(1.1f * samples[i], limitUs));
  const auto yOf = [&](float timeUs) { return to.y - size.y * std::min(timeUs / topUs, 1.0f); };
  draw->PushClipRect(from, to, true);
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t at = samples.size() - count + i;
    const float x = to.x - static_cast<float>(count - 1 - i);
    draw->AddLine({x - 1, yOf(samples[at - 1])}, {x, yOf(samples[at])}, kCurve, 1.0f);
  }
  const auto mark = [&](float timeUs, ImU32 colour, const char* what, float side) {
    const float y = yOf(timeUs);
    draw->AddLine({from.x, y}, {to.x, y}, colour);
    const auto text = std::string(what) + " " + timeText(timeUs);
    const float left = from.x + 4 + side * (size.x - 8 - ImGui::CalcTextSize(text.c_str()).x);
    const ImVec2 at(left, from.y + 1);
    draw->AddRectFilled({at.x - 2, at.y}, {at.x + ImGui::CalcTextSize(text.c_str()).x + 2, at.y + ImGui::GetFontSize()},
                        kLabelBackground);
    draw->AddText(at, colour, text.c_str());
  };
  if (row->p99Us > 0.0f) {
    mark(row->medianUs, kMedian, "median", 0.0f);
    mark(row->p99Us, kP99, "99 %", 1.0f);
  }
  draw->PopClipRect();
}

}  // namespace satdof
