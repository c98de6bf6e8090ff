#pragma once
#include <glm/vec2.hpp>
#include <string>

#include "app/ui/session.h"

// The zoom of the image in the window (Session::zoom). Points and distances are 0 to 1 of the window, from the bottom
// left.
namespace satdof {

// Returns the scale that shows the file of a photograph pixel for pixel; 1 for other scenes.
float fullScale(const Session& session);
// Returns the zoom in percent of the file's pixels, or of the image that fits the window: "150 %", "fit", "fit, 25 %".
std::string zoomText(const Session& session);

// Shows the image at `scale`, from 1 to 1600 % of the file's pixels. The point `at` stays in place.
void zoomTo(Session& session, float scale, glm::vec2 at);
// Zooms by steps: 25 %, 33 %, 50 %, ... 1600 %.
void stepZoom(Session& session, int steps, glm::vec2 at);
// Toggles between the whole image and 100 % of the file's pixels, or 200 % if 100 % is no larger.
void toggleZoom(Session& session, glm::vec2 at);
// Moves the image by a distance of the mouse.
void panImage(Session& session, glm::vec2 by);
// Moves `place`, 0 to 1 of the whole image, to the centre of the visible image.
void showPlace(Session& session, glm::vec2 place);
// Call after the camera was shifted from `before`, because panels were shown or hidden. The pixels of a zoomed
// photograph stay in place.
void keepPixels(Session& session, const CameraSettings& before);
// Call in every frame. Keeps the visible part inside the image when the window or the panels change. If framesFilm(),
// fits the film beside the panels.
void keepZoomInside(Session& session);

// Whether the whole film of a scene is shown beside the panels and above the timeline, with a frame.
bool framesFilm(const Session& session);
// Returns the settings that draw the image with its surroundings if Zoom::scale is below 1.
Settings withSurroundings(Settings settings, const Zoom& zoom);
// Returns the centre of the film while it has a frame or is rendered, else of the visible image.
glm::vec2 centreShown(const Session& session);

// A part of the image, 0 to 1 of the whole image.
struct VisiblePart {
  glm::vec2 from{0.0f}, to{1.0f};
};
// Returns the part that the panels leave visible.
VisiblePart visiblePart(const Session& session);
// Returns the part that the panels leave visible when the image is not zoomed.
VisiblePart visibleWhole(const Session& session);

// Convert a point of the window to a place in the photograph, 0 to 1 from its bottom left; and back.
glm::vec2 placeAt(const Session& session, glm::vec2 point);
glm::vec2 pointOf(const Session& session, glm::vec2 place);

// Returns the size of the whole zoomed image in pixels. `size`: of the window.
glm::ivec2 wholeSize(const Zoom& zoom, glm::ivec2 size);
// Returns the lowest left visible pixel of the whole zoomed image.
glm::ivec2 firstPixel(const Zoom& zoom, glm::ivec2 size);

}  // namespace satdof
