layout(std140, binding = 4) uniform Shadow {  // app/scene/model/ground.h
  vec3 low;  // corners of the shadow's part of the ground
  float heightM;
  vec3 high;
  float spread;
  vec3 toLight;
  float skyLevel;
};
