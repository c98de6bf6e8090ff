#pragma once
#include <string>
#include <vector>

#include "app/gl/frame_stats.h"

namespace satdof {

// Every stage of the frame: text, a stacked bar for each clock, and the history of the one selected.
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

  std::vector<Row> rows_;  // of a moment ago, so that one can read them; the last one is the whole frame
  std::string selected_ = "frame";
  Clock selectedClock_ = Clock::cpu;
  double refreshedS_ = -1.0;
};

}  // namespace satdof
