// Sprites, prepared for shaders/bokeh/add.comp, and the bins: squares of pixels with a list each of the sprites that
// reach them.
#include "shaders/bokeh/sprite_rule.glsl"
layout(std430, binding = 0) restrict readonly buffer Command { uint command[]; };  // see shaders/bokeh/bokeh.h
layout(std430, binding = 1) restrict buffer Prepared {  // the members of PreparedSprite
  vec4 places[CAPACITY];
  vec4 lights[CAPACITY];
  vec4 shapes[CAPACITY];
};
layout(std430, binding = 2) restrict buffer Bins {
  uint counts[MOST_BINS];
  uint indices[INDICES];  // `listLength` of each bin; without a list if the bin has more sprites
};

uint spriteCount() { return command[1]; }
layout(std140, binding = 0) uniform Rule { SpriteRule rule; };
layout(std140, binding = 1) uniform BinRule {  // SpriteBins in shaders/bokeh/bins.h, and the length of a list
  int binSide, binColumns, binCount;
  uint listLength;
};
