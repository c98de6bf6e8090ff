#include "app/gl/transfer.h"

#include <algorithm>
#include <cstdint>

namespace satdof::gl {

namespace {

// Calls move(first row, number of rows, address of the first row) for every band.
template <class Address, class Move>
void inBands(glm::ivec2 size, const TexelLayout& layout, Address rows, std::size_t bandBytes, Move&& move) {
  const std::size_t rowBytes = static_cast<std::size_t>(size.x) * layout.bytes;
  const int bandRows =
      static_cast<int>(std::clamp<std::size_t>(bandBytes / rowBytes, 1, static_cast<std::size_t>(size.y)));
  for (int y = 0; y < size.y; y += bandRows) {
    const auto offset = reinterpret_cast<std::uintptr_t>(rows) + static_cast<std::size_t>(y) * rowBytes;
    move(y, std::min(bandRows, size.y - y), reinterpret_cast<Address>(offset));
  }
}

}  // namespace

void download(const Texture& texture, const TexelLayout& layout, void* rows, std::size_t bandBytes) {
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  GLint buffer = 0;
  glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
  inBands(texture.size(), layout, rows, bandBytes, [&](int y, int count, void* address) {
    const auto bytes = static_cast<std::size_t>(texture.size().x) * static_cast<std::size_t>(count) * layout.bytes;
    glGetTextureSubImage(texture.name(), 0, 0, y, 0, texture.size().x, count, 1, layout.format, layout.type,
                         buffer == 0 ? static_cast<GLsizei>(bytes) : INT32_MAX, address);
  });
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
}

void upload(const Texture& texture, const TexelLayout& layout, const void* rows, std::size_t bandBytes) {
  upload(texture.name(), texture.size(), layout, rows, bandBytes);
}

void upload(GLuint name, glm::ivec2 size, const TexelLayout& layout, const void* rows, std::size_t bandBytes) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  inBands(size, layout, rows, bandBytes, [&](int y, int count, const void* address) {
    glTextureSubImage2D(name, 0, 0, y, size.x, count, layout.format, layout.type, address);
  });
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

}  // namespace satdof::gl
