layout(std140, binding = 1) uniform Lamps {
  vec4 lamps[2 * 64];  // centre and radius; radiance
};

const float kGlowReach = 8.0;  // half the side of the lit square on the ground, over the height of the lamp
