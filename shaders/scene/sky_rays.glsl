layout(std140, binding = 5) uniform Rays {  // app/scene/sky.h
  vec3 forward;
  int peels;  // 1: leaves pixels empty where `behind` has no surface
  vec3 rightPerNdc;
  vec3 upPerNdc;
  vec2 shear;
};
