const int kMaxShadows = 5;
layout(std140, binding = 4) uniform Shadow {  // app/scene/model/ground.h
  vec3 low;  // corners of the shadows' part of the ground
  float heightM;
  vec3 high;
  float skyLevel;
  vec4 lights[kMaxShadows];    // where a light is, w 1; or towards it, w 0. The first is the environment's
  vec4 sources[kMaxShadows];   // radius of its half shadow in lengths of the ray; lamp, below 0: none
  ivec4 shadowCount;
};
