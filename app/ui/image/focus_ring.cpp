#include "app/ui/image/focus_ring.h"

#include <algorithm>
#include <string>

#include "app/lens/depth_of_field.h"
#include "app/ui/timeline/ready_shots.h"

namespace satdof {

char markLetter(std::size_t mark) { return static_cast<char>('A' + mark); }

void storeMark(Session& session, std::size_t mark) {
  const float focusM = session.settings.lens.focusDistanceM;
  session.preferences.focusMarks[mark] = focusM;
  session.say(std::string("Focus mark ") + markLetter(mark) + ": " + distanceText(focusM));
}

void recallMark(Session& session, std::size_t mark) {
  const std::string name = std::string("Focus mark ") + markLetter(mark);
  const auto& stored = session.preferences.focusMarks[mark];
  if (!stored) return session.say(name + " is not set: Ctrl click on its letter stores the focus");
  LensSettings& lens = session.settings.lens;
  if (session.timeline.shown) return addPull(session, lens.focusDistanceM, *stored, session.preferences.pullS);
  lens.autofocus = false;
  session.focus.pull = FocusPull{.fromM = lens.focusDistanceM, .toM = *stored, .lastM = lens.focusDistanceM};
  session.say(name + ": " + distanceText(*stored));
}

// Both limits are equally far from the focus in diopters: 1/near + 1/far = 2/focus.
std::array<SharpLimits, 5> sharpLimits(LensSettings lens) {
  std::array<SharpLimits, 5> marks{{{4, 0}, {8, 0}, {11, 0}, {16, 0}, {22, 0}}};
  for (auto& [fNumber, offset] : marks) {
    lens.fNumber = fNumber;
    offset = kNearestFocusM * (1.0f / depthOfField(lens).nearM - 1.0f / lens.focusDistanceM);
  }
  return marks;
}

void advancePull(Session& session, double stepS) {
  constexpr double kLongestStepS = 0.25;
  if (!session.focus.pull) return;
  FocusPull& pull = *session.focus.pull;
  LensSettings& lens = session.settings.lens;
  if (lens.focusDistanceM != pull.lastM || lens.autofocus || session.focus.at) return session.focus.pull.reset();
  pull.atS += std::min(stepS, kLongestStepS);
  const double lengthS = static_cast<double>(session.preferences.pullS);
  const std::array keys = {Key{.timeS = 0, .value = pull.fromM}, Key{.timeS = lengthS, .value = pull.toM}};
  pull.lastM = lens.focusDistanceM = valueAt(Interpolation::diopters, keys, pull.atS);
  if (pull.atS >= lengthS) session.focus.pull.reset();
}

}  // namespace satdof
