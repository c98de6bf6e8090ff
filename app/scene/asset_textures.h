#pragma once
#include "app/gl/objects.h"

// Textures from the files in assets/. All throw std::runtime_error with the file and the reason.
namespace satdof {

// Repeats, with mipmaps: trilinear and anisotropic, or one level at a time on software OpenGL. `format` is
// GL_SRGB8_ALPHA8 or GL_R8.
gl::Texture loadTexture(const char* name, GLenum format);

using VolumeTexture = gl::Object<gl::destroyTexture>;

// A file of `layers` images, one below the other, as a GL_RG8 volume that repeats along the third axis.
VolumeTexture loadVolume(const char* name, int layers);

}  // namespace satdof
