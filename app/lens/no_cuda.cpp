#include <stdexcept>

#include "app/lens/highlight_source.h"

namespace satdof {

std::unique_ptr<HighlightSource> makeCudaHighlightSource(const HighlightSourceOptions&) {
  throw std::runtime_error(
      "cannot collect highlights on CUDA, which is not built: configure with -DCUDA=ON, or choose another "
      "--backend");
}

}  // namespace satdof
