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

out vec3 worldPosition;
out vec3 worldNormal;
out vec4 worldTangent;
out vec4 coordinates;
out vec4 vertexColour;

void main() {
  mat4 world = toWorld;
  mat3 turn = normalToWorld;
  if (firstJoint >= 0) {
    world = jointToWorld[firstJoint + int(joints.x)] * weights.x + jointToWorld[firstJoint + int(joints.y)] * weights.y +
            jointToWorld[firstJoint + int(joints.z)] * weights.z + jointToWorld[firstJoint + int(joints.w)] * weights.w;
    turn = mat3(world);
  }
  worldPosition = (world * vec4(position, 1.0)).xyz;
  worldNormal = turn * normal;
  worldTangent = vec4(mat3(world) * tangent.xyz, tangent.w);
  coordinates = uv;
  vertexColour = colour;
  gl_Position = project(worldPosition, 0.0);
}
