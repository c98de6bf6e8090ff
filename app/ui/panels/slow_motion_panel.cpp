#include "app/ui/panels/slow_motion_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/trace/drawing.h"
#include "app/ui/panels/fitted_text.h"
#include "app/ui/panels/panel_canvas.h"
#include "app/ui/panels/widgets.h"

namespace satdof {

namespace {

constexpr float kNarrowestWindowInFonts = 40.0f, kNarrowestPlayInFonts = 30.0f;

constexpr float kTextLines = 2.0f;
constexpr const char* kWords =
    "scan: each element becomes the sum of all before it\n"
    "launch: one run of a kernel, in blocks; the next launch begins when all blocks are done\n"
    "block: threads that share memory on the chip and wait for each other at barriers\n"
    "warp: 32 threads of a block, its lanes, that execute one instruction together\n"
    "bank: one of 32 parts of shared memory; it serves one word a turn, and an access takes as many turns,\n"
    "passes, as the most words that it wants of one bank\n"
    "sector: 32 bytes of global memory, moved at once\n"
    "shuffle: lanes hand each other registers; vote: each lane learns a bit of every lane\n"
    "atomic: a change of a word that no other thread can interrupt";

using trace::Unit;

void drawLessons(SlowMotionPanel& panel, const trace::Show* show, std::span<const trace::Lesson> lessons) {
  ImGui::SetNextItemWidth(22.0f * ImGui::GetFontSize());
  drawList("Lesson", panel.lesson ? lessons[*panel.lesson].title : "choose one", lessons,
           [&](const trace::Lesson& lesson) {
             const auto i = static_cast<std::size_t>(&lesson - lessons.data());
             if (listEntry(lesson.title, "", panel.lesson == i)) chooseLesson(panel, lesson, i);
           });
  tooltip("Scans and what follows from them, a stop at a time");
  if (!panel.lesson) return;
  const auto& stops = lessons[*panel.lesson].stops;
  const auto go = [&](std::size_t stop) {
    panel.stop = stop;
    panel.goToStop = true;
    panel.playing = false;
  };
  ImGui::SameLine();
  // These buttons have no tooltips, which would hide the text.
  ImGui::BeginDisabled(panel.stop == 0);
  if (ImGui::Button("Back")) go(panel.stop - 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool last = panel.stop + 1 == stops.size();
  const std::size_t following = (*panel.lesson + 1) % lessons.size();
  if (ImGui::Button(last ? "Next lesson" : "Next")) {
    if (last)
      chooseLesson(panel, lessons[following], following);
    else
      go(panel.stop + 1);
  }
  ImGui::SameLine();
  ImGui::Text("stop %zu of %zu", panel.stop + 1, stops.size());
  ImGui::SameLine();
  ImGui::SmallButton("Words");
  tooltip(kWords);
  ImGui::SameLine();
  const char* const how = "Next goes to the next stop; arrows and Play show what lies between";
  ImGui::TextDisabled("%s", cut(how, ImGui::GetContentRegionAvail().x).c_str());
  // Leaves room for the longest text, so that nothing below moves.
  const float top = ImGui::GetCursorPosY();
  if (show != nullptr && !panel.open) ImGui::TextWrapped("%s", show->textOf(stops[panel.stop]).c_str());
  ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + kTextLines * ImGui::GetTextLineHeightWithSpacing()));
}

// Draws the list of kernels. `none`: entry for no kernel; null: there is none. Returns whether the choice changed.
bool chooseKernel(const char* label, std::string& kernel, const char* none, const char* help) {
  bool changed = false;
  ImGui::SetNextItemWidth(14.0f * ImGui::GetFontSize());
  if (beginList(label, kernel.empty() ? none : kernel)) {
    if (none != nullptr && ImGui::Selectable(none, kernel.empty())) changed = !std::exchange(kernel, "").empty();
    for (const trace::Kernel& row : trace::kernels()) {
      if (ImGui::Selectable(row.name.c_str(), row.name == kernel)) {
        changed |= row.name != kernel;
        kernel = row.name;
      }
      tooltip(row.summary);
    }
    endList();
  }
  tooltip(help);
  return changed;
}

// The functions choose... draw a part of the request. They return whether the user changed it.

bool chooseElements(trace::Request& request) {
  ImGui::SetNextItemWidth(7.0f * ImGui::GetFontSize());
  auto elements = static_cast<int>(request.elements);
  ImGui::InputInt("elements", &elements);
  const bool edited =
      ImGui::IsItemEdited() && (!ImGui::IsItemActive() || elements != static_cast<int>(request.elements));
  const bool changed = ImGui::IsItemDeactivatedAfterEdit() || edited;
  if (changed) request.elements = static_cast<unsigned>(std::clamp(elements, 1, static_cast<int>(trace::kMaxRecorded)));
  const std::string range = "1 to " + std::to_string(trace::kMaxRecorded);
  tooltip(range + "; also numbers that are no power of two. A table takes a square image: 256 for 16 x 16");
  return changed;
}

bool chooseThreads(trace::Request& request) {
  bool changed = false;
  ImGui::SetNextItemWidth(5.0f * ImGui::GetFontSize());
  drawList("threads", std::to_string(request.blockSize), std::array{32, 64, 128, 256, 512, 1024}, [&](int size) {
    if (!listEntry(std::to_string(size), "", size == request.blockSize)) return;
    request.blockSize = size;
    changed = true;
  });
  tooltip("Threads of a block, for kernels with a choice");
  return changed;
}

bool chooseResidentBlocks(trace::Request& request) {
  ImGui::SetNextItemWidth(5.0f * ImGui::GetFontSize());
  auto resident = static_cast<int>(request.residentBlocks);
  constexpr int kMax = static_cast<int>(trace::kMaxResident);
  const bool changed = ImGui::SliderInt("blocks at once", &resident, 1, kMax);
  if (changed) request.residentBlocks = static_cast<unsigned>(std::clamp(resident, 1, kMax));
  tooltip("Blocks that run in turns: look-back then meets aggregates, not only inclusive prefixes");
  return changed;
}

bool chooseData(trace::Request& request) {
  bool changed = false;
  ImGui::SetNextItemWidth(7.0f * ImGui::GetFontSize());
  drawList("data", name(request.data), trace::kMadeData, [&](trace::Data data) {
    if (!listEntry(name(data), "", data == request.data)) return;
    request.data = data;
    changed = true;
  });
  return changed;
}

bool chooseWhatIf(trace::Request& request) {
  bool changed = false;
  ImGui::SetNextItemWidth(9.0f * ImGui::GetFontSize());
  if (beginList("what if", request.whatIf == trace::WhatIf::nothing ? "as it is" : rowOf(request.whatIf).name)) {
    if (ImGui::Selectable("as it is", request.whatIf == trace::WhatIf::nothing)) {
      request.whatIf = trace::WhatIf::nothing;
      changed = true;
    }
    for (const trace::WhatIfRow& row : trace::whatIfs()) {
      const bool applies = *row.kernel == '\0' || request.kernel == row.kernel;
      if (ImGui::Selectable(row.name, request.whatIf == row.value)) {
        request.whatIf = row.value;
        if (!applies) request.kernel = row.kernel;
        changed = true;
      }
      tooltip(row.summary);
    }
    endList();
  }
  tooltip("Known mistakes and older hardware, with their price");
  return changed;
}

void drawChoice(SlowMotionPanel& panel) {
  trace::Request& request = panel.request;
  bool changed = chooseKernel("##kernel", request.kernel, nullptr, "--kernel");
  if (changed) request.residentBlocks = trace::residentBlocksOf(request.kernel);
  ImGui::SameLine();
  changed |= chooseKernel("##beside", panel.beside, "alone", "A second kernel beside it, step by step");
  for (const auto choose : {chooseElements, chooseThreads, chooseResidentBlocks, chooseData, chooseWhatIf}) {
    ImGui::SameLine();
    changed |= choose(request);
  }
  if (!changed) return;
  const trace::WhatIfRow& row = rowOf(request.whatIf);
  if (*row.kernel != '\0' && request.kernel != row.kernel) request.whatIf = trace::WhatIf::nothing;
  panel.open = true;
  panel.besideBlockSize = 0;
  panel.lesson.reset();
}

void drawFilm(SlowMotionPanel& panel, const std::string& videoMissing) {
  if (!panel.filming) {
    if (button("film", "Save the whole play as satdof-slow-0001.mp4, a frame a step", 0.0f, videoMissing))
      panel.filming = true;
    return;
  }
  if (ImGui::Button("Cancel")) panel.filming = false;
  ImGui::SameLine();
  ImGui::ProgressBar(panel.filmed, {6.0f * ImGui::GetFontSize(), 0});
}

void drawTransport(Session& session, const trace::Show& show) {
  SlowMotionPanel& panel = session.slow;
  if (button("|<", "To the start (Home)", 0.0f)) panel.seek = 0.0f;
  ImGui::SameLine();
  if (button("<", "A step back (left arrow)", 0.0f)) panel.stepBy = -1;
  ImGui::SameLine();
  if (button(panel.playing ? "Pause" : "Play", "Space", 4.0f * ImGui::GetFontSize())) panel.playing = !panel.playing;
  ImGui::SameLine();
  if (button(">", "A step on (right arrow)", 0.0f)) panel.stepBy = 1;
  ImGui::SameLine();
  static constexpr std::array kUnits = {"access of a lane", "instruction of a warp", "barrier", "launch"};
  ImGui::SetNextItemWidth(11.0f * ImGui::GetFontSize());
  drawList("a step", kUnits[static_cast<std::size_t>(panel.unit)], kUnits, [&](const char* const& each) {
    const auto unit = static_cast<Unit>(&each - kUnits.data());
    if (listEntry(each, "", unit == panel.unit)) panel.unit = unit;
  });
  tooltip("What a step passes (up and down arrow)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(8.0f * ImGui::GetFontSize());
  ImGui::SliderFloat("steps/s", &panel.unitsPerS, 0.5f, 200.0f, "%.1f", ImGuiSliderFlags_Logarithmic);
  ImGui::SameLine();
  for (const char* extension : {".svg", ".png"}) {
    const std::string help = std::string("Save this moment as satdof-slow-0001") + extension;
    if (button(extension + 1, help.c_str(), 0.0f))
      session.request({.command = Command::saveSlowMotion, .name = extension});
    ImGui::SameLine();
  }
  drawFilm(panel, session.videoMissing);
  ImGui::SameLine();
  float part = show.progress();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::SliderFloat("##part", &part, 0.0f, 1.0f, "")) panel.seek = part;
}

// Applies arrows, Home and End.
void readKeys(SlowMotionPanel& panel) {
  if (ImGui::GetIO().WantTextInput) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int by = static_cast<int>(pressed(ImGuiKey_RightArrow)) - static_cast<int>(pressed(ImGuiKey_LeftArrow));
  if (by != 0) panel.playing = false;
  panel.stepBy += by;
  const int unit = static_cast<int>(panel.unit) + static_cast<int>(pressed(ImGuiKey_DownArrow)) -
                   static_cast<int>(pressed(ImGuiKey_UpArrow));
  panel.unit = static_cast<Unit>(std::clamp(unit, 0, static_cast<int>(Unit::launch)));
  if (pressed(ImGuiKey_Home)) panel.seek = 0.0f;
  if (pressed(ImGuiKey_End)) panel.seek = 1.0f;
}

// Draws the fault of a kernel, and the number of wrong elements of its result.
void drawFault(const trace::Counts& counts) {
  if (counts.fault.empty() && counts.wrong == 0) return;
  std::string text = counts.wrong == 0 ? "" : std::to_string(counts.wrong) + " elements of the result are wrong. ";
  ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(240, 110, 100, 255));
  ImGui::TextWrapped("%s", (text + counts.fault).c_str());
  ImGui::PopStyleColor();
}

void drawPlay(SlowMotionPanel& panel, const trace::Player& player, glm::vec2 from, glm::vec2 to) {
  PanelCanvas canvas;
  const float font = ImGui::GetFontSize();
  ImGui::PushClipRect({from.x, from.y}, {to.x, to.y}, true);
  const bool wide = to.x - from.x > 2.0f * kNarrowestPlayInFonts * font;
  const auto drawn = trace::drawMoment(
      canvas, player, {.fontSize = font, .title = titleOf(player.trace().counts.request), .source = wide}, from, to);
  ImGui::PopClipRect();
  if (!ImGui::IsWindowHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  if (const auto at = trace::hitTest(drawn, {mouse.x, mouse.y}); at && mouse.x < to.x && mouse.x >= from.x) {
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(trace::elementText(player, at->buffer, at->element).c_str());
    ImGui::EndTooltip();
  }
  const bool onRuler = mouse.x >= drawn.rulerFrom.x && mouse.x < drawn.rulerTo.x && mouse.y >= drawn.rulerFrom.y &&
                       mouse.y < drawn.rulerTo.y;
  if (onRuler && ImGui::IsMouseDown(0))
    panel.seek = (mouse.x - drawn.rulerFrom.x) / (drawn.rulerTo.x - drawn.rulerFrom.x);
}

}  // namespace

void chooseLesson(SlowMotionPanel& panel, const trace::Lesson& lesson, std::size_t index) {
  panel.lesson = index;
  panel.stop = 0;
  panel.request = lesson.request;
  panel.beside = lesson.beside;
  panel.besideBlockSize = lesson.besideBlockSize;
  panel.open = panel.goToStop = true;
  panel.playing = false;
}

void watchKernel(Session& session, const std::string& kernel) {
  SlowMotionPanel& panel = session.slow;
  panel.shown = panel.open = true;
  panel.request = {.kernel = kernel,
                   .elements = panel.request.elements,
                   .blockSize = panel.request.blockSize,
                   .residentBlocks = trace::residentBlocksOf(kernel)};
  panel.beside.clear();
  panel.besideBlockSize = 0;
  panel.lesson.reset();
}

void watchScan(Session& session, Scan scan) {
  session.slow.shown = true;
  // A scan that builds whole tables is in the family of tables.
  for (const trace::Kernel& row : trace::kernels())
    if (row.name == std::string("scan/") + name(scan) || row.name == std::string("table/") + name(scan))
      watchKernel(session, row.name);
}

void drawSlowMotionPanel(Session& session, const trace::Show* show, std::span<const trace::Lesson> lessons,
                         float columnWidth) {
  SlowMotionPanel& panel = session.slow;
  if (!panel.shown) return;
  const float font = ImGui::GetFontSize();
  const float height = ImGui::GetIO().DisplaySize.y - 2.0f * font;
  if (beginBesidePanels("Slow motion", panel.shown, panel.laidOutFor, columnWidth, kNarrowestWindowInFonts * font,
                        height)) {
    if (const std::string why = trace::unavailable(); !why.empty()) {
      ImGui::TextWrapped("%s", why.c_str());
    } else {
      drawLessons(panel, show, lessons);
      drawChoice(panel);
    }
    if (show != nullptr) {
      readKeys(panel);
      drawTransport(session, *show);
      drawFault(show->players().front().trace().counts);
      const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
      const auto count = static_cast<float>(show->players().size());
      for (std::size_t i = 0; i < show->players().size(); ++i) {
        const float left = from.x + static_cast<float>(i) * (room.x + font) / count;
        drawPlay(panel, show->players()[i], {left, from.y}, {left + (room.x + font) / count - font, from.y + room.y});
      }
      ImGui::Dummy(room);
    }
  }
  ImGui::End();
}

}  // namespace satdof
