#ifdef PEEL
layout(binding = 3) uniform sampler2D behind;
// Keeps only what lies strictly behind a depth picture. Depth is linear in the picture, so half its change
// across the pixel bounds what the pixel's nearest sample saw of the same surface.
void peel() {
  float nearer = texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r;
  if (gl_FragCoord.z + 0.5 * fwidth(gl_FragCoord.z) >= nearer * (1.0 - 1e-5)) discard;
}
#else
void peel() {}
#endif
