#include <algorithm>
#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/filter/cpu_convolve.h"
#include "app/filter/filter.h"
#include "app/lab/measurements.h"
#include "app/lab/runner.h"
#include "app/lab/series.h"

namespace satdof::lab {

namespace {

using Ints = std::vector<std::int32_t>;

struct Case {
  int count, mask;
};

std::unique_ptr<Measurement> measureCpuConvolution(const Case& work, bool allCores) {
  const auto words = randomWords(static_cast<std::size_t>(work.count), 256);
  const MaskPassOf<std::int32_t> mask{work.mask, 1, Ints(static_cast<std::size_t>(work.mask), 3)};
  return measureOnProcessor([work, allCores, mask, pool = std::make_shared<ThreadPool>(hardwareThreads()),
                             in = Ints(words.begin(), words.end()), out = std::make_shared<Ints>(words.size())] {
    if (allCores)
      convolveParallel<std::int32_t>(*pool, {work.count, 1}, 1, in.data(), out->data(), mask);
    else
      convolveSequential<std::int32_t>({work.count, 1}, 1, in.data(), out->data(), mask);
  });
}

template <class CaseOf>
std::vector<Series> arraySeries(const CaseOf& caseOf) {
  std::vector<Series> series;
  for (const bool allCores : {false, true})
    series.push_back(cpuSeries(
        allCores ? "cpu" : "cpu-sequential",
        [allCores, caseOf](double x) { return measureCpuConvolution(caseOf(static_cast<int>(x)), allCores); },
        allCores ? "all cores, vectorised" : "one core"));
  addCuda<Convolve>(series, [caseOf](Convolve variant, double x) {
    const Case work = caseOf(static_cast<int>(x));
    return cudaMeasurements().convolve(variant, work.count, work.mask);
  });
  return series;
}

// Times the convolution of a square image by a square box mask, direct or separable.
class FilterMeasurement : public Measurement {
 public:
  FilterMeasurement(const FilterRow& row, int side, int mask, bool separable)
      : filter_(row.make(planOf(mask, separable))),
        image_(GL_RGBA16F, {side, side}),
        filtered_(GL_RGBA16F, {side, side}),
        framebuffer_(filtered_),
        host_(randomHalves(4 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side))),
        result_(host_.size()) {
    filter_->resize({side, side});
    upload();
  }

  double kernelUs() override {
    // GPU times are available only a few runs later.
    constexpr int kMaxRuns = 8;
    timings_.clear();
    for (int i = 0; i < kMaxRuns; ++i) {
      run();
      glFinish();
      timings_.finish();
      for (const Stage& stage : timings_.stats().stages)
        if (stage.name == "filter" && !stage.samplesUs.empty()) return static_cast<double>(stage.latestUs());
    }
    return 0;
  }

  double endToEndUs() override {
    glFinish();
    const double startUs = Runner::wallClockUs();
    upload();
    run();
    glGetTextureImage(filtered_.name(), 0, GL_RGBA, GL_HALF_FLOAT,
                      static_cast<GLsizei>(result_.size() * sizeof(std::uint16_t)), result_.data());
    glFinish();
    return Runner::wallClockUs() - startUs;
  }

 private:
  static FilterPlan planOf(int mask, bool separable) {
    const auto pass = [](int width, int height) {
      const auto weights = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
      return MaskPass{width, height, std::vector<float>(weights, 1.0f / static_cast<float>(weights))};
    };
    FilterPlan plan;
    if (separable)
      plan.passes = {pass(1, mask), pass(mask, 1)};
    else
      plan.passes = {pass(mask, mask)};
    return plan;
  }

  void run() {
    timings_.beginFrame();
    filter_->run({image_, filtered_, framebuffer_}, timings_);
    timings_.endFrame();
  }

  void upload() {
    const glm::ivec2 size = image_.size();
    glTextureSubImage2D(image_.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_HALF_FLOAT, host_.data());
  }

  std::unique_ptr<Filter> filter_;
  gl::Texture image_, filtered_;
  gl::Framebuffer framebuffer_;
  std::vector<std::uint16_t> host_, result_;
  Timings timings_;
};

std::string summaryOf(FilterVariant variant) {
  return std::ranges::find(entries(variant), variant, &EnumEntry<FilterVariant>::value)->summary;
}

}  // namespace

std::vector<Series> convolutionByMask(int count) {
  return arraySeries([count](int x) { return Case{count, x}; });
}

std::vector<Series> convolutionBySize(int mask) {
  return arraySeries([mask](int x) { return Case{x, mask}; });
}

std::vector<Series> imageConvolutionByMask(int side) {
  std::vector<Series> series;
  for (const FilterRow& row : filters())
    for (const bool separable : {false, true}) {
      if (row.runsOn == DeviceKind::emulated) continue;  // emulator times say nothing about CUDA
      series.push_back({std::string(name(row.variant)) + (separable ? ", separable" : ", direct"), row.runsOn,
                        [variant = row.variant] { return availability(variant); },
                        [&row, side, separable](double x) {
                          return std::make_unique<FilterMeasurement>(row, side, static_cast<int>(x), separable);
                        },
                        summaryOf(row.variant)});
    }
  return series;
}

}  // namespace satdof::lab
