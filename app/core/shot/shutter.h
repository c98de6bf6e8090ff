#pragma once

namespace satdof {

// Motion blur of films: a frame is the mean of images from the time of the frame until the shutter closes.
struct Shutter {
  static constexpr int kMaxSamples = 1024;
  float angleDegrees = 0;  // 360: open until the next frame; 0: the frame is one image
  int samples = 16;        // images a frame
  bool opens() const { return angleDegrees > 0; }
  bool operator==(const Shutter&) const = default;
};

}  // namespace satdof
