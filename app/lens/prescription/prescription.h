#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"

// A lens as its designer describes it: surfaces, glasses and stop. Rays through them give the settings of a lens.
namespace satdof {

// A surface c (x^2 + y^2 + (1 + k) z^2) = 2 z about the axis, with z from its vertex towards the image. Lengths in mm.
struct LensSurface {
  double curvature = 0.0;  // c, 1 / radius; above 0: the centre is on the side of the image
  double thickness = 0.0;  // to the next surface
  double index = 1.0;      // behind the surface, at the d line
  double abbe = 0.0;       // of the glass behind it; 0: unknown, or air
  double semi = 0.0;       // the clear radius
  double conic = 0.0;      // k
  bool stop = false;
};

struct Prescription {
  std::string title{}, source{};
  std::vector<LensSurface> surfaces{};  // from the scene to the image
};

// Reads a table in which a line is a surface: radius, thickness, index, diameter; or radius, thickness, index, Abbe number, diameter and,
// if it is aspheric, the conic constant; or what a line such as "columns: radius thickness index abbe semi-diameter" says. A radius of 0 or
// inf is a plane; an index of 0, 1 or - is air. The word "stop", in place of a radius or at the end, marks the stop; without it, the stop is
// the only plane in air. Lines "title:", "source:" and "scale:" may come before; # begins a comment. Throws UsageError, which names the line.
Prescription readPrescription(std::string_view text);

// The settings that draw most like the lens, wide open and focused at infinity where the spot on the axis is smallest. The mathematics is
// in fit.cpp. Throws UsageError if the lens forms no image.
struct LensFit {
  double focalLengthMm = 0.0, fNumber = 0.0;
  double backFocusMm = 0.0;  // from the last vertex to the paraxial image of distant points
  double spherical = 0.0;    // and below: in the units of LensSettings
  double catEye = 0.0, vignetting = 0.0, fieldCurvature = 0.0, breathing = 0.0;
  double axialColour = 0.0, lateralColour = 0.0;
  std::vector<std::string> notes;  // what these settings describe badly
};
LensFit fitLens(const Prescription& lens);

}  // namespace satdof
