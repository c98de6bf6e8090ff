#include "app/device/bokeh_collector.h"

#include "app/device/cuda/cuda.h"
#include "app/device/cuda/cuda_pass.h"
#include "cuda/lens/bokeh.h"

namespace satdof::on_cuda {

namespace {

class CudaBokehCollector final : public BokehCollector {
 public:
  CudaBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity)
      : spec_(spec),
        scan_(scan),
        capacity_(capacity),
        sprites_(spriteTexture(capacity)),
        commandTexel_(GL_RGBA32UI, glm::ivec2(1)),
        command_(kCommandBytes, nullptr) {}

  void resize(glm::ivec2 size) override {
    pass_.reset();
    collector_ = &pass_.own(cuda::makeBokehCollector({size.x, size.y, capacity_, spec_.compaction, spec_.sort, scan_}));
  }

  BokehDraw collect(const SceneFrame& scene, const BokehRule& rule, Timings& timings) override {
    pass_.run({{*scene.colour, cuda::Access::read},
               {*scene.depth, cuda::Access::read},
               {sprites_, cuda::Access::write},
               {commandTexel_, cuda::Access::write}},
              rule, timings, [&](auto arrays, auto* stream) {
                collector_->collect({arrays[0], arrays[1], arrays[2], arrays[3]}, rule, stream);
              });
    copyCommand(commandTexel_, command_);
    return {sprites_.name(), command_.name()};
  }

 private:
  BokehSpec spec_;
  Scan scan_;
  unsigned capacity_;
  gl::Texture sprites_, commandTexel_;
  gl::Buffer command_;
  CudaPass<BokehRule> pass_;
  cuda::BokehCollector* collector_ = nullptr;
};

}  // namespace

std::unique_ptr<BokehCollector> makeBokehCollector(const BokehSpec& spec, Scan scan, unsigned capacity) {
  return std::make_unique<CudaBokehCollector>(spec, scan, capacity);
}

}  // namespace satdof::on_cuda
