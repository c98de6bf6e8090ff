// The prescription of a lens. If the lens forms an image, the fitted settings are finite and in range.
#include "app/lens/prescription/prescription.h"

#include <cmath>

#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const LensFit fit = fitLens(readPrescription(fuzz::textOf(data, size)));
    fuzz::require(fit.focalLengthMm > 0.0 && fit.backFocusMm > 0.0, "the image is behind the lens");
    fuzz::require(fit.catEye >= 0.0 && fit.catEye <= 1.5 && fit.vignetting >= 0.0 && fit.vignetting <= 1.0,
                  "cat's eyes and vignetting are within their ranges");
    for (const double each : {fit.focalLengthMm, fit.fNumber, fit.spherical, fit.fieldCurvature, fit.breathing,
                              fit.axialColour, fit.lateralColour})
      fuzz::require(std::isfinite(each), "settings are finite");
    for (const std::string& note : fit.notes) fuzz::requireReadable(note);
  } catch (const UsageError& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
