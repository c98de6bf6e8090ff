#include "app/device/cuda/cuda_pass.h"
#include "app/filter/filter.h"
#include "cuda/convolve/convolve.h"

namespace satdof::on_cuda {

namespace {

class CudaFilter final : public Filter {
 public:
  CudaFilter(const FilterPlan& plan, Convolve variant) : plan_(plan), variant_(variant) {}

  void resize(glm::ivec2 size) override {
    pass_.reset();
    cuda::MaskPasses<float> passes;
    for (const MaskPass& pass : plan_.passes) passes.push_back({pass.width, pass.height, pass.weights});
    convolver_ = &pass_.own(cuda::makeImageConvolver(variant_, {size.x, size.y}, passes, plan_.offset));
  }

  void run(const FilterImages& images, Timings& timings) override {
    pass_.run({{images.image, cuda::Access::read}, {images.filtered, cuda::Access::write}}, 0, timings,
              [&](auto arrays, auto* stream) { convolver_->run(arrays[0], arrays[1], stream); });
  }

  std::string state() const override { return pass_.state(); }

 private:
  FilterPlan plan_;
  Convolve variant_;
  CudaPass<int> pass_;  // the key is constant: the work depends on the textures alone
  cuda::ImageConvolver* convolver_ = nullptr;
};

}  // namespace

std::unique_ptr<Filter> makeFilter(const FilterPlan& plan, Convolve variant) {
  return std::make_unique<CudaFilter>(plan, variant);
}

}  // namespace satdof::on_cuda
