#version 450 core
#include "shaders/scene/bodies/colour.glsl"

layout(location = 0) in vec4 position;  // w: mass
layout(location = 1) in vec4 velocity;

layout(std140, binding = 1) uniform Points {  // app/scene/bodies/bodies.cpp
  mat4 toClip;
  vec2 size;
  float sinceStep, radiusPx, nearestM, largestPointPx, medianMass;
  int byMass;
};
#ifdef SIDE
uniform vec4 side;  // as in shaders/scene/project.glsl
#endif

flat out vec2 centrePx;
flat out float discPx;  // radius
flat out vec3 light;

const float kMaxDiscPx = 1000.0;

// Draws a body as a point sprite that covers whole pixels: it is centred on a pixel and has an odd side. A disc whose
// centre is outside the image is drawn as a larger sprite around the nearest pixel of the image.
void main() {
  vec4 clip = toClip * vec4(position.xyz + velocity.xyz * sinceStep, 1.0);
  float distanceM = clip.w;
  float massRatio = position.w / medianMass;
  float trueRadiusPx = radiusPx * sqrt(clamp(massRatio, 0.05, 12.0)) / distanceM;
  discPx = clamp(trueRadiusPx, 0.5, min(kMaxDiscPx, 0.5 * largestPointPx - 2.0));
  centrePx = (clip.xy / clip.w * 0.5 + 0.5) * size;
  vec2 pixel = clamp(floor(centrePx), vec2(0.0), size - 1.0) + 0.5;
  vec2 apart = abs(centrePx - pixel);
  float reach = max(apart.x, apart.y) + discPx + 0.5;
  gl_PointSize = 2.0 * ceil(min(reach, 0.5 * largestPointPx - 1.0) - 0.5) + 1.0;

  float fade = smoothstep(nearestM, 1.25 * nearestM, distanceM);
  float dimmed = trueRadiusPx * trueRadiusPx / (discPx * discPx + 1.0 / 12.0);
  light = bodyColour(length(velocity.xyz), massRatio, byMass != 0) * (min(dimmed, 1.0) * fade);
  bool outside = distanceM <= nearestM || any(greaterThan(apart, vec2(discPx + 1.0)));
#ifdef SIDE
  gl_ClipDistance[0] = side.z * distanceM + dot(side.xy, clip.xy) + side.w;
#endif
  gl_Position = outside ? vec4(2.0, 2.0, 2.0, 1.0) : vec4((pixel / size * 2.0 - 1.0) * clip.w, clip.zw);
}
