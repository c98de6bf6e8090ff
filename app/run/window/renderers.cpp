#include "app/run/window/renderers.h"

#include <algorithm>

#include "app/core/system/resources.h"

namespace satdof {

namespace {

constexpr double kTidyS = 5.0;  // so long memory stays, for a user who flips between A and B

}  // namespace

Renderers::Kind Renderers::kindOf(Shown shown) {
  switch (shown) {
    case Shown::quick:
      return Kind::quick;
    case Shown::best:
      return Kind::best;
    case Shown::reference:
      break;
  }
  return Kind::reference;
}

Renderer& Renderers::get(Kind kind) {
  auto& renderer = at(kind);
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

void Renderers::tidy(double nowS, std::span<const Kind> used, glm::ivec2 size) {
  if (!untidySinceS_ || nowS - *untidySinceS_ < kTidyS) return;
  untidySinceS_.reset();
  for (const Kind kind : {Kind::reference, Kind::peek, Kind::thumbnail}) {
    const Renderer* const renderer = made(kind);
    const bool fits = kind == Kind::reference && renderer != nullptr && renderer->image().size() == size;
    if (!fits && std::ranges::find(used, kind) == used.end()) discard(kind);
  }
  for (const auto& renderer : renderers_)
    if (renderer) renderer->freeUnused();
  returnFreeMemory();
}

}  // namespace satdof
