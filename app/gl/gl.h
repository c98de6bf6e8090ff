#pragma once
// OpenGL 4.5 core, through glad. Include this, never glad itself.
#include <glad/gl.h>
