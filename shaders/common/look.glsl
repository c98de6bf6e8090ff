#include "shaders/common/tone.glsl"

// How a scene's image is displayed: SceneLook in app/device/scene_frame.h.
struct Look {  // ToneLook in app/device/gl/uniforms.h
  vec2 highlights;
  int photograph;
};

vec3 lookToneMapped(Look look, vec3 v) {
  return look.photograph != 0 ? shouldered(v, look.highlights.x, look.highlights.y) : toneMapped(v);
}
