#pragma once
#include <functional>

namespace satdof::gl {

// Thrown where a stage of a frame would begin. No std::exception: whoever keeps the last good image does not catch it.
struct FrameAbandoned {};

// While it lives, stages of this thread that begin while `wanted` returns true throw FrameAbandoned. One a thread.
class MayAbandonFrames {
 public:
  explicit MayAbandonFrames(std::function<bool()> wanted);
  ~MayAbandonFrames();
  MayAbandonFrames(const MayAbandonFrames&) = delete;
  MayAbandonFrames& operator=(const MayAbandonFrames&) = delete;
};

void throwIfAbandoned();

}  // namespace satdof::gl
