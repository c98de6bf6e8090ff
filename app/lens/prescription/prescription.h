#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"

// A lens as its designer describes it: surfaces, glasses and a stop. Rays traced through them give the settings of a
// lens.
namespace satdof {

// The surface c (x^2 + y^2 + (1 + k) z^2) = 2 z around the optical axis, with z from the vertex of the surface towards
// the image. Lengths in mm.
struct LensSurface {
  double curvature = 0.0;  // c, 1 / radius; positive if the centre is on the side of the image
  double thickness = 0.0;  // to the next surface
  double index = 1.0;      // refractive index behind the surface, at the d line
  double abbe = 0.0;       // Abbe number behind the surface; 0: unknown, or air
  double semi = 0.0;       // radius of the clear aperture
  double conic = 0.0;      // k
  bool stop = false;
};

struct Prescription {
  std::string title{}, source{};
  std::vector<LensSurface> surfaces{};  // from the scene to the image
};

// Reads a table with a line for each surface: radius, thickness, index, diameter; or radius, thickness, index, Abbe
// number, diameter and, for an aspheric surface, the conic constant. A line such as "columns: radius thickness index
// abbe semi-diameter" declares other columns. A radius of 0 or inf means a plane. An index of 0, 1 or - means air. The
// word "stop", in place of a radius or at the end of a line, marks the stop. Without it, the only plane in air is the
// stop. Lines "title:", "source:" and "scale:" may precede the table. # begins a comment. Throws UsageError, which
// names the line.
Prescription readPrescription(std::string_view text);

// LensSettings that approximate the images of a traced lens: wide open, focused at infinity where the spot on the axis
// is smallest. The mathematics is in fit.cpp. Throws UsageError if the lens forms no image.
struct LensFit {
  double focalLengthMm = 0.0, fNumber = 0.0;
  double backFocusMm = 0.0;  // from the last vertex to the paraxial image of distant points
  double spherical = 0.0;    // this and the following in the units of LensSettings
  double catEye = 0.0, vignetting = 0.0, fieldCurvature = 0.0, breathing = 0.0;
  double axialColour = 0.0, lateralColour = 0.0;
  std::vector<std::string> notes;  // properties of the lens that the settings describe badly
};
LensFit fitLens(const Prescription& lens);

}  // namespace satdof
