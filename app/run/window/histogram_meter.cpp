#include "app/run/window/histogram_meter.h"

#include <algorithm>
#include <glm/common.hpp>
#include <memory>
#include <stdexcept>

#include "app/core/pixels.h"
#include "app/run/capture.h"

namespace satdof {

namespace {

constexpr double kMeasurePeriodS = 1.0;

}  // namespace

Histogram histogramOf(const std::vector<unsigned char>& rgb, glm::ivec2 size, glm::ivec2 from, glm::ivec2 to) {
  Histogram histogram;
  for (int y = from.y; y < to.y; ++y)
    for (int x = from.x; x < to.x; ++x) {
      const unsigned char* const pixel = &rgb[3 * pixelIndex(size, {x, y})];
      for (std::size_t c = 0; c < 3; ++c) ++histogram.counts[c][pixel[c]];
      const auto [low, high] = std::minmax({pixel[0], pixel[1], pixel[2]});
      histogram.black += low == 0 ? 1 : 0;
      histogram.white += high == Histogram::kBins - 1 ? 1 : 0;
      ++histogram.pixels;
    }
  return histogram;
}

bool HistogramMeter::serve(Session& session, WindowImage& image, double nowS) {
  if (session.settings != settings_) {
    settings_ = session.settings;
    changedS_ = nowS;
  }
  if (!waits(session) || !rested(nowS) || nowS - measuredS_ < kMeasurePeriodS) return false;
  stale_ = false;
  measuredS_ = nowS;
  const glm::ivec2 size = image.renderer().image().size();
  if (size.x < 1 || size.y < 1) return false;
  const auto place = [&](glm::vec2 at) {
    return glm::clamp(glm::ivec2(glm::round(at * glm::vec2(size))), glm::ivec2(0), size);
  };
  try {
    session.histogram = std::make_shared<const Histogram>(
        histogramOf(captureRgb(image.renderer(), session.settings, session.settings.scene.timeS), size,
                    place(session.shown.areaFrom), place(session.shown.areaTo)));
  } catch (const std::runtime_error&) {  // out of memory, which drawing reports
  }
  return true;
}

}  // namespace satdof
