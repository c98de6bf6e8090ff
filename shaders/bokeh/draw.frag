#version 450 core
layout(binding = 1) uniform sampler2D depth;
float depthAt(ivec2 pixel) { return texelFetch(depth, pixel, 0).x; }
vec4 depthsAt(ivec2 pixel) { return textureGather(depth, (vec2(pixel) + 1.0) / vec2(textureSize(depth, 0))).wzxy; }
#include "shaders/bokeh/panes.glsl"
#include "shaders/bokeh/sprite.glsl"

uniform ThinLens lens;
uniform int blades;
uniform float turn;
uniform bool scattered;  // the near field
uniform float nearest;   // radius of the nearest surface
uniform float margin;    // see reachingPart()
flat in vec3 place;
flat in vec3 variance;
flat in vec3 light;
flat in int hidden;
layout(location = 0) out vec4 colour;

void main() {
  vec2 p = gl_FragCoord.xy;
  float coverage = apertureCoverage(Aperture(blades, turn, lens.anamorphicRatio), p - place.xy, place.z, variance);
  if (coverage <= 0.0) discard;
  ivec2 size = textureSize(depth, 0);
  float visible = 1.0;
  if (!scattered)
    visible = visiblePart(lens, size, p, signedRadius(lens, depthAt(ivec2(p))), place.xy, place.z);
  else if (hidden != 0)
    visible = reachingPart(lens, p, place.xy, variance, place.z, nearest, margin);
  if (panes && visible > 0.0 && place.z >= 0.0) visible *= passingPanes(lens, p, place.xy, place.z);
  colour = vec4(light * (coverage * visible), 0.0);
}
