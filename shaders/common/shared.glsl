// Start of every .glsl file that C++ and CUDA share: gives GLSL the macros that shaders/common/glsl.h gives C++ and
// CUDA.
#ifndef SHADER_FUNCTION
#ifdef __cplusplus
#error "include the header beside this file"
#endif
#define SHADER_FUNCTION
#define SHADER_HOST_FUNCTION
#define SHADER_FLOATS float
#define SHADER_WORDS uint
#define SHADER_COMPARABLE(Struct)
#endif
