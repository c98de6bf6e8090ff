#pragma once
#include <functional>

namespace satdof {

// Thrown instead of starting a stage of a frame. Not a std::exception: handlers that keep the last good image must not
// catch it.
struct FrameAbandoned {};

// While one lives, starting a stage on this thread throws FrameAbandoned if `wanted` returns true. At most one a
// thread.
class AbandonFramesScope {
 public:
  explicit AbandonFramesScope(std::function<bool()> wanted);
  ~AbandonFramesScope();
  AbandonFramesScope(const AbandonFramesScope&) = delete;
  AbandonFramesScope& operator=(const AbandonFramesScope&) = delete;
};

// Throws FrameAbandoned if the scope of this thread wants it and no LongWork lives.
void throwIfAbandoned();

// Work of a frame that may take minutes, such as the steps of a simulation. While one lives, only reportProgress()
// throws FrameAbandoned, so the work is never interrupted between two calls. At most one a thread.
class LongWork {
 public:
  // `name`: "Simulating".
  explicit LongWork(const char* name);
  ~LongWork();
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  // Call often. `part`: the completed fraction, 0 to 1. Throws FrameAbandoned if `wanted` of AbandonFramesScope returns
  // true.
  void reportProgress(float part);
  const char* name() const { return name_; }
  float part() const { return part_; }

  // Returns the work of this thread, for the callback of AbandonFramesScope; null if there is none.
  static const LongWork* current();

 private:
  const char* name_;
  float part_ = 0.0f;
};

}  // namespace satdof
