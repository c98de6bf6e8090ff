#include "cuda/lens/passes.cuh"

#include <cstring>
#include <numeric>

#include "cuda/runtime/stage_timer.h"
#include "cuda/runtime/surface.h"

namespace satdof::cuda {

namespace {

class PassesOnDevice final : public Passes {
 public:
  void begin(const std::vector<const char*>& stages, CUstream_st* stream) override {
    const auto same = [](const char* a, const char* b) { return std::strcmp(a, b) == 0; };
    const auto known = std::ranges::find_if(
        timers_, [&](const Timer& timer) { return std::ranges::equal(timer.stages, stages, same); });
    current_ = static_cast<size_t>(known - timers_.begin());
    // An earlier graph may still refer to the other timers.
    if (known == timers_.end()) timers_.push_back({stages, std::make_unique<StageTimer>(stages)});
    timer().begin(stream);
  }

  void run(const PassRule& rule, const PassImages& images, CUstream_st* stream) override {
    views_.clear();
    for (const auto* side : {&images.reads, &images.writes})
      for (const PassImage& image : *side)
        views_.push_back({image.array == nullptr ? 0 : surfaces_.get(image.array), image.memory});
    const std::span views(views_);
    const PassViews passed{images.size, images.transposed, views.first(images.reads.size()),
                           views.subspan(images.reads.size())};
    std::visit([&](const auto& of) { enqueue(of, passed, stream); }, rule);
    timer().next(stream);
  }

  void skip(CUstream_st* stream) override { timer().next(stream); }

  void forgetArrays() override { surfaces_.forget(); }
  size_t runs() const override {
    return std::accumulate(timers_.begin(), timers_.end(), size_t{0},
                           [](size_t sum, const Timer& timer) { return sum + timer.timer->builds(); });
  }
  std::vector<StageTime> stageTimes() const override {
    if (timers_.empty()) return {};
    std::vector<StageTime> times = timers_[current_].timer->times();
    std::erase_if(times, [](const StageTime& stage) { return *stage.name == 0; });
    return times;
  }

 private:
  struct Timer {
    std::vector<const char*> stages;
    std::unique_ptr<StageTimer> timer;
  };
  StageTimer& timer() { return *timers_[current_].timer; }

  std::vector<Timer> timers_;
  size_t current_ = 0;
  SurfaceCache surfaces_{32};
  std::vector<PassView> views_;
};

}  // namespace

std::unique_ptr<Passes> makePasses() { return std::make_unique<PassesOnDevice>(); }

}  // namespace satdof::cuda
