#pragma once
#include "app/ui/session.h"

namespace satdof {

enum class MouseButton { left, right, middle };

// Keys that are down during a mouse event.
struct Held {
  bool shift = false, control = false, alt = false;
  bool space = false;
};

// The mouse on the image. A click focuses; a drag moves the camera, the split line, the focus point or the zoomed
// image, or paints with the depth brush; the wheel moves the focus. Positions are screen coordinates from the top left
// of the window, whose size is `size`.
class ImageMouse {
 public:
  void press(Session& session, MouseButton button, const Held& held, glm::vec2 at, glm::vec2 size);
  void move(Session& session, glm::vec2 at, glm::vec2 size);
  void release(Session& session, MouseButton button, glm::vec2 size);
  void scroll(Session& session, float steps, const Held& held);
  // Ends the drag without a click.
  void drop() { drag_ = Drag::none; }

  // Whether the mouse at `at` touches the split line or drags it.
  bool onSplit(const Session& session, glm::vec2 at, glm::vec2 size) const;

 private:
  // Focuses on the surface at a point of the window, 0 to 1 from the bottom left.
  static void focus(Session& session, glm::vec2 at);

  enum class Drag { none, click, orbit, pan, split, image, focusPoint, brush };
  Drag drag_ = Drag::none;
  MouseButton button_ = MouseButton::left;
  glm::vec2 start_{0.0f}, last_{0.0f};
  float zoomSteps_ = 0.0f;  // wheel steps not zoomed yet: a touchpad scrolls by fractions
};

}  // namespace satdof
