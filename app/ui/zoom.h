#pragma once
#include <glm/vec2.hpp>
#include <string>

#include "app/ui/session.h"

// The zoom of the image in the window. It is part of what is shown: no settings and no file hold it. Points and
// distances are 0 to 1 of the window, from the bottom left.
namespace satdof {

// The scale that shows a photograph's file pixel for pixel; 1 for other scenes.
float fullScale(const Session& session);
// "150 %" of the file's pixels, or of the image that fits the window, which is "fit".
std::string zoomText(const Session& session);

// Shows the image at `scale`, at least 1 and at most 1600 %. The point at `at` stays.
void zoomTo(Session& session, float scale, glm::vec2 at);
// Goes on by so many of the steps 25 %, 33 %, 50 %, ... 1600 %.
void stepZoom(Session& session, int steps, glm::vec2 at);
// Between the whole image and 100 % of the file's pixels, or 200 % where this is no larger.
void toggleZoom(Session& session, glm::vec2 at);
// Moves the image with the mouse.
void panImage(Session& session, glm::vec2 by);
// Shows the surroundings of `place`, 0 to 1 of the whole image, in the middle of the visible image.
void showPlace(Session& session, glm::vec2 place);
// Call in every frame: after a change of the window or of the panels the visible part lies within the image again, or
// all of the film beside them.
void keepZoomInside(Session& session);

// Whether all of the film of a scene is shown beside the panels and above the timeline, marked by a frame.
bool framesFilm(const Session& session);
// The settings that draw the image with its surroundings, if Zoom::scale is below 1.
Settings withSurroundings(Settings settings, const Zoom& zoom);
// The middle of the film while it has a frame or is written, else of the visible image.
glm::vec2 centreShown(const Session& session);

// The part of the image, 0 to 1 of the whole, that the panels leave visible; of the whole image: while it fits.
struct VisiblePart {
  glm::vec2 from{0.0f}, to{1.0f};
};
VisiblePart visiblePart(const Session& session);
VisiblePart visibleWhole(const Session& session);

// Between points of the window and places in the photograph, 0 to 1 from its bottom left.
glm::vec2 placeAt(const Session& session, glm::vec2 point);
glm::vec2 pointOf(const Session& session, glm::vec2 place);

// The lowest left pixel of the visible part, in an image of wholeSize() pixels.
glm::ivec2 wholeSize(const Zoom& zoom, glm::ivec2 size);
glm::ivec2 firstPixel(const Zoom& zoom, glm::ivec2 size);

}  // namespace satdof
