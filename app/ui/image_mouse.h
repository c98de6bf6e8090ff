#pragma once
#include "app/ui/session.h"

namespace satdof {

enum class MouseButton { left, right, middle };

// What is held down with the mouse.
struct Held {
  bool shift = false, control = false, alt = false;
  bool space = false;
};

// The mouse on the image: a click focuses, a drag moves the camera, the split line or a zoomed photograph, the wheel moves
// the focus; or a brush paints. Positions are screen coordinates from the window's top left. `size` is the window's size in the same
// units.
class ImageMouse {
 public:
  void press(Session& session, MouseButton button, const Held& held, glm::vec2 at, glm::vec2 size);
  void move(Session& session, glm::vec2 at, glm::vec2 size);
  void release(Session& session, MouseButton button, glm::vec2 size);
  void scroll(Session& session, float steps, const Held& held);
  // Ends a drag that had no effect yet.
  void drop() { drag_ = Drag::none; }

  // Whether the mouse at `at` touches the split line or drags it.
  bool onSplit(const Session& session, glm::vec2 at, glm::vec2 size) const;

 private:
  // On the surface at a point, 0 to 1 from the bottom left.
  static void focus(Session& session, glm::vec2 at);

  enum class Drag { none, click, orbit, pan, split, image, focusPoint, brush };
  Drag drag_ = Drag::none;
  MouseButton button_ = MouseButton::left;
  glm::vec2 start_{0.0f}, last_{0.0f};
  float zoomSteps_ = 0.0f;  // of a touchpad: parts of a step
};

}  // namespace satdof
