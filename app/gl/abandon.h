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

// Work of a frame that may take minutes before anything is drawn, such as the steps of a simulation. While it lives, only
// tell() abandons the frame: between two calls, the work leaves nothing half done. One a thread.
class LongWork {
 public:
  // `name`: "Simulating".
  explicit LongWork(const char* name);
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  // Call often. `part`: that is done, 0 to 1. Throws FrameAbandoned if `wanted` of MayAbandonFrames returns true.
  void tell(float part);
  const char* name() const { return name_; }
  float part() const { return part_; }

  // Of this thread, for the callback of MayAbandonFrames; null if there is none.
  static const LongWork* current();

 private:
  const char* name_;
  float part_ = 0.0f;
};

}  // namespace satdof::gl
