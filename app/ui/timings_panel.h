#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gl/frame_stats.h"

namespace satdof {

// The colours of the stages in turn, packed as Dear ImGui does.
std::span<const unsigned> stageColours();
// What a stage does; empty for one that is not known.
std::string stageHelp(std::string_view name);

// The times of all stages: a table, a stacked bar for each clock, and the history of the selected stage.
class TimingsPanel {
 public:
  void draw(const FrameStats& stats);

 private:
  struct Row {
    std::string name;
    Clock clock;
    size_t place;
    float latestUs, medianUs, p99Us;
  };
  void refresh(const FrameStats& stats);
  void drawBar(Clock clock) const;
  void drawTable();
  void drawHistory(const FrameStats& stats) const;

  // Position of a stage among all that ever ran: rows and colours stay when the lens changes.
  size_t placeOf(const std::string& name, Clock clock);

  std::vector<std::pair<std::string, Clock>> places_;
  std::vector<Row> rows_;  // refreshed every kRefreshS; the last row is the whole frame
  std::string selected_ = "frame";
  Clock selectedClock_ = Clock::cpu;
  double refreshedS_ = -1.0;
};

}  // namespace satdof
