#pragma once
#include "app/ui/session.h"

// Edits of the settings by keys and mouse. Needs no window.
namespace satdof {

// Clamps every number to its range in app/core/fields.h.
void clampToRanges(Settings& settings);

// Turns the camera around its target.
void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees);

// Moves the camera and its target. The image at the target's distance moves right and up by `fraction` of the
// image's height.
void pan(CameraSettings& camera, glm::vec2 fraction);

// Divides the camera distance by 1.1 for each step.
void zoom(CameraSettings& camera, float steps);

// Moves the focus away from the camera by 0.02 diopters for each step and stops the autofocus. Equal steps in
// diopters change the blur by equal amounts.
void moveFocus(LensSettings& lens, float steps);

// Multiplies the f-number by 2^(steps / 6): one third of a stop for each step.
void moveFNumber(LensSettings& lens, int steps);

// Select the next available entry in the order of entries(). Need a current context.
void cycle(DeviceId& device);
void cycle(Scan& scan);
void cycle(TableFormat& format);
void cycle(LensKind& lens);

}  // namespace satdof
