#include "shaders/scene/camera.glsl"
#ifdef SIDE
uniform vec4 side;  // Pinhole::behindFocus(); negated to keep the geometry in front of the focus plane
#endif

// All variants of a program must give equal positions: the images of a frame show the same surfaces.
invariant gl_Position;

// World to clip space. SIDE clips at the focus plane. A decal `raisedM` metres above the ground is clipped like the
// ground behind it, which is e / (e - raisedM) times as far from an eye at height e.
vec4 project(vec3 position, float raisedM) {
  vec4 clip = worldToClip * vec4(position, 1.0);
#ifdef SIDE
  gl_ClipDistance[0] = (side.z * clip.w + dot(side.xy, clip.xy)) * eye.y / (eye.y - raisedM) + side.w;
#endif
  return clip;
}
