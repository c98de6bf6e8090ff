layout(std140, binding = 0) uniform Camera {
  mat4 worldToClip;
  vec4 eye;
};
