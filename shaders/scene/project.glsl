#ifdef SIDE
uniform vec2 side;  // -1, S keeps what is before the focus plane at distance S; 1, -S what is behind it
#endif

// To clip space. What lies `raised` metres above the ground is kept where the ground that is seen through it is kept:
// (e - raised) / e times as far from an eye at height e.
vec4 project(vec3 position, float raised) {
  vec4 clip = worldToClip * vec4(position, 1.0);
#ifdef SIDE
  gl_ClipDistance[0] = side.x * clip.w * eye.y / (eye.y - raised) + side.y;
#endif
  return clip;
}
