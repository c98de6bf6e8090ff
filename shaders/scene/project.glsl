#include "shaders/scene/camera.glsl"
#ifdef SIDE
uniform vec4 side;  // Pinhole::behindFocus(), times -1 to keep what is in front of the focus plane
#endif

// Variants of a program must give equal bits: several images of a frame share surfaces.
invariant gl_Position;

// World to clip space. A decal `raisedM` metres above the ground is clipped where the ground behind it is clipped: from
// an eye at height e, the ground is e / (e - raisedM) times as far away.
vec4 project(vec3 position, float raisedM) {
  vec4 clip = worldToClip * vec4(position, 1.0);
#ifdef SIDE
  gl_ClipDistance[0] = (side.z * clip.w + dot(side.xy, clip.xy)) * eye.y / (eye.y - raisedM) + side.w;
#endif
  return clip;
}
