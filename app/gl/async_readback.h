#pragma once
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof {

// Brings small windows of float textures to memory without waiting: each request copies into a buffer of a
// ring, read once its fence has passed.
class AsyncReadback {
 public:
  // For windows of up to `maxFloats` values, `ring` of them in flight.
  explicit AsyncReadback(size_t maxFloats, int ring = 4);
  ~AsyncReadback();
  AsyncReadback(const AsyncReadback&) = delete;
  AsyncReadback& operator=(const AsyncReadback&) = delete;

  // Enqueues a copy of the window [from, from + size) of `texture`, `channels` (1 or 4) floats a texel, rows
  // from the bottom. Returns false, having done nothing, when every buffer is in flight.
  bool request(const gl::Texture& texture, glm::ivec2 from, glm::ivec2 size, int channels);
  // The values of the oldest request, once they have arrived; else empty. Valid until the next request.
  std::span<const float> poll();
  int inFlight() const { return inFlight_; }

 private:
  struct Slot {
    gl::Buffer buffer;
    const float* values = nullptr;
    size_t count = 0;
    GLsync fence = nullptr;
  };
  std::vector<Slot> ring_;
  size_t oldest_ = 0;
  int inFlight_ = 0;
};

}  // namespace satdof
