// Light of the environment and of lamps on a metallic-roughness surface.
const float kPi = 3.14159265;

layout(std140, binding = 2) uniform Light {
  vec4 irradiance[9];     // of the environment, over pi: spherical harmonics up to l = 2
  vec4 environment;       // cosine and sine of its turn, strength, levels of `mirrored` - 1
  vec4 lampPositions[16];  // w: 0 directional (xyz towards the light), 1 point or spot
  vec4 lampColours[16];    // irradiance or intensity; w: 1 / range^2, 0 for infinite
  vec4 lampDirections[16]; // axis of a spot; w: cosine of the outer cone, below -1 for a point
  vec4 lampCones[16];      // x: cosine of the inner cone
  ivec4 lampCount;
};
layout(binding = 8) uniform sampler2D mirrored;  // by direction; one level for each roughness

// World to the directions of the environment's image, and its coordinates.
vec3 turned(vec3 d) { return vec3(environment.x * d.x - environment.y * d.z, d.y, environment.y * d.x + environment.x * d.z); }
vec2 skyCoordinates(vec3 d) { return vec2(atan(d.x, -d.z) / (2.0 * kPi) + 0.5, acos(clamp(d.y, -1.0, 1.0)) / kPi); }

vec3 irradianceOverPi(vec3 world) {
  vec3 n = turned(world);
  vec3 sum = irradiance[0].rgb * 0.282095 + irradiance[1].rgb * (0.488603 * n.y) + irradiance[2].rgb * (0.488603 * n.z) +
             irradiance[3].rgb * (0.488603 * n.x) + irradiance[4].rgb * (1.092548 * n.x * n.y) +
             irradiance[5].rgb * (1.092548 * n.y * n.z) + irradiance[6].rgb * (0.315392 * (3.0 * n.z * n.z - 1.0)) +
             irradiance[7].rgb * (1.092548 * n.x * n.z) + irradiance[8].rgb * (0.546274 * (n.x * n.x - n.y * n.y));
  return max(sum, 0.0) * environment.z;
}

vec3 mirroredLight(vec3 world, float roughness) {
  return textureLod(mirrored, skyCoordinates(turned(world)), roughness * environment.w).rgb * environment.z;
}

// Scale and bias of F0 for light from everywhere (Karis 2014).
vec2 environmentBrdf(float roughness, float nv) {
  vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * nv)) * r.x + r.y;
  return vec2(-1.04, 1.04) * a + r.zw;
}

// Reflected radiance of light from l: Lambert and GGX with the visibility of Smith, correlated (Heitz 2014).
vec3 reflectedLight(vec3 n, vec3 v, vec3 l, vec3 diffuse, vec3 f0, float roughness, vec3 irradianceFromL) {
  float nl = dot(n, l);
  if (nl <= 0.0) return vec3(0.0);
  float a = max(roughness * roughness, 0.002), a2 = a * a;
  vec3 h = normalize(v + l);
  float nh = max(dot(n, h), 0.0), nv = max(dot(n, v), 1e-3), vh = max(dot(v, h), 0.0);
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float visibility = 0.5 / max(nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2), 1e-5);
  vec3 f = f0 + (1.0 - f0) * exp2((-5.55473 * vh - 6.98316) * vh);
  return ((1.0 - f) * diffuse / kPi + f * (a2 / (kPi * d * d) * visibility)) * irradianceFromL * nl;
}

// The irradiance at `position` from lamp i, at a right angle to `l`.
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
  float spot = outer < -1.0 ? 1.0 : clamp((dot(-l, lampDirections[i].xyz) - outer) / max(lampCones[i].x - outer, 1e-4), 0.0, 1.0);
  return colour.rgb * (window * spot * spot / square);
}
