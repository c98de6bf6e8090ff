#pragma once
#include <glm/vec2.hpp>

#include "app/ui/session.h"

// The thumbnail of the whole image while a part of it is shown, in the upper right corner. Call between ImGui::NewFrame() and
// ImGui::Render().
namespace satdof {

// In screen coordinates; 0 while the whole image is shown.
glm::vec2 navigatorSize(const Session& session);

// Frames the visible part. A click or a drag moves it.
void drawNavigator(Session& session);

}  // namespace satdof
