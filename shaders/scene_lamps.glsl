layout(std140, binding = 1) uniform Lamps {
  vec4 lamps[2 * 64];  // centre and radius; radiance
};
