#include "app/run/window/renderers.h"

#include "app/core/system/resources.h"

namespace satdof {

namespace {

constexpr double kTidyS = 5.0;  // so long memory stays, for a user who flips between A and B

}  // namespace

Renderer& Renderers::get(Shown shown, bool peeks) { return at(indexOf(shown, peeks)); }

Renderer& Renderers::at(size_t index) {
  auto& renderer = renderers_[index];
  if (!renderer) renderer = std::make_unique<Renderer>(scene_);
  return *renderer;
}

void Renderers::discardAll() {
  renderers_ = {};
  scene_ = std::make_shared<SharedScene>();
}

void Renderers::expectTidying(double nowS) {
  if (!untidySinceS_) untidySinceS_ = nowS;
}

void Renderers::tidy(double nowS, Shown shown, bool keepsPeek, bool keepsThumbnail, glm::ivec2 size) {
  if (!untidySinceS_ || nowS - *untidySinceS_ < kTidyS) return;
  untidySinceS_.reset();
  const Renderer* const reference = made(Shown::reference);
  if (reference != nullptr && shown != Shown::reference && reference->image().size() != size)
    discard(Shown::reference);
  if (!keepsPeek) discard(shown, true);
  if (!keepsThumbnail) renderers_[kThumbnail].reset();
  for (const auto& renderer : renderers_)
    if (renderer) renderer->freeUnused();
  returnFreeMemory();
}

}  // namespace satdof
