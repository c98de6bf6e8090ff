#include "app/device/gl/compact.h"

#include <string>

namespace satdof {

GlFragmentCompactor::GlFragmentCompactor(int width, unsigned count, int outputWidth, unsigned capacity,
                                         int reducePasses)
    : width_(static_cast<unsigned>(width)),
      count_(count),
      scan_(width, count, reducePasses),
      search_({"common/fullscreen.vert", "compact/gather_search.frag"},
              {{"NONE", std::to_string(kNone).append("u")},
               {"CAPACITY", std::to_string(capacity).append("u")},
               {"OUTPUT_WIDTH", std::to_string(outputWidth).append("u")}}),
      indices_(GL_R32UI, foldedSize(outputWidth, capacity)),
      target_(indices_) {}

GlFragmentCompactor::Compacted GlFragmentCompactor::run(const gl::Texture& flags) {
  const gl::Texture& sums = scan_.run(flags);
  search_.use();
  search_.set("width", width_);
  search_.set("count", count_);
  sums.bind(0);
  gl::drawFullScreen(target_.name(), indices_.size());
  return {&indices_, &sums};
}

}  // namespace satdof
