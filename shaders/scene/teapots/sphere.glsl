// Bounding spheres and planes, with equal bits on all devices.
#ifndef SHADERS_SCENE_TEAPOTS_SPHERE_GLSL
#define SHADERS_SCENE_TEAPOTS_SPHERE_GLSL
#include "shaders/common/shared.glsl"

// Signed distance of a sphere's centre from a plane with unit normal plane.xyz.
SHADER_FUNCTION float planeDistance(vec4 plane, vec4 sphere) {
  precise float x = plane.x * sphere.x;
  precise float y = plane.y * sphere.y;
  precise float z = plane.z * sphere.z;
  precise float distance = (x + y) + (z + plane.w);
  return distance;
}

#endif
