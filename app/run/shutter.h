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

// "180 degrees, 16 images", for the texts of captures.
std::string shutterText(const Shutter& shutter);

}  // namespace satdof
