#include <algorithm>
#include <vector>

#include "app/core/pixels.h"
#include "app/filter/cpu_convolve.h"
#include "app/filter/filter.h"
#include "app/gl/transfer.h"

namespace satdof {

namespace {

constexpr int kChannels = 4;
constexpr float kMaxHalf = 65504.0f;

// Downloads the image, convolves and uploads the result.
class CpuFilter final : public Filter {
 public:
  // threads = 0: convolveSequential().
  CpuFilter(const FilterPlan& plan, int threads) : plan_(plan) {
    if (threads > 0) pool_ = std::make_unique<ThreadPool>(threads);
  }

  void resize(glm::ivec2 size) override {
    size_ = size;
    const std::size_t elements = static_cast<std::size_t>(kChannels) * pixelCount(size);
    image_.resize(elements);
    result_.resize(elements);
    if (plan_.passes.size() == 2) between_.resize(elements);
  }

  void run(const FilterImages& images, Timings& timings) override {
    const auto stage = timings.cpu("filter");
    gl::download(images.image, gl::kRgbaFloat, image_.data());
    if (plan_.passes.size() == 2) {
      convolve(image_.data(), between_.data(), plan_.passes[0]);
      convolve(between_.data(), result_.data(), plan_.passes[1]);
    } else {
      convolve(image_.data(), result_.data(), plan_.passes[0]);
    }
    finish();
    gl::upload(images.filtered, gl::kRgbaFloat, result_.data());
  }

  std::string state() const override { return pool_ ? std::to_string(pool_->threads()) + " threads" : "1 thread"; }

 private:
  void convolve(const float* from, float* to, const MaskPass& pass) {
    if (pool_)
      convolveParallel(*pool_, {size_.x, size_.y}, kChannels, from, to, pass);
    else
      convolveSequential({size_.x, size_.y}, kChannels, from, to, pass);
  }

  // Adds the offset, limits the colours, copies alpha.
  void finish() {
    const auto finishRow = [&](int y) {
      const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) * kChannels;
      for (std::size_t i = row; i < row + static_cast<std::size_t>(size_.x) * kChannels; ++i)
        result_[i] = i % kChannels == 3 ? image_[i] : std::clamp(result_[i] + plan_.offset, -kMaxHalf, kMaxHalf);
    };
    if (pool_)
      pool_->forEach(size_.y, finishRow);
    else
      for (int y = 0; y < size_.y; ++y) finishRow(y);
  }

  FilterPlan plan_;
  std::unique_ptr<ThreadPool> pool_;  // null: convolveSequential()
  glm::ivec2 size_{0};
  std::vector<float> image_, between_, result_;
};

}  // namespace

std::unique_ptr<Filter> makeCpuFilter(const FilterPlan& plan) {
  return std::make_unique<CpuFilter>(plan, hardwareThreads());
}

std::unique_ptr<Filter> makeCpuSequentialFilter(const FilterPlan& plan) { return std::make_unique<CpuFilter>(plan, 0); }

}  // namespace satdof
