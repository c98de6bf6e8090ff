#pragma once
#include "app/device/scene_facts.h"
#include "app/gl/objects.h"

namespace satdof {

// How the image of a scene is displayed. The default is a scene in linear light: the filmic tone curve, all pixels.
struct SceneLook {
  // A photograph already has the tone curve of its camera: light up to highlightsFrom is displayed unchanged, light
  // from there to `highlights` is compressed to at most 1 (shoulder() in shaders/common/tone.glsl).
  bool photograph = false;
  float highlights = 1.0f, highlightsFrom = 1.0f;
  // Pixels outside [shownFrom, shownTo) are displayed black. A scene draws them so that the blur does not darken at the
  // border.
  glm::ivec2 shownFrom{0}, shownTo{1 << 30};
  bool operator==(const SceneLook&) const = default;
};

// A drawn image: one sample a pixel, row 0 at the bottom.
struct SceneFrame : SceneFacts {
  // GL_RGBA16F, linear light, no NaN. Alpha is 1, or 0 where the scene has no data.
  const gl::Texture* colour = nullptr;
  // GL_R32F, nearM / z of the pixel's nearest sample: 1 at the near plane, 0 at infinity.
  const gl::Texture* depth = nullptr;
  SceneLook look{};
  // As colour, but without blended surfaces. Null if the scene has none. `depth` never contains blended surfaces.
  const gl::Texture* opaque = nullptr;
  // A live photograph draws mixed pixels for a blur of earlier frames while the blur changes: draw another frame.
  bool isDraft = false;
};

// Blended surfaces, which let light through: those in front of or behind the focus plane.
struct BlendedLayer {
  // GL_RGBA16F, premultiplied. Alpha is the opacity: the part of the light behind that is lost.
  const gl::Texture* colour = nullptr;
  // GL_RGBA16F: the sum of weight * nearM / z over the surfaces, 0, 0, and the sum of weights, which equals alpha of
  // colour.
  const gl::Texture* depth = nullptr;
};

}  // namespace satdof
