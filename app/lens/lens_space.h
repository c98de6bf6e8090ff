#pragma once
#include <array>
#include <string>

#include "app/core/settings.h"
#include "app/device/scene_facts.h"
#include "shaders/lens/focus_surface.h"

// Tilt, field curvature and shifted focus replace 1/S by 1/z_f(p) = 1/S + a term of the pixel p. R = K S (1/z_f(p) - 1/z) is a sum of
// both, so the term is moved into the depth of the pixel (docs/optics.md): every lens draws these effects as a plain thin lens, on every
// device, with all its bounds. Order along a ray stays the same.
namespace satdof {

// How focus differs between the channels of an image, in diopters: red, green, blue.
glm::vec3 focusShifts(const LensSettings& lens);

// The slope of 1 / z_f in 1 / m for a point of tangent 1 (x / z, y / z): 1 / z_f = 1 / S - slope . tangent. A lens tilted by t hinges
// the plane of focus at f / sin(t) below itself (Merklinger 1996).
glm::vec2 tiltSlope(const LensSettings& lens, const SceneFacts& scene);

// 1 / z_f = 1 / S + this times the squared distance in pixels from the axis.
double fieldCurvaturePerPx2(const LensSettings& lens, const SceneFacts& scene);

// Whether a lens draws with other settings or another depth than the scene's, alike in all channels: tilt, curved field, or an image of
// the aperture.
inline bool needsLensSpace(const LensSettings& lens) {
  return lens.tiltXDegrees != 0.0f || lens.tiltYDegrees != 0.0f || lens.fieldCurvature != 0.0f ||
         !lens.apertureImage.none();
}

// Whether the channels of an image have their own size, or focus at their own distance, or dark corners.
bool drawsChannelsApart(const LensSettings& lens);

// By how much red is larger than green, and blue smaller, at the distance of q pixels from the axis: 1 + this q^2.
float lateralGrowth(const LensSettings& lens, const SceneFacts& scene);

// The part of the light cut by cat's eyes that the image loses.
inline float drawnVignetting(const LensSettings& lens) { return lens.catEye > 0.0f ? lens.vignetting : 0.0f; }

// What a lens gets: the depth of `surface`, these facts, and these settings, whose aperture has the same diameter. `shift`: focus is nearer
// by so many diopters.
struct LensSpace {
  LensSettings lens;
  SceneFacts scene;
  FocusSurface surface;
};
LensSpace lensSpace(LensSettings lens, const SceneFacts& scene, float shift = 0.0f);

// Tilts and focuses the lens so that three places are sharp: x and y in pixels from the axis, and inverse distance in 1 / m. Returns why
// it cannot; empty: it did.
std::string focusOnPlane(LensSettings& lens, int sensorPx, const std::array<glm::vec3, 3>& places);

// The vertical field of view in degrees of a camera that shows `degrees` focused at infinity: tan'/tan = (1 - f / S)^breathing.
float fieldOfViewDegrees(float degrees, const LensSettings& lens);

}  // namespace satdof
