#pragma once
#include <string>

namespace satdof {

// A rack focus: the focus distance moves from one distance to the other during a run.
struct FocusSweep {
  float fromM = 1.0f, toM = 1.0f;
  bool operator==(const FocusSweep&) const = default;
};

// Returns the distance of `frame` (0 to frames - 1): fromM for the first or only frame, toM for the last and
// all frames after it. The steps are equal in diopters, 1/m: the circle of confusion is linear in diopters,
// so the blur changes evenly.
float focusDistanceM(const FocusSweep& sweep, int frame, int frames);

// Reads "focus=A:B". Throws UsageError, whose message starts with `where`, if the text has another form or a
// distance is out of range.
FocusSweep parseFocusSweep(const std::string& where, const std::string& text);

}  // namespace satdof
