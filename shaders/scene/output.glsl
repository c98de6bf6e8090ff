// Outputs of the fragment shaders of scenes. Macros: PEEL, LAYER.
layout(location = 0) out vec4 colour;
#ifdef LAYER
#include "shaders/lens/focus_surface.glsl"
layout(location = 1) out vec4 layerDepth;  // see finishLayer()
layout(std140, binding = 4) uniform Layer {  // app/scene/model/model_scene.cpp
  FocusSurface focusSurface;
  vec2 part;  // (1, d): draws fragments with a depth of at least d - bendAt(); (-1, d): the others
};
float depth;
#else
layout(location = 1) out float depth;  // of opaque surfaces; masked in draws of blended surfaces
#endif
#ifdef PEEL
#include "shaders/scene/separation.glsl"
layout(binding = 3) uniform sampler2D behind;
#endif

// Call first in main(): writes the depth, and discards fragments outside the layer (LAYER) or in front of the depth
// image `behind` (PEEL). `behind` holds the nearest sample of a pixel: depth is linear in the image, so half its change
// across the pixel bounds the nearest sample of the same surface.
void beginFragment() {
#ifdef PEEL
  float nearer = texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r;
  if (gl_FragCoord.z + 0.5 * fwidth(gl_FragCoord.z) >= nearer * (1.0 - kSeparation)) discard;
#endif
#ifdef LAYER
  float bend = bendAt(focusSurface, gl_FragCoord.xy);
  if ((gl_FragCoord.z + bend >= part.y) != (part.x > 0.0)) discard;
#endif
  depth = gl_FragCoord.z;
}

#ifdef LAYER
// Call last in main(): premultiplies the depth by alpha, so blending weights depths like colours.
void finishLayer() { layerDepth = vec4(depth, 0.0, 0.0, 1.0) * colour.a; }
#endif
