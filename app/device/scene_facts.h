#pragma once
#include <glm/vec2.hpp>

namespace satdof {

// Where a part of an image lies.
struct ImagePart {
  glm::ivec2 from{0};   // its lowest left pixel in the whole image
  glm::ivec2 whole{0};  // size of the whole image; 0: the image is no part
  bool operator==(const ImagePart&) const = default;
};

// The numbers of a drawn image that a lens plans with, without OpenGL.
struct SceneFacts {
  glm::ivec2 size{0};      // pixels
  float focalPx = 1.0f;    // a point x metres off the axis, z metres away, is focalPx * x / z pixels off it
  float nearM = 0.1f;      // near plane
  float nearestM = 0.1f;   // lower bound of all distances in the image, at least nearM
  glm::ivec2 whole{0};     // of a part of an image: size of the whole image; 0: this is no part
  glm::ivec2 from{0};      // its lowest left pixel in the whole image
  glm::vec2 axisPx{0.0f};  // where the optical axis meets the whole image, from the bottom left
  // Height of a photograph with bars above and below it, in the whole image; 0: there are no bars.
  int photographPx = 0;
  bool sparse = false;  // only small surfaces, apart from each other, before a sky at infinity

  glm::ivec2 wholeSize() const { return whole == glm::ivec2(0) ? size : whole; }
  // Pixels of the whole image that are as high as the sensor.
  int sensorPx() const { return photographPx == 0 ? wholeSize().y : photographPx; }
};

}  // namespace satdof
