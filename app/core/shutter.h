#pragma once

namespace satdof {

// Motion blur of films: a frame is the mean of images while the shutter is open, from the time of the frame on.
struct Shutter {
  static constexpr int kMostSamples = 1024;
  float angleDegrees = 0;  // the part of a frame's time, of 360, that it is open; 0: the frame is one image
  int samples = 16;        // images
  bool opens() const { return angleDegrees > 0; }
  bool operator==(const Shutter&) const = default;
};

}  // namespace satdof
