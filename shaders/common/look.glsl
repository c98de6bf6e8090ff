#include "shaders/common/tone.glsl"

// The tone curve of a scene's images: SceneLook in app/device/scene_frame.h.
uniform bool photograph;
uniform vec2 highlights;  // from, to

vec3 lookToneMapped(vec3 v) {
  return photograph ? shouldered(v, highlights.x, highlights.y) : toneMapped(v);
}
