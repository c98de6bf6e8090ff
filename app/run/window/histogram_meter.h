#pragma once
#include "app/run/window/window_image.h"

namespace satdof {

// Counts the pixels of an image as displayed: RGB, bottom row first. Only the rectangle [from, to) counts.
Histogram histogramOf(const std::vector<unsigned char>& rgb, glm::ivec2 size, glm::ivec2 from, glm::ivec2 to);

// Measures Session::histogram while a panel shows it and the image rests.
class HistogramMeter {
 public:
  // Call after each draw of the image.
  void invalidate() { stale_ = true; }
  // Whether serve() will measure, now or later.
  bool waits(const Session& session) const { return stale_ && session.wantsHistogram && !session.moves(); }
  // Whether the settings have rested for a moment, as of the last serve().
  bool rested(double nowS) const { return nowS - changedS_ > kRestS; }
  // Measures the histogram of the drawn image if it is due. Returns whether it measured.
  bool serve(Session& session, WindowImage& image, double nowS);

 private:
  static constexpr double kRestS = 0.3;

  bool stale_ = true;
  Settings settings_;        // in the last serve()
  double changedS_ = 0.0;    // time of the last change of the settings
  double measuredS_ = -1e9;  // time of the last measurement
};

}  // namespace satdof
