#pragma once
#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/core/shot/shutter.h"
#include "app/run/capture.h"

namespace satdof {

// A frame of a film that is recorded.
struct FilmFrame {
  const Shot* shot;  // null: none
  double shotTimeS;  // time of the frame in the shot
  double timeS;      // animation time of the frame
  float framesPerSecond;
};

// Gives a capture the motion blur of `shutter`: sets CaptureOptions::moments to its images, at the middles of equal
// parts of the time that it is open. Each image has settings and camera of the shot, the focus of `settings` if the
// autofocus is on, and its part of the samples of the reference. Adds the text "Shutter", "180 degrees, 16 images,
// 24 frames a second, shot HASH", which identifies the motion blur of a film. Does nothing if the shutter does not
// open. Needs a current context.
void openShutter(CaptureOptions& options, const Shutter& shutter, const Settings& settings, const FilmFrame& frame);

}  // namespace satdof
