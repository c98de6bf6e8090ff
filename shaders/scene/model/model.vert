#version 450 core
#include "shaders/scene/project.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec4 uv;
layout(location = 4) in vec4 colour;
layout(location = 5) in uvec4 joints;
layout(location = 6) in vec4 weights;

layout(std430, binding = 3) readonly buffer Joints { mat4 jointToWorld[]; };
uniform mat4 toWorld;
uniform mat3 normalToWorld;
uniform int firstJoint;  // below 0: not skinned

// A morph target with its weight.
struct MorphTarget {
  uint first;  // vertex in `displacements`
  float weight;
};
// Six per vertex: position, normal.
layout(std430, binding = 4) readonly buffer Displacements { float displacements[]; };
layout(std430, binding = 5) readonly buffer MorphTargets { MorphTarget morphTargets[]; };
uniform ivec2 morph;      // first of `morphTargets`, and their number
uniform int firstVertex;  // of the primitive
#ifdef CAST
#include "shaders/scene/model/shadow.glsl"
uniform int shadow;  // index of the light
#endif

out vec3 worldPosition;
out vec3 worldNormal;
out vec4 worldTangent;
out vec4 coordinates;
out vec4 vertexColour;

void main() {
  vec3 p = position, n = normal;
  for (int i = morph.x; i < morph.x + morph.y; ++i) {
    uint at = 6u * (morphTargets[i].first + uint(gl_VertexID - firstVertex));
    p += morphTargets[i].weight * vec3(displacements[at], displacements[at + 1u], displacements[at + 2u]);
    n += morphTargets[i].weight * vec3(displacements[at + 3u], displacements[at + 4u], displacements[at + 5u]);
  }
  if (dot(n, n) < 1e-12) n = normal;
  mat4 world = toWorld;
  mat3 turn = normalToWorld;
  if (firstJoint >= 0) {
    world = jointToWorld[firstJoint + int(joints.x)] * weights.x +
            jointToWorld[firstJoint + int(joints.y)] * weights.y +
            jointToWorld[firstJoint + int(joints.z)] * weights.z + jointToWorld[firstJoint + int(joints.w)] * weights.w;
    turn = mat3(cross(world[1].xyz, world[2].xyz), cross(world[2].xyz, world[0].xyz),
                cross(world[0].xyz, world[1].xyz));
  }
  worldPosition = (world * vec4(p, 1.0)).xyz;
  worldNormal = turn * n;
  // A mirroring matrix reverses the normal: reversing the tangent, too, reverses the mapped normal as a whole.
  float mirror = dot(world[0].xyz, turn[0]) < 0.0 ? -1.0 : 1.0;
  worldTangent = vec4(mirror * (mat3(world) * tangent.xyz), tangent.w);
  coordinates = uv;
  vertexColour = colour;
#ifdef CAST
  // Projects the vertex from the light to the ground, in homogeneous coordinates: w < 0 above a lamp.
  vec4 light = lights[shadow];
  vec3 ray = worldPosition * light.w - light.xyz;
  float w = light.w > 0.0 ? -ray.y : 1.0;
  vec2 onGround = light.w > 0.0 ? light.xz * w + ray.xz * (light.y - low.y)
                                : worldPosition.xz + ray.xz * ((worldPosition.y - low.y) / light.y);
  gl_Position = vec4(2.0 * (onGround - low.xz * w) / (high.xz - low.xz) - w, 0.5 * w, w);
#else
  gl_Position = project(worldPosition, 0.0);
#endif
}
