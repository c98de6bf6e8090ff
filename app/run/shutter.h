#pragma once
#include <string>
#include <vector>

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

// Returns the images of a frame, in the middles of equal parts of the time that the shutter is open, with settings and camera
// of the shot at that time. The autofocus keeps the focus of `settings`. The reference divides its samples among the
// images. Needs a current context.
std::vector<Moment> momentsOf(const Shutter& shutter, const Settings& settings, const FilmFrame& frame);

// What decides the images of all frames, for their texts: "180 degrees, 16 images, 24 frames a second, shot HASH". `shot`: may be null.
std::string shutterText(const Shutter& shutter, const Shot* shot, float framesPerSecond);

}  // namespace satdof
