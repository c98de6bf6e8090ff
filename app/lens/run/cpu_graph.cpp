#include "app/lens/run/cpu_graph.h"

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/lens/aperture/image.h"
#include "app/lens/bokeh/cpu.h"

namespace satdof {

void CpuGraph::resize(glm::ivec2 size) {
  size_ = size;
  image_.resize(pixelCount(size));
  for (std::size_t i = 1; i < inputs_.size(); ++i) inputs_[i] = {};
  blur_->resize(size);
}

void CpuGraph::prepare(const LensGraph& graph) {
  for (ImageId id = kColour; id < kOutput; id += 2) {
    if (!graph.uses(id)) continue;
    CpuInput& needed = input(id);
    reallocate(needed.colour, image_.size());
    reallocate(needed.depth, image_.size());
    if (id >= kBackColour) reallocate(needed.sums, image_.size());
  }
  for (const LensStep& step : graph.steps)
    if (const auto* collect = std::get_if<CollectStep>(&step)) {
      auto& bokeh = input(collect->colour).bokeh;
      if (!bokeh) bokeh = std::make_shared<CpuBokeh>(threads_);
      bokeh->resize(size_);
    }
}

std::span<const glm::vec4> CpuGraph::draw(const LensGraph& graph, const SceneFacts& facts, const LensSettings& lens,
                                          glm::vec4 mean, CpuTimings& timings) {
  auto& [nearest, behind, back, front] = inputs_;
  CpuFrame frame{{nearest.colour, nearest.depth}, facts, lens, mean};
  if (graph.uses(kBehindColour)) frame.behind = {behind.colour, behind.depth};
  if (graph.uses(kBackColour)) {
    frame.back = {back.colour, back.sums};
    frame.front = {front.colour, front.sums};
  }
  if (const ApertureImage* aperture = apertureImage(lens)) frame.aperture = aperture->table();
  std::vector<CpuBokeh*> collected;
  const SpritesStep* sprites = nullptr;
  for (const LensStep& step : graph.steps)
    if (const auto* collect = std::get_if<CollectStep>(&step)) {
      CpuInput& from = input(collect->colour);
      collected.push_back(&*from.bokeh);
      from.bokeh->extract({from.colour, from.depth}, size_, collect->rule, timings);
    } else if (const auto* adding = std::get_if<SpritesStep>(&step)) {
      sprites = adding;
    }
  blur_->blur(frame, image_, timings);
  for (std::size_t i = 0; sprites != nullptr && i < collected.size(); ++i)
    collected[i]->draw(frame, sprites->rules[i], image_, timings);
  return image_;
}

}  // namespace satdof
