#pragma once
#include <array>
#include <cstddef>

#include "app/ui/session.h"

// Focus marks, as on the ring of a follow focus, and pulls of the focus to them. Needs no window but for drawing.
namespace satdof {

// 'A' for mark 0.
char markLetter(std::size_t mark);

// Stores the focus of now.
void storeMark(Session& session, std::size_t mark);
// Pulls the focus to a mark within Preferences::pullS. While the timeline is shown, it sets two keys instead. Says so if the
// mark is not stored.
void recallMark(Session& session, std::size_t mark);
// Call in every frame, after its edits. Moves the focus by `stepS` seconds of the pull, evenly in diopters but slowly at its
// ends. The pull ends if something else moves the focus.
void followMark(Session& session, double stepS);

// A mark of the depth-of-field scale: what is sharp at this f-number lies between the marks beside the focus.
struct SharpMark {
  float fNumber;
  float offset;  // from the focus, as focusPosition(); the far one may lie beyond infinity
};
std::array<SharpMark, 5> sharpMarks(LensSettings lens);

// Draws the ring, if it is shown. Call between ImGui::NewFrame() and ImGui::Render().
void drawFocusRing(Session& session);

}  // namespace satdof
