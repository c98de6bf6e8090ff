#pragma once
#include <string>

namespace satdof {

// A rack focus: the focus distance moves from one distance to another over a run.
struct FocusSweep {
  float fromM = 1.0f, toM = 1.0f;
  bool operator==(const FocusSweep&) const = default;
};

// The distance for `frame` of `frames`, from fromM for the first (and only) to toM for the last; frames
// beyond are the last. Even steps in diopters, 1/m: as the circle of confusion is linear in them, so is the
// blur.
float focusDistanceM(const FocusSweep& sweep, int frame, int frames);

// Reads "focus=A:B". Throws UsageError, beginning with `where`, when the text is not of this form, or a
// distance no focus distance.
FocusSweep parseFocusSweep(const std::string& where, const std::string& text);

}  // namespace satdof
