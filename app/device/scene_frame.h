#pragma once
#include "app/device/scene_facts.h"
#include "app/gl/objects.h"

namespace satdof {

// How the image of a scene is displayed. The default is a scene in linear light: the filmic tone curve, all pixels.
struct SceneLook {
  // Of a photograph, which has the tone curve of its camera: light up to `highlightsFrom` is displayed as it is, light
  // up to `highlights` is compressed to at most 1 (shoulder() in shaders/common/tone.glsl).
  bool photograph = false;
  float highlights = 1.0f, highlightsFrom = 1.0f;
  // Pixels outside are black. What a scene draws there only keeps the blur from getting dark at the border.
  glm::ivec2 shownFrom{0}, shownTo{1 << 30};
  bool operator==(const SceneLook&) const = default;
};

// A drawn image: one sample a pixel, row 0 at the bottom.
struct SceneFrame : SceneFacts {
  // GL_RGBA16F, linear light, no NaN. Alpha is 1, or 0 where nothing is known.
  const gl::Texture* colour = nullptr;
  // GL_R32F, nearM / z of the pixel's nearest sample: 1 at the near plane, 0 at infinity.
  const gl::Texture* depth = nullptr;
  SceneLook look{};
  // As colour, without the surfaces that let light through; null: there are none. Depth never has them.
  const gl::Texture* opaque = nullptr;
};

// The surfaces of a frame that let light through, on one side of a plane.
struct BlendedLayer {
  const gl::Texture* colour =
      nullptr;  // GL_RGBA16F, premultiplied; alpha is the part of the light behind that is lost
  const gl::Texture* depth =
      nullptr;  // GL_RGBA16F: sum of weight * nearM / z, 0, 0, sum of weights = alpha of colour
};

}  // namespace satdof
