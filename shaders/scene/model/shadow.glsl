const int kMaxShadows = 5;
layout(std140, binding = 4) uniform Shadow {  // app/scene/model/ground.h
  vec3 low;  // low and high: corners of the shadow maps on the ground
  float heightM;  // of the model
  vec3 high;
  float skyLevel;             // level of detail of the sky
  // Position, w = 1; or direction towards the light, w = 0. The first light is the environment.
  vec4 lights[kMaxShadows];
  // x: radius of the penumbra per length of the ray; y: index of the lamp, below 0 for the environment.
  vec4 sources[kMaxShadows];
  ivec4 shadowCount;          // x: number of lights with shadows
};
