#pragma once
#include <cmath>
#include <functional>
#include <glm/gtc/packing.hpp>
#include <memory>
#include <type_traits>
#include <vector>

#include "app/device/device.h"
#include "app/lens/box/plan.h"
#include "app/lens/layered/plan.h"
#include "app/lens/run/gl.h"
#include "app/lens/tent/plan.h"
#include "app/lens/thin_lens.h"
#include "tests/support/gl_fixture.h"

namespace satdof::test {

inline float toHalf(float v) { return glm::unpackHalf1x16(glm::packHalf1x16(v)); }

// The box lens in OpenGL, with tables from this builder.
inline std::unique_ptr<Lens> makeBoxLens(std::unique_ptr<TableBuilder> table, TableFormat format, const BlurRule& rule,
                                         gl::PixelStage stage = gl::PixelStage::fragment) {
  const auto plan = [format, &rule](const LensFacts& facts) {
    return boxGraph(rule, {.table = {.format = format}}, facts);
  };
  const auto held = std::make_shared<std::unique_ptr<TableBuilder>>(std::move(table));
  return makeGlLens(plan, false, {}, {[held](TableFormat) { return std::move(*held); }, nullptr, nullptr, stage});
}
inline std::unique_ptr<Lens> makeTentLens(const std::function<std::unique_ptr<TableBuilder>()>& makeTable,
                                          gl::PixelStage stage = gl::PixelStage::fragment) {
  return makeGlLens(tentGraph, false, {}, {[makeTable](TableFormat) { return makeTable(); }, nullptr, nullptr, stage});
}
inline std::unique_ptr<Lens> makeTentLens(const Technique& technique) {
  return makeGlLens(tentGraph, false, {}, glLensParts(technique));
}
inline std::unique_ptr<Lens> makeLayeredLens(const Technique& technique) {
  return makeGlLens(layeredGraph, true, {}, glLensParts(technique));
}

// An image with its depth, in memory and as textures. Row 0 is the bottom row.
struct Image {
  glm::ivec2 size{0};
  std::vector<glm::vec4> colour;
  std::vector<float> depth;
  gl::Texture colourTexture, depthTexture;
  SceneFrame frame;

  // The functions give the colour and the depth of each pixel, row by row. They take (x, y) or nothing.
  template <class Colour, class Depth>
  Image(glm::ivec2 imageSize, Colour makeColour, Depth makeDepth)
      : size(imageSize), colourTexture(GL_RGBA16F, size), depthTexture(GL_R32F, size) {
    const auto call = [](auto& make, int x, int y) {
      if constexpr (std::is_invocable_v<decltype(make), int, int>)
        return make(x, y);
      else
        return make();
    };
    float largest = 1e-6f;
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::vec4 c = call(makeColour, x, y);
        colour.emplace_back(toHalf(c.r), toHalf(c.g), toHalf(c.b), toHalf(c.a));
        depth.push_back(call(makeDepth, x, y));
        largest = std::max(largest, depth.back());
      }
    glTextureSubImage2D(colourTexture.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_FLOAT, colour.data());
    glTextureSubImage2D(depthTexture.name(), 0, 0, 0, size.x, size.y, GL_RED, GL_FLOAT, depth.data());
    frame.colour = &colourTexture;
    frame.depth = &depthTexture;
    frame.size = size;
    frame.nearM = 0.1f;
    frame.nearestM = 0.1f / largest;
  }
  Image(const Image&) = delete;
  const glm::vec4& at(int x, int y) const { return colour[std::size_t(y) * std::size_t(size.x) + std::size_t(x)]; }
};

// A lens whose blur radius at infinity is `farRadiusPx`, focused at 1 m, for nearM = 0.1:
// radius(depth) = farRadiusPx (1 - depth / 0.1).
inline LensSettings lensOfRadius(float farRadiusPx, int heightPx) {
  LensSettings lens;
  lens.focusDistanceM = 1.0f;
  lens.fNumber = 1.0f;
  lens.fNumber = thinLens(lens, heightPx, 0.1f).beta / farRadiusPx;
  return lens;
}

inline std::vector<glm::vec4> download(const gl::Texture& texture) {
  std::vector<glm::vec4> texels(std::size_t(texture.size().x) * std::size_t(texture.size().y));
  glGetTextureImage(texture.name(), 0, GL_RGBA, GL_FLOAT, GLsizei(texels.size() * sizeof(glm::vec4)), texels.data());
  return texels;
}

// The number of textures that exist.
inline int liveTextures() {
  constexpr GLuint kMax = 1 << 17;  // names grow while other tests run
  int count = 0;
  for (GLuint name = 1; name < kMax; ++name) count += glIsTexture(name) == GL_TRUE ? 1 : 0;
  return count;
}

// Builds a table by the definition of Table, with plain loops.
class PlainTableBuilder : public TableBuilder {
 public:
  PlainTableBuilder(TableFormat format, bool transposed) : format_(format), transposed_(transposed) {}
  void resize(glm::ivec2 size) override {
    size_ = size;
    texture_ = gl::Texture(format_ == TableFormat::uint32 ? GL_RGBA32UI : GL_RGBA32F,
                           transposed_ ? glm::ivec2(size.y, size.x) : size);
  }
  Table build(const TableSource& source, Timings&) override {
    last = source;
    if (format_ == TableFormat::uint32) {
      upload<uint32_t>(source, GL_RGBA_INTEGER, GL_UNSIGNED_INT, [&](float v, int) {
        return uint32_t(
            std::nearbyint(std::min(std::max(v, 0.0f), source.quantisation.ceiling) * source.quantisation.scale));
      });
      return {&texture_, size_, transposed_, format_, source.quantisation.scale, glm::vec4(0.0f)};
    }
    const glm::vec4 mean = format_ == TableFormat::float32Mean ? source.quantisation.mean : glm::vec4(0.0f);
    upload<double>(source, GL_RGBA, GL_FLOAT, [&](float v, int c) { return double(v) - mean[c]; });
    return {&texture_, size_, transposed_, format_, 1.0f, mean};
  }
  TableSource last;

 private:
  template <class T>
  void upload(const TableSource& source, GLenum layout, GLenum type, const auto& element) {
    using Stored = std::conditional_t<std::is_same_v<T, double>, float, uint32_t>;
    const auto colour = download(*source.texture);
    const auto width = std::size_t(size_.x), height = std::size_t(size_.y);
    std::vector<T> sums(width * height * 4);
    std::vector<Stored> stored(sums.size());
    for (std::size_t y = 0; y < height; ++y)
      for (int c = 0; c < 4; ++c) {
        T row{};
        for (std::size_t x = 0; x < width; ++x) {
          const std::size_t i = y * width + x;
          row += element(colour[i][c], c);
          sums[4 * i + std::size_t(c)] = row + (y > 0 ? sums[4 * (i - width) + std::size_t(c)] : T{});
          stored[4 * (transposed_ ? x * height + y : i) + std::size_t(c)] = Stored(sums[4 * i + std::size_t(c)]);
        }
      }
    glTextureSubImage2D(texture_.name(), 0, 0, 0, texture_.size().x, texture_.size().y, layout, type, stored.data());
  }

  TableFormat format_;
  bool transposed_;
  glm::ivec2 size_{0};
  gl::Texture texture_;
};

// Fills an output before a pass that must write every pixel.
inline void poison(const gl::Framebuffer& output) {
  const glm::vec4 value(-77.0f);
  glClearNamedFramebufferfv(output.name(), GL_COLOR, 0, &value.x);
}

// Runs a lens once. The output is poisoned first.
inline std::vector<glm::vec4> blur(Lens& lens, const SceneFrame& scene, const LensSettings& settings,
                                   glm::vec4 mean = glm::vec4(0.0f), const SceneRedraw* redraw = nullptr) {
  const gl::Target output(scene.size);
  poison(output.framebuffer);
  Timings timings;
  lens.draw({.scene = scene, .lens = settings, .mean = mean, .redraw = redraw}, output, timings);
  return download(output.texture);
}

}  // namespace satdof::test
