layout(std140, binding = 1) uniform Lamps {
  vec4 lamps[2 * 64];  // centre and radius; radiance
};

const float kGlowReach = 8.0;  // half the side of the square that a lamp lights on the ground, in its heights
