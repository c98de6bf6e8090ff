#pragma once
#include <cstddef>
#include <vector>

#include "app/core/pixels.h"
#include "app/gl/objects.h"

namespace satdof::gl {

// The layout of texels in memory. Rows have no padding; the bottom row is first.
struct TexelLayout {
  GLenum format;
  GLenum type;
  std::size_t bytes;  // of one texel
};

inline constexpr TexelLayout kRgbaHalf{GL_RGBA, GL_HALF_FLOAT, 8};
inline constexpr TexelLayout kRgbaFloat{GL_RGBA, GL_FLOAT, 16};
inline constexpr TexelLayout kRgbaWords{GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16};
inline constexpr TexelLayout kRedFloat{GL_RED, GL_FLOAT, 4};

// Images are transferred in bands of rows: OpenGL counts the bytes of a transfer in an int, and software OpenGL fails
// near 2 GiB.
inline constexpr std::size_t kBandBytes = std::size_t{64} << 20;

// Copies a texture to `rows`, or to the offset `rows` in the buffer bound to GL_PIXEL_PACK_BUFFER. Waits for the GPU
// unless a buffer is bound.
void download(const Texture& texture, const TexelLayout& layout, void* rows, std::size_t bandBytes = kBandBytes);
// Copies `rows`, or the offset `rows` in the buffer bound to GL_PIXEL_UNPACK_BUFFER, to a texture.
void upload(const Texture& texture, const TexelLayout& layout, const void* rows, std::size_t bandBytes = kBandBytes);
// The same for the texture `name` of `size` texels.
void upload(GLuint name, glm::ivec2 size, const TexelLayout& layout, const void* rows,
            std::size_t bandBytes = kBandBytes);

// Returns the texels of a texture as RGB. `type`: the OpenGL type of T. Waits for the GPU.
template <class T>
std::vector<T> readRgb(const Texture& texture, GLenum type) {
  std::vector<T> rgb(pixelCount(texture.size()) * 3);
  download(texture, {GL_RGB, type, 3 * sizeof(T)}, rgb.data());
  return rgb;
}

}  // namespace satdof::gl
