// Sprites, prepared for shaders/bokeh/add.comp, and the bins: squares of pixels with a list each of the sprites that
// reach them.
layout(std430, binding = 0) restrict readonly buffer Command { uint command[]; };  // see shaders/bokeh/bokeh.h
layout(std430, binding = 1) restrict buffer Prepared {
  vec4 places[CAPACITY];  // centre, signed radius, apertureReach()
  vec4 lights[CAPACITY];  // of each covered pixel; whether a surface may hide a part
  vec4 shapes[CAPACITY];  // variance along x, covariance, variance along y; apertureSolid()
};
layout(std430, binding = 2) restrict buffer Bins {
  uint counts[MOST_BINS];
  uint indices[INDICES];  // `listLength` of each bin; without a list if the bin has more sprites
};

uint spriteCount() { return command[1]; }
