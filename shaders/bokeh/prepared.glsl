// The prepared sprites and the bins of shaders/bokeh/add.comp. Bins are squares of pixels, each with a list of the
// sprites that reach it.
#include "shaders/bokeh/sprite_rule.glsl"
layout(std430, binding = 0) restrict readonly buffer Command { uint command[]; };  // see shaders/bokeh/bokeh.h
layout(std430, binding = 1) restrict buffer Prepared {  // the members of PreparedSprite
  vec4 places[CAPACITY];
  vec4 lights[CAPACITY];
  vec4 shapes[CAPACITY];
};
layout(std430, binding = 2) restrict buffer Bins {
  uint counts[MOST_BINS];  // of the sprites that reach the bin
  uint indices[INDICES];   // `listLength` entries for each bin; incomplete if the count is larger
};

uint spriteCount() { return command[1]; }
layout(std140, binding = 0) uniform Rule { SpriteRule rule; };
layout(std140, binding = 1) uniform BinRule {  // SpriteBins in shaders/bokeh/bins.h, and the length of a list
  int binSide, binColumns, binCount;
  uint listLength;
};
