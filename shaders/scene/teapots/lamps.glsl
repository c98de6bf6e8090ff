layout(std140, binding = 1) uniform Lamps {
  vec4 lamps[2 * 64];  // lamp i: centre and radius in lamps[2 i], radiance in lamps[2 i + 1]
};

const float kGlowReach = 8.0;  // half the side of the lit square on the ground, over the height of the lamp
