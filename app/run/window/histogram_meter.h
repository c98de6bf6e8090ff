#pragma once
#include "app/run/window/window_image.h"

namespace satdof {

// Counts the pixels of a displayed image of RGB, bottom row first, from `from` to below `to`.
Histogram histogramOf(const std::vector<unsigned char>& rgb, glm::ivec2 size, glm::ivec2 from, glm::ivec2 to);

// Measures Session::histogram while a panel shows it and the image rests.
class HistogramMeter {
 public:
  // Call when another image has been drawn.
  void invalidate() { stale_ = true; }
  // Whether serve() will measure, now or a moment later.
  bool waits(const Session& session) const { return stale_ && session.wantsHistogram && !session.moves(); }
  // Whether the settings have rested for a moment, as of the last serve().
  bool rested(double nowS) const { return nowS - changedS_ > kRestS; }
  // Call when the image is drawn. Returns whether it measured.
  bool serve(Session& session, WindowImage& image, double nowS);

 private:
  static constexpr double kRestS = 0.3;

  bool stale_ = true;
  Settings settings_;  // in the last serve()
  double changedS_ = 0.0, measuredS_ = -1e9;
};

}  // namespace satdof
