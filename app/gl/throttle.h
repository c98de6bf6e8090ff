#pragma once
#include <deque>
#include <memory>
#include <type_traits>

#include "app/gl/gl.h"

namespace satdof::gl {

// Limits how far the CPU runs ahead of the GPU, as swapping the buffers of a window does.
class Throttle {
 public:
  // Ends a batch of commands. Waits until at most `inFlight` batches are unfinished; 0 is equivalent to glFinish().
  void pieceDone(std::size_t inFlight) {
    fences_.emplace_back(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    for (; fences_.size() > inFlight; fences_.pop_front())
      glClientWaitSync(fences_.front().get(), GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
  }

 private:
  struct Delete {
    void operator()(GLsync fence) const { glDeleteSync(fence); }
  };
  std::deque<std::unique_ptr<std::remove_pointer_t<GLsync>, Delete>> fences_;
};

}  // namespace satdof::gl
