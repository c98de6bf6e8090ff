#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "app/ui/session.h"
#include "app/ui/timeline/timeline.h"

// The ruler of the timeline and the lanes of its rows, with the keys and curves.
namespace satdof {

inline constexpr float kRulerInFonts = 1.55f, kKeyReach = 7.0f;  // height; in pixels

// The horizontal axis of the lanes: times [fromS, toS] between the screen coordinates `left` and `right`.
struct Lanes {
  double fromS, toS;
  float left, right;

  float x(double timeS) const { return left + static_cast<float>((timeS - fromS) / (toS - fromS)) * (right - left); }
  double timeS(float x) const { return fromS + static_cast<double>((x - left) / (right - left)) * (toS - fromS); }
  float xInside(double timeS) const { return std::clamp(x(timeS), left, right); }
  bool shows(double timeS) const { return timeS >= fromS && timeS <= toS; }
};

// Returns the times that the lanes show.
std::pair<double, double> shownTimes(const Session& session);
// Applies the drag of the mouse. Call before drawing.
void applyTimelineDrag(Session& session, const Lanes& lanes);
void drawRuler(Session& session, const Lanes& lanes);
// Draws the playhead on the ruler.
void drawHead(const Session& session, const Lanes& lanes, float top, float bottom);
// Draws the rows, whose labels are `labels` wide.
void drawRows(Session& session, const std::vector<TimelineRow>& rows, const Lanes& lanes, float labels, float height);

}  // namespace satdof
