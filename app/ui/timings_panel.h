#pragma once
#include <string>
#include <vector>

#include "app/gl/frame_stats.h"

namespace satdof {

// The times of all stages: a table, a stacked bar for each clock, and the history of the selected stage.
class TimingsPanel {
 public:
  void draw(const FrameStats& stats);

 private:
  struct Row {
    std::string name;
    Clock clock;
    float latestUs, medianUs, p99Us;
  };
  void refresh(const FrameStats& stats);
  void drawBar(Clock clock) const;
  void drawTable();
  void drawHistory(const FrameStats& stats) const;

  std::vector<Row> rows_;  // refreshed every kRefreshS; the last row is the whole frame
  std::string selected_ = "frame";
  Clock selectedClock_ = Clock::cpu;
  double refreshedS_ = -1.0;
};

}  // namespace satdof
