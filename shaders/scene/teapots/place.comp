#version 450 core
// Writes an instance for each teapot of the draw lists, detail by detail.
layout(local_size_x = THREADS) in;
#include "shaders/scene/lighting.glsl"
#include "shaders/scene/teapots/draws.glsl"
#include "shaders/scene/teapots/lamps.glsl"

struct Teapot {
  vec4 position;  // centre of the bottom
  vec4 glaze, ornament;
  dvec2 turn;  // turns at time 0, turns per second
};
struct Instance {  // the instance attributes of teapot.vert
  vec4 placement, glaze, ornament, lamp, intensity;
};
layout(std430, binding = 2) readonly buffer Teapots { Teapot teapots[]; };
layout(std430, binding = 3) writeonly buffer Instances { Instance instances[]; };
layout(std140, binding = 2) uniform Moment {
  double timeS;
  float centreYM;  // of the bounding sphere of a teapot
  uint lampCount;
};

void main() {
  uint place = gl_GlobalInvocationID.x;
  if (place >= shadows) return;
  uint detail = 0u;
  while (detail + 1u < uint(DETAILS) && place >= draws[detail + 1u].baseInstance) ++detail;
  Teapot teapot = teapots[drawLists[MAX_TEAPOTS * detail + place - draws[detail].baseInstance]];

  // Double precision: timeS may be days.
  float angle = 2.0 * kPi * float(fract(teapot.turn.x + teapot.turn.y * timeS));
  Instance instance = Instance(vec4(teapot.position.xyz, cos(angle)), vec4(teapot.glaze.rgb, sin(angle)),
                               teapot.ornament, vec4(0.0, -1.0, 0.0, 1.0), vec4(0.0));
  // The brightest lamp lights the teapot: the largest intensity pi r^2 L over the squared distance.
  float strongest = 0.0;
  vec3 centre = teapot.position.xyz + vec3(0.0, centreYM, 0.0);
  for (uint i = 0u; i < lampCount; ++i) {
    vec4 lamp = lamps[2u * i];
    vec3 intensity = kPi * lamp.w * lamp.w * lamps[2u * i + 1u].rgb;
    vec3 apart = lamp.xyz - centre;
    float strength = intensity.g / dot(apart, apart);
    if (strength <= strongest) continue;
    strongest = strength;
    instance.lamp = vec4(lamp.xyz, 1.0);
    instance.intensity = vec4(intensity, 0.0);
  }
  instances[place] = instance;
}
