#include "app/render/cpu_present.h"

#include <cmath>
#include <glm/vector_relational.hpp>
#include <utility>

#include "app/core/system/reallocate.h"
#include "app/device/cpu/vector4.h"
#include "app/gl/transfer.h"
#include "shaders/common/tone.h"

namespace satdof {

namespace {

constexpr gl::TexelLayout kRgbaBytes{GL_RGBA, GL_UNSIGNED_BYTE, 4};

bool hasBytes(GLuint framebuffer) {
  GLint bits = 0;
  glGetNamedFramebufferAttachmentParameteriv(framebuffer, framebuffer == 0 ? GL_BACK_LEFT : GL_COLOR_ATTACHMENT0,
                                             GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, &bits);
  return bits == 8;
}

// toneMapped() of shaders/common/tone.glsl; three channels.
SATDOF_INLINE inline Float4 toneMapped(Float4 v) {
  if (v[0] > 1.0f || v[1] > 1.0f || v[2] > 1.0f) {
    const glm::vec3 mapped = glm::min(glsl::toneMapped({v[0], v[1], v[2]}), 1.0f);
    return Float4{mapped.x, mapped.y, mapped.z, 0.0f};
  }
  return glsl::filmic(v);
}

}  // namespace

CpuPresent::CpuPresent() {
  for (int i = 0; i <= kSteps; ++i) {
    const float root = static_cast<float>(i) / static_cast<float>(kSteps);
    encoded_[static_cast<std::size_t>(i)] =
        static_cast<std::uint32_t>(std::lround(255.0f * glsl::encodeSrgb(root * root)));
  }
}

bool CpuPresent::draws(GLuint framebuffer, glm::ivec2 imageSize, const Display& display) {
  const bool whole = glm::all(glm::lessThanEqual(display.look.shownFrom, glm::ivec2(0))) &&
                     glm::all(glm::greaterThanEqual(display.look.shownTo, imageSize));
  return whole && !display.look.photograph && display.toneMapLeft && display.splitLine > 1.0f &&
         display.fade.under == nullptr && display.opacity == nullptr && hasBytes(framebuffer);
}

void CpuPresent::draw(std::span<const glm::vec4> image, glm::ivec2 imageSize, GLuint framebuffer, glm::ivec2 size,
                      const Display& display) {
  if (texture_.size() != imageSize) {
    reallocate(bytes_, image.size());
    gl::Texture texture(GL_RGBA8, imageSize);
    framebuffer_ = gl::Framebuffer(texture);
    texture_ = std::move(texture);
  }
  const float exposure = std::exp2(display.exposureStops);
  pool_.forEach(imageSize.y, [&](int y) {
    const auto width = static_cast<std::size_t>(imageSize.x), first = static_cast<std::size_t>(y) * width;
    vectorised([&]() SATDOF_INLINE { encodeRow(image.subspan(first, width), exposure, &bytes_[first]); });
  });
  gl::upload(texture_, kRgbaBytes, bytes_.data());
  glBlitNamedFramebuffer(framebuffer_.name(), framebuffer, 0, 0, imageSize.x, imageSize.y, 0, 0, size.x, size.y,
                         GL_COLOR_BUFFER_BIT, imageSize == size ? GL_NEAREST : GL_LINEAR);
}

SATDOF_INLINE inline void CpuPresent::encodeRow(std::span<const glm::vec4> row, float exposure,
                                                std::uint32_t* bytes) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    Float4 v = loadVector<Float4>(&row[i]);
    v = toneMapped((v > 0.0f ? v : Float4{}) * exposure);
    for (int c = 0; c < 4; ++c) v[c] = std::sqrt(v[c]);
    const Uint4 steps = toWords(v * static_cast<float>(kSteps) + 0.5f);
    bytes[i] = encoded_[steps[0]] | encoded_[steps[1]] << 8 | encoded_[steps[2]] << 16 | 0xff000000u;
  }
}

}  // namespace satdof
