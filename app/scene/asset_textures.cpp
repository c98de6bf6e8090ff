#include "app/scene/asset_textures.h"

#include <stb_image.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

#include "app/core/files/data_dir.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

struct Image {
  glm::ivec2 size;
  std::unique_ptr<stbi_uc, void (*)(void*)> pixels;
};

// Decodes an image into rows without padding. Throws std::runtime_error unless `layers` divides the height.
Image loadImage(const char* name, int channels, int layers = 1) {
  constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
  const auto path = dataDir() / "assets" / name;
  const std::string file = readWholeFile(path, kMaxBytes);
  glm::ivec2 size(0);
  int stored = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()), static_cast<int>(file.size()),
                                          &size.x, &size.y, &stored, channels);
  const auto refuse = [&](const char* reason) {
    return std::runtime_error("cannot read the texture " + pathText(path) + ": " + reason +
                              "; restore the file from the repository");
  };
  if (pixels == nullptr) throw refuse(stbi_failure_reason());
  Image image{size, {pixels, stbi_image_free}};
  if (size.y % layers != 0) throw refuse("its height is no multiple of the number of layers");
  return image;
}

// While an object lives, OpenGL reads uploaded rows without padding.
class TightRows {
 public:
  TightRows() { glPixelStorei(GL_UNPACK_ALIGNMENT, 1); }
  ~TightRows() { glPixelStorei(GL_UNPACK_ALIGNMENT, 4); }
  TightRows(const TightRows&) = delete;
  TightRows& operator=(const TightRows&) = delete;
};

}  // namespace

gl::Texture loadTexture(const char* name, GLenum format) {
  const bool grey = format == GL_R8;
  const Image image = loadImage(name, grey ? 1 : 4);
  const auto longest = static_cast<unsigned>(std::max(image.size.x, image.size.y));
  gl::Texture texture(format, image.size, 1, static_cast<int>(std::bit_width(longest)));
  const TightRows tightRows;
  glTextureSubImage2D(texture.name(), 0, 0, 0, image.size.x, image.size.y, grey ? GL_RED : GL_RGBA, GL_UNSIGNED_BYTE,
                      image.pixels.get());
  glGenerateTextureMipmap(texture.name());
  const bool software = gl::isSoftwareRenderer();
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER,
                      software ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
  if (!software && GLAD_GL_ARB_texture_filter_anisotropic)
    glTextureParameterf(texture.name(), GL_TEXTURE_MAX_ANISOTROPY, 8.0f);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_REPEAT);
  return texture;
}

VolumeTexture loadVolume(const char* name, int layers) {
  const Image image = loadImage(name, 2, layers);
  const int height = image.size.y / layers;
  GLuint texture = 0;
  glCreateTextures(GL_TEXTURE_3D, 1, &texture);
  VolumeTexture volume(texture);
  glTextureStorage3D(texture, 1, GL_RG8, image.size.x, height, layers);
  const TightRows tightRows;
  glTextureSubImage3D(texture, 0, 0, 0, 0, image.size.x, height, layers, GL_RG, GL_UNSIGNED_BYTE, image.pixels.get());
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_R, GL_REPEAT);
  return volume;
}

}  // namespace satdof
