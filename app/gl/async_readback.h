#pragma once
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

// Reads windows of float textures and parts of buffers back without waiting for the GPU. Each request copies into one
// buffer of a ring. The values arrive once the fence of the buffer is signalled.
class AsyncReadback {
 public:
  // `maxFloats`: the most values of a window. `ring`: the most requests in flight.
  explicit AsyncReadback(size_t maxFloats, int ring = 4);
  ~AsyncReadback();
  AsyncReadback(const AsyncReadback&) = delete;
  AsyncReadback& operator=(const AsyncReadback&) = delete;

  // Enqueues a copy of the window [from, from + size) of `texture`: `channels` (1 or 4) floats a texel, rows
  // from the bottom. Returns false and does nothing if every buffer is in flight.
  bool request(const gl::Texture& texture, glm::ivec2 from, glm::ivec2 size, int channels);
  // The same for `count` words of a buffer from the byte `offset` on; std::bit_cast turns floats into other words.
  bool request(const gl::Buffer& buffer, GLintptr offset, size_t count);
  // Returns the values of the oldest request if they have arrived, else an empty span. Valid until the next
  // request.
  std::span<const float> poll();
  // The same, but waits for the values. Empty only if nothing was requested.
  std::span<const float> wait();
  int inFlight() const { return inFlight_; }

 private:
  struct Slot {
    gl::Buffer buffer;
    const float* values = nullptr;
    size_t count = 0;
    GLsync fence = nullptr;
  };
  Slot* claim(size_t count);
  std::span<const float> take(GLuint64 timeoutNs);

  std::vector<Slot> ring_;
  size_t oldest_ = 0;
  int inFlight_ = 0;
};

}  // namespace satdof
