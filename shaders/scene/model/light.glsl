// Light of the environment and of lamps on a metallic-roughness surface.
#include "shaders/scene/environment.glsl"
#include "shaders/scene/fresnel.glsl"

layout(std140, binding = 3) uniform Lamps {  // LampBlock in app/scene/model/lamps.h
  vec4 lampPositions[16];  // w: 0 directional (xyz towards the light), 1 point or spot
  vec4 lampColours[16];    // irradiance or intensity; w: 1 / range^2, 0 for infinite
  vec4 lampDirections[16]; // axis of a spot; w: cosine of the outer cone, below -1 for a point
  vec4 lampCones[16];      // x: cosine of the inner cone
  ivec4 lampCount;
};

// Scale and bias of F0 in the split-sum approximation of environment lighting (fit by Karis 2014).
vec2 environmentBrdf(float roughness, float nv) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
  return vec2(-1.04, 1.04) * a + r.zw;
}

// Radiance towards v of light from l: Lambert, and GGX with the height-correlated visibility of Smith (Heitz 2014).
vec3 reflectedLight(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 f0, float roughness, vec3 irradianceFromL) {
  float nl = dot(n, l);
  if (nl <= 0.0) return vec3(0.0);
  float a = max(roughness * roughness, 0.002), a2 = a * a;
  vec3 h = normalize(v + l);
  float nh = max(dot(n, h), 0.0), nv = max(dot(n, v), 1e-3), vh = max(dot(v, h), 0.0);
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float visibility = 0.5 / max(nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-5);
  vec3 f = f0 + (1.0 - f0) * schlickWeight(vh);
  return ((1.0 - f) * diffuse / kPi + f * (a2 / (kPi * d * d) * visibility)) * irradianceFromL * nl;
}

// Irradiance of lamp i at `position` on a surface that faces the lamp, and the direction `l` towards the lamp. Point
// lights fall off as 1 / r^2 times the window of KHR_lights_punctual at their range.
vec3 lampLight(int i, vec3 position, out vec3 l) {
  vec4 at = lampPositions[i], colour = lampColours[i];
  if (at.w == 0.0) {
    l = at.xyz;
    return colour.rgb;
  }
  vec3 to = at.xyz - position;
  float square = max(dot(to, to), 1e-4);
  l = to * inversesqrt(square);
  float window = clamp(1.0 - square * square * colour.w * colour.w, 0.0, 1.0);
  float outer = lampDirections[i].w;
  float cosine = dot(-l, lampDirections[i].xyz);
  float spot = outer < -1.0 ? 1.0 : clamp((cosine - outer) / max(lampCones[i].x - outer, 1e-4), 0.0, 1.0);
  return colour.rgb * (window * spot * spot / square);
}
