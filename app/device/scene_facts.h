#pragma once
#include <glm/vec2.hpp>

namespace satdof {

// Where a part of an image lies.
struct ImagePart {
  glm::ivec2 from{0};   // position of its lower left pixel in the whole image
  glm::ivec2 whole{0};  // size of the whole image; 0: the image is whole
  bool operator==(const ImagePart&) const = default;
};

// The properties of a drawn image from which a lens plans a frame, without OpenGL.
struct SceneFacts {
  glm::ivec2 size{0};      // pixels
  float focalPx = 1.0f;    // a point x metres off the axis at distance z is focalPx * x / z pixels off the axis
  float nearM = 0.1f;      // near plane
  float nearestM = 0.1f;   // lower bound of all distances in the image, at least nearM
  glm::ivec2 whole{0};     // size of the whole image, if this is a part (ImagePart); else 0
  glm::ivec2 from{0};      // position of the lower left pixel in the whole image
  glm::vec2 axisPx{0.0f};  // where the optical axis meets the whole image, from the bottom left
  int photographPx = 0;    // height of a photograph with bars above and below; 0: there are no bars
  bool sparse = false;     // the scene has only small, separate surfaces in front of a sky at infinity

  // The size of the whole image.
  glm::ivec2 wholeSize() const { return whole == glm::ivec2(0) ? size : whole; }
  // The height of the sensor in pixels.
  int sensorPx() const { return photographPx == 0 ? wholeSize().y : photographPx; }
};

}  // namespace satdof
