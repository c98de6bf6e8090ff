#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gl/frame_stats.h"

namespace satdof {

// Returns the colours of the stages, which repeat; packed as in Dear ImGui.
std::span<const unsigned> stageColours();
// Returns what a stage does; empty for an unknown stage.
std::string stageHelp(std::string_view name);

// Draws the times of all stages: the history of the selected stage, a stacked bar for each clock, and a table.
class TimingsPanel {
 public:
  void draw(const FrameStats& stats);

 private:
  struct Row {
    std::string name;
    Clock clock;
    std::size_t place;
    float latestUs, medianUs, p99Us;
  };
  void refresh(const FrameStats& stats);
  void drawBar(Clock clock) const;
  void drawTable();
  void drawHistory(const FrameStats& stats) const;

  // Returns the position of a stage among all stages that ever ran, so that rows and colours stay when the lens
  // changes.
  std::size_t placeOf(const std::string& name, Clock clock);

  std::vector<std::pair<std::string, Clock>> places_;
  std::vector<Row> rows_;  // refreshed every kRefreshS seconds; the last row is the whole frame
  std::string selected_ = "frame";
  Clock selectedClock_ = Clock::cpu;
  double refreshedS_ = -1.0;
};

}  // namespace satdof
