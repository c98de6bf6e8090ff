#pragma once
#include <vector>

#include "app/run/window/glfw_window.h"
#include "app/ui/image/image_mouse.h"
#include "app/ui/ui.h"

namespace satdof {

// Sends the events to the key bindings and to the mouse control of the image, unless a panel owns them.
void dispatch(const std::vector<InputEvent>& events, const GlfwWindow& window, const Ui& ui, ImageMouse& mouse,
              Session& session);

}  // namespace satdof
