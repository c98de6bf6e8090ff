#version 450 core

layout(location = 0) out vec4 colour;

// Clamps the image by GL_MIN blending: the maximum light that a lens receives.
void main() { colour = vec4(64.0, 64.0, 64.0, 1.0); }
