#pragma once
// OpenGL 4.5 core by glad. Include this header instead of glad.
#include <glad/gl.h>
