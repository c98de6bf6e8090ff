#pragma once
#include "app/device/gl/scan.h"

namespace satdof {

// Stream compaction in fragment shaders, which cannot scatter (Horn 2005, GPU Gems 2, chapter 36): a scan of
// the flags; then each element of the output finds its source by binary search in the sums. Work: the scan,
// and m log2 n fetches for m outputs.
class GlFragmentCompactor {
 public:
  // Compacts `count` flags in rows of `width` (see foldedSize()) to at most `capacity` indices in rows of
  // `outputWidth`.
  GlFragmentCompactor(int width, unsigned count, int outputWidth, unsigned capacity,
                      int reducePasses = GlFragmentScan::kReducePasses);

  struct Compacted {
    const gl::Texture* indices;  // GL_R32UI, foldedSize(outputWidth, capacity): ascending, then kNone
    const gl::Texture* sums;     // inclusive sums of the flags; the last one is the number of flags set
  };
  // `flags`: GL_R32UI, 0 or 1; a larger value repeats its index that many times. The result is valid until the next
  // call.
  Compacted run(const gl::Texture& flags);

  static constexpr unsigned kNone = 0xffffffff;

 private:
  unsigned width_, count_;
  GlFragmentScan scan_;
  gl::Program search_;
  gl::Texture indices_;
  gl::Framebuffer target_;
};

}  // namespace satdof
