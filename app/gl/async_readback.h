#pragma once
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

// Reads regions of float textures and ranges of buffers back without waiting for the GPU. Each request copies into one
// buffer of a ring. The values are available when the fence of the buffer is signalled.
class AsyncReadback {
 public:
  // `maxFloats`: values of the largest request. `ring`: number of requests in flight.
  explicit AsyncReadback(std::size_t maxFloats, int ring = 4);
  ~AsyncReadback();
  AsyncReadback(const AsyncReadback&) = delete;
  AsyncReadback& operator=(const AsyncReadback&) = delete;

  // Enqueues a copy of the region [from, from + size) of `texture`: `channels` (1 or 4) floats a texel, bottom row
  // first. Returns false and does nothing if every buffer is in flight.
  bool request(const gl::Texture& texture, glm::ivec2 from, glm::ivec2 size, int channels);
  // Enqueues a copy of `count` 32-bit words of a buffer from the byte `offset` on. Use std::bit_cast for words other
  // than floats.
  bool request(const gl::Buffer& buffer, GLintptr offset, std::size_t count);
  // Returns the values of the oldest request if they are available, else an empty span. Valid until the next request.
  std::span<const float> poll();
  // The same, but waits for the values. Empty only if no request is in flight.
  std::span<const float> wait();
  int inFlight() const { return inFlight_; }

 private:
  struct Slot {
    gl::Buffer buffer;
    const float* values = nullptr;
    std::size_t count = 0;
    GLsync fence = nullptr;
  };
  Slot* claim(std::size_t count);
  std::span<const float> take(GLuint64 timeoutNs);

  std::vector<Slot> ring_;
  std::size_t oldest_ = 0;
  int inFlight_ = 0;
};

}  // namespace satdof
