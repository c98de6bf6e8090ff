layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;  // of opaque things; masked off while others are drawn
#ifdef PEEL
layout(binding = 3) uniform sampler2D behind;
#endif

// First in main(). Peeling keeps only what lies strictly behind a depth image. Depth is linear in the image, so
// half its change across the pixel bounds what the pixel's nearest sample saw of the same surface.
void beginFragment() {
#ifdef PEEL
  float nearer = texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r;
  if (gl_FragCoord.z + 0.5 * fwidth(gl_FragCoord.z) >= nearer * (1.0 - 1e-5)) discard;
#endif
  depth = gl_FragCoord.z;
}
