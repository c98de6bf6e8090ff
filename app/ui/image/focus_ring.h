#pragma once
#include <array>
#include <cstddef>

#include "app/ui/session.h"

// Focus marks, as on the ring of a follow focus, and focus pulls to them. Only drawing needs a window.
namespace satdof {

// Returns the letter of a mark: 'A' for mark 0.
char markLetter(std::size_t mark);

// Stores the current focus.
void storeMark(Session& session, std::size_t mark);
// Starts a focus pull to a mark, of Preferences::pullS seconds. While the timeline is shown, sets two keys instead.
// Says so if the mark is not stored.
void recallMark(Session& session, std::size_t mark);
// Call in every frame, after its edits. Advances the pull by `stepS` seconds, in diopters, with eased ends. Anything
// else that moves the focus ends the pull.
void advancePull(Session& session, double stepS);

// A pair of lines on the depth-of-field scale: the limits of sharpness at an f-number.
struct SharpLimits {
  float fNumber;
  // Distance of both lines from the focus, as focusPosition(); the far line may lie beyond infinity.
  float offset;
};
std::array<SharpLimits, 5> sharpLimits(LensSettings lens);

// Draws the ring, if it is shown. Call between ImGui::NewFrame() and ImGui::Render().
void drawFocusRing(Session& session);

}  // namespace satdof
