#pragma once
#include <glm/vec2.hpp>

#include "app/ui/session.h"

// The navigator of a zoomed image: a thumbnail of the whole image in the upper right corner. Call between
// ImGui::NewFrame() and ImGui::Render().
namespace satdof {

// Returns the size in screen coordinates; 0 while the whole image is shown.
glm::vec2 navigatorSize(const Session& session);

// Draws the thumbnail with a frame around the visible part. A click or a drag moves the visible part.
void drawNavigator(Session& session);

}  // namespace satdof
