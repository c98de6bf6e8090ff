#pragma once
#include <array>
#include <string>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/focus_surface.h"

// Tilt, field curvature and shifted focus replace 1/S by 1/z_f(p) = 1/S + t(p), with a term t of the pixel p. In
// R = K S (1/z_f(p) - 1/z), subtracting t from 1/z is the same as adding it to 1/S (docs/optics.md). So every lens
// draws these effects as a plain thin lens of a changed depth image, on every device and with the same bounds. The
// order of surfaces along a ray stays.
namespace satdof {

// By how many diopters the focus of red, green and blue is nearer than the focus of the lens.
glm::vec3 focusShifts(const LensSettings& lens);

// The slope of the tilted plane of focus in 1 / m: 1 / z_f = 1 / S - slope . (x / z, y / z). A lens tilted by t hinges
// the plane of focus at f / sin(t) below itself (Merklinger 1996).
glm::vec2 tiltSlope(const LensSettings& lens, const SceneFacts& scene);

// The curvature c of the field: 1 / z_f = 1 / S + c q^2 at q pixels from the axis.
double fieldCurvaturePerPx2(const LensSettings& lens, const SceneFacts& scene);

// Whether lensSpace() changes settings or depth, alike in all channels: for a tilt, a curved field or an image as
// aperture.
inline bool needsLensSpace(const LensSettings& lens) {
  return lens.tiltXDegrees != 0.0f || lens.tiltYDegrees != 0.0f || lens.fieldCurvature != 0.0f ||
         !lens.apertureImage.none();
}

// Whether shaders/lens/channels.comp finishes the image: for axial or lateral colour, diffraction or vignetting.
bool drawsChannelsApart(const LensSettings& lens);

// The growth g of lateral colour: at q pixels from the axis, red is enlarged by 1 + g q^2 and blue by 1 - g q^2.
float lateralGrowth(const LensSettings& lens, const SceneFacts& scene);

// How much the second stop of cat's eyes darkens the image: 0 for not at all, 1 for by all the light that the stop
// cuts.
inline float drawnVignetting(const LensSettings& lens) { return lens.catEye > 0.0f ? lens.vignetting : 0.0f; }

// The input of a lens that draws these effects as a plain thin lens.
struct LensSpace {
  LensSettings lens;  // the aperture keeps its diameter
  SceneFacts scene;
  FocusSurface surface;  // changes the depth image: lensDepth() in shaders/lens/focus_surface.glsl
};
// `shift`: focus is nearer by so many diopters.
LensSpace lensSpace(LensSettings lens, const SceneFacts& scene, float shift = 0.0f);

// Tilts and focuses the lens so that three places are sharp: x and y in pixels from the axis, and the inverse distance
// in 1 / m. Returns an empty string, or the reason why the lens cannot.
std::string focusOnPlane(LensSettings& lens, int sensorPx, const std::array<glm::vec3, 3>& places);

// The vertical field of view in degrees of a camera that shows `degrees` focused at infinity: tan'/tan = (1 - f /
// S)^breathing.
float fieldOfViewDegrees(float degrees, const LensSettings& lens);

}  // namespace satdof
