#pragma once
#include "app/gl/objects.h"

// Textures from the files in assets/. Both functions throw std::runtime_error with the file and the reason.
namespace satdof {

// Loads a repeating 2D texture with mipmaps. Filters trilinearly and anisotropically; software OpenGL reads one level.
// `format`: GL_SRGB8_ALPHA8 or GL_R8.
gl::Texture loadTexture(const char* name, GLenum format);

using VolumeTexture = gl::Object<gl::destroyTexture>;

// Loads a GL_RG8 volume from a file of `layers` images, one below the other. The volume repeats along the third axis.
VolumeTexture loadVolume(const char* name, int layers);

}  // namespace satdof
