#include "app/ui/benchmark_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/device/device.h"
#include "app/ui/widgets.h"

namespace satdof {

namespace {

constexpr float kNarrowestBar = 0.02f;  // of the panel's width
constexpr ImU32 kTrack = IM_COL32(0, 0, 0, 90);
constexpr ImU32 kOnGpu = IM_COL32(150, 98, 34, 255);
constexpr ImU32 kOnProcessor = IM_COL32(62, 98, 140, 255);
constexpr ImU32 kCopy = IM_COL32(240, 100, 90, 255);

// Maps times to a logarithmic axis, 0 to 1, from half the least time to the largest.
class Axis {
 public:
  explicit Axis(const TableBenchmark& benchmark) {
    float leastUs = benchmark.copy().timeUs, largestUs = leastUs;
    for (const auto& row : benchmark.rows()) {
      if (!row.error.empty()) continue;
      leastUs = std::min(leastUs, row.timeUs);
      largestUs = std::max(largestUs, row.timeUs);
    }
    low_ = std::log(0.5f * leastUs);
    span_ = std::max(std::log(largestUs) - low_, 1.0f);
  }
  float at(float timeUs) const { return std::clamp((std::log(timeUs) - low_) / span_, kNarrowestBar, 1.0f); }

 private:
  float low_, span_;
};

std::string stagesText(const BenchmarkRow& row, const std::string& total) {
  std::string text = row.name + ": " + total;
  for (const auto& stage : row.stages)
    text += "\n" + stage.name + ": " + timeText(stage.medianUs) + " (" + name(stage.clock) + ")";
  return text;
}

void drawRow(Session& session, const BenchmarkRow& row, const Axis& axis, float copyUs) {
  if (!row.error.empty()) {
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextColored({1.0f, 0.55f, 0.45f, 1.0f}, "%s: %s", row.name.c_str(), row.error.c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  const auto from = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight());
  const ImVec2 to(from.x + size.x, from.y + size.y);
  if (ImGui::InvisibleButton(row.name.c_str(), size)) {
    session.settings.technique.device = row.technique.device;
    session.settings.technique.table = row.technique.table;
    session.action = "Table: " + row.name;
    session.say(session.action);
  }
  char ratio[48];
  std::snprintf(ratio, sizeof ratio, ", %.2f times that copy", static_cast<double>(row.timeUs / copyUs));
  const std::string time = timeText(row.timeUs), total = time + ratio;
  tooltip(stagesText(row, total) +
          "\nOpenGL copies as many bytes by a compute shader. Click to use this technique");
  auto* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, to, kTrack);
  draw->AddRectFilled(from, {from.x + size.x * axis.at(row.timeUs), to.y},
                      deviceOf(row.technique.device).kind == DeviceKind::processor ? kOnProcessor : kOnGpu);
  const float copyX = from.x + size.x * axis.at(copyUs);
  const auto padding = ImGui::GetStyle().FramePadding;
  const auto widthOf = [&](const std::string& text) {
    return ImGui::CalcTextSize(text.c_str()).x + 2.0f * padding.x;
  };
  const std::string& text = widthOf(row.name) + widthOf(total) <= size.x ? total : time;
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const bool free = copyX > from.x + widthOf(row.name) && copyX < to.x - widthOf(text);
  draw->AddLine({copyX, from.y - gap}, {copyX, free ? to.y : from.y}, kCopy, 2.0f);
  draw->AddLine({copyX, to.y}, {copyX, to.y + gap}, kCopy, 2.0f);
  const auto colour = ImGui::GetColorU32(ImGuiCol_Text);
  draw->AddText({from.x + padding.x, from.y + padding.y}, colour, row.name.c_str());
  draw->AddText({to.x - padding.x - ImGui::CalcTextSize(text.c_str()).x, from.y + padding.y}, colour,
                text.c_str());
}

}  // namespace

void drawBenchmarkPanel(Session& session, const TableBenchmark* benchmark) {
  if (session.benchmarking) {
    ImGui::ProgressBar(benchmark == nullptr ? 0.0f : benchmark->progress(), {-1, 0});
    if (ImGui::Button("Stop timing", {-1, 0})) session.benchmarking = false;
    tooltip("Keep the times measured so far");
  } else {
    if (ImGui::Button("Time every technique", {-1, 0})) session.benchmarking = true;
    tooltip(
        "Median time to build a uint32 table of this size, for every device and scan. One build per frame");
  }
  if (benchmark == nullptr || benchmark->copy().timeUs <= 0.0f) return;
  const Axis axis(*benchmark);
  const float copyUs = benchmark->copy().timeUs;
  hint("Logarithmic bars. Red line: OpenGL copy of the same data, " + timeText(copyUs));
  tooltip(
      "An OpenGL compute shader that reads the image (8 bytes per pixel) and writes as much as a table (16 "
      "bytes "
      "per pixel)");
  for (const auto& row : benchmark->rows()) drawRow(session, row, axis, copyUs);
}

}  // namespace satdof
