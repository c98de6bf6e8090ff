#pragma once
#include "app/core/settings.h"
#include "app/core/shot.h"
#include "app/core/shutter.h"
#include "app/run/capture.h"

namespace satdof {

// A frame of a film.
struct FilmFrame {
  const Shot* shot;         // null: none
  double shotTimeS, timeS;  // in the shot; of the animation
  float framesPerSecond;
};

// Captures a frame while the shutter is open, if it opens. The images are in the middles of equal parts of that time, with settings and
// camera of the shot; the autofocus keeps the focus of `settings`, and the reference divides its samples among them. The text "Shutter"
// says what decides the images of all frames: "180 degrees, 16 images, 24 frames a second, shot HASH". Needs a current context.
void openShutter(CaptureOptions& options, const Shutter& shutter, const Settings& settings,
                 const FilmFrame& frame);

}  // namespace satdof
