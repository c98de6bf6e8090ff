#include "app/gl/abandon.h"

#include <utility>

namespace satdof::gl {

namespace {

thread_local std::function<bool()> abandonWanted;

}  // namespace

MayAbandonFrames::MayAbandonFrames(std::function<bool()> wanted) { abandonWanted = std::move(wanted); }

MayAbandonFrames::~MayAbandonFrames() { abandonWanted = nullptr; }

void throwIfAbandoned() {
  if (abandonWanted && abandonWanted()) throw FrameAbandoned();
}

}  // namespace satdof::gl
