#version 450 core

layout(location = 0) out vec4 colour;

// Blended by GL_MIN: the most light that a lens is given.
void main() { colour = vec4(64.0, 64.0, 64.0, 1.0); }
