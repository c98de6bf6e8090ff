#include "app/gl/async_readback.h"

#include <stdexcept>
#include <string>

#include "app/core/pixels.h"

namespace satdof {

AsyncReadback::AsyncReadback(std::size_t maxFloats, int ring) : ring_(static_cast<std::size_t>(ring)) {
  const auto bytes = static_cast<GLsizeiptr>(maxFloats * sizeof(float));
  const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  for (Slot& slot : ring_) {
    slot.buffer = gl::Buffer(bytes, nullptr, access);
    slot.values = static_cast<const float*>(glMapNamedBufferRange(slot.buffer.name(), 0, bytes, access));
    if (slot.values == nullptr)
      throw std::runtime_error("cannot read textures back: OpenGL cannot map a buffer of " + std::to_string(bytes) +
                               " bytes; choose a smaller --size");
  }
}

AsyncReadback::~AsyncReadback() {
  for (Slot& slot : ring_) glDeleteSync(slot.fence);
}

AsyncReadback::Slot* AsyncReadback::claim(std::size_t count) {
  if (inFlight_ == std::ssize(ring_)) return nullptr;
  Slot& slot = ring_[(oldest_ + static_cast<std::size_t>(inFlight_++)) % ring_.size()];
  slot.count = count;
  return &slot;
}

bool AsyncReadback::request(const gl::Buffer& buffer, GLintptr offset, std::size_t count) {
  Slot* slot = claim(count);
  if (slot == nullptr) return false;
  glCopyNamedBufferSubData(buffer.name(), slot->buffer.name(), offset, 0,
                           static_cast<GLsizeiptr>(count * sizeof(float)));
  slot->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  return true;
}

bool AsyncReadback::request(const gl::Texture& texture, glm::ivec2 from, glm::ivec2 size, int channels) {
  Slot* slot = claim(pixelCount(size) * static_cast<std::size_t>(channels));
  if (slot == nullptr) return false;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, slot->buffer.name());
  glGetTextureSubImage(texture.name(), 0, from.x, from.y, 0, size.x, size.y, 1, channels == 1 ? GL_RED : GL_RGBA,
                       GL_FLOAT, static_cast<GLsizei>(slot->buffer.bytes()), nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  slot->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  return true;
}

std::span<const float> AsyncReadback::poll() { return take(0); }

std::span<const float> AsyncReadback::wait() {
  constexpr GLuint64 kSecondNs = 1000000000;
  std::span<const float> values;
  while (inFlight_ > 0 && values.empty()) values = take(kSecondNs);
  return values;
}

std::span<const float> AsyncReadback::take(GLuint64 timeoutNs) {
  Slot& slot = ring_[oldest_];
  if (inFlight_ == 0) return {};
  const GLenum waited = glClientWaitSync(slot.fence, GL_SYNC_FLUSH_COMMANDS_BIT, timeoutNs);
  if (waited == GL_TIMEOUT_EXPIRED) return {};
  if (waited == GL_WAIT_FAILED) throw std::runtime_error("OpenGL lost the answer of a read-back");
  glDeleteSync(slot.fence);
  slot.fence = nullptr;
  oldest_ = (oldest_ + 1) % ring_.size();
  --inFlight_;
  return {slot.values, slot.count};
}

}  // namespace satdof
