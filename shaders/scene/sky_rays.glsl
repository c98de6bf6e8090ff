layout(std140, binding = 5) uniform Rays {  // app/scene/sky.h
  vec3 forward;
  int peels;  // 1: only behind the depth image `behind`
  vec3 rightPerNdc;
  vec3 upPerNdc;
  vec2 shear;
};
