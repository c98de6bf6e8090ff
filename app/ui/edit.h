#pragma once
#include "app/ui/session.h"

// What keys and mouse do to the settings, free of any window.
namespace satdof {

// Puts every number into the range that settings_fields.h gives it.
void clampToRanges(Settings& settings);

// Turns the camera around its target.
void orbit(CameraSettings& camera, float yawDegrees, float pitchDegrees);

// Moves the camera and its target so that what is seen at the target's distance moves by `fraction` of the
// image's height, right and up.
void pan(CameraSettings& camera, glm::vec2 fraction);

// Moves the camera closer by a tenth for each step.
void zoom(CameraSettings& camera, float steps);

// Moves the focus evenly in diopters, which is an even change of blur; positive steps go further away.
void moveFocus(LensSettings& lens, float steps);

// Multiplies the f-number by 2^(steps / 6): a third of a stop each.
void moveFNumber(LensSettings& lens, int steps);

// The next entry that can run here, in the order of entries().
void cycle(DeviceId& device);
void cycle(Scan& scan);
void cycle(TableFormat& format);
void cycle(LensKind& lens);

}  // namespace satdof
