#include <array>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/cpu_table.h"
#include "app/lens/box/plan.h"
#include "app/lens/run/cpu_graph.h"
#include "app/lens/sum_table.h"
#include "shaders/lens/box_mean.h"

namespace satdof {

namespace {

constexpr int kPiecePx = 64;  // pixels of a row that one loop blurs

// Sum over a box of a table, and its area.
template <class Vector>
struct BoxSum {
  Vector sum;
  float area;
};

// The sum over the box of half-widths `reach` around p, clamped to the image.
template <class Vector>
SATDOF_INLINE inline BoxSum<Vector> sumOver(const SumTable<Vector>& table, glm::ivec2 p, glm::ivec2 reach) {
  const glm::ivec2 side = glm::min(p + reach + 1, table.size()) - glm::max(p - reach, glm::ivec2(0));
  return {table.around(p, reach), static_cast<float>(side.x * side.y)};
}
// The same for a box with SumTable::isInside().
template <class Vector>
SATDOF_INLINE inline BoxSum<Vector> sumInside(const SumTable<Vector>& table, glm::ivec2 p, glm::ivec2 reach) {
  const glm::ivec2 side = 2 * reach + 1;
  return {table.aroundInside(p, reach), static_cast<float>(side.x * side.y)};
}

class CpuBox final : public CpuBlur {
 public:
  CpuBox(TableFormat format, const BlurRule& rule, int threads)
      : format_(format), rule_(rule), pool_(threads), builder_(threads) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    reallocate(table_, pixelCount(size));
    builder_.resize(size);
  }

  void blur(const CpuFrame& frame, std::span<glm::vec4> image, CpuTimings& timings) override {
    const BoxPlan plan = boxPlan(rule_, frame.lens, frame.facts);
    const ElementRule element{format_, {plan.scale, plan.ceiling, frame.mean}};
    {
      const auto stage = timings.cpu("table");
      builder_.build({&frame.colour[0].x, size_}, element, table_.data());
    }
    const auto stage = timings.cpu("lens");
    if (format_ == TableFormat::uint32)
      gather<Uint4>(frame, plan, 1.0f / plan.scale, Float4{}, image);
    else
      gather<Float4>(frame, plan, 1.0f,
                     format_ == TableFormat::float32Mean ? loadVector<Float4>(&frame.mean.x) : Float4{}, image);
  }

 private:
  // Blurs the frame by its table. `unit`: linear light of an element of 1. `offset`: added to every mean.
  template <class Vector>
  void gather(const CpuFrame& frame, const BoxPlan& plan, float unit, Float4 offset, std::span<glm::vec4> image) {
    const SumTable<Vector> table(table_.data(), size_);
    const float ratio = plan.blur.lens.anamorphicRatio;
    forEachPiece([&](std::size_t first, glm::ivec2 from, int count) SATDOF_INLINE {
      const auto radii = radiiOf(frame.depth.subspan(first, static_cast<std::size_t>(count)), plan.blur);
      for (int i = 0; i < count; ++i) {
        const std::size_t pixel = first + static_cast<std::size_t>(i);
        const float radius = radii[static_cast<std::size_t>(i)], weight = glsl::blurWeight(radius);
        Float4 blurred = loadVector<Float4>(&frame.colour[pixel]);
        if (weight > 0.0f) {
          const glm::ivec2 p(from.x + i, from.y);
          const glsl::Boxes boxes = glsl::boxesOf(glsl::boxHalfWidth(radius), ratio, size_);
          const bool inside = table.isInside(p, boxes.outer);
          const auto inner = inside ? sumInside(table, p, boxes.inner) : sumOver(table, p, boxes.inner);
          const auto outer = inside ? sumInside(table, p, boxes.outer) : sumOver(table, p, boxes.outer);
          const float t = boxes.outerWeight, area = inner.area * (1.0f - t) + outer.area * t;
          const Float4 sum = toFloat(inner.sum) * (1.0f - t) + toFloat(outer.sum) * t;
          blurred += (sum * (unit / area) + offset - blurred) * weight;
        }
        storeVector(&image[pixel], blurred);
      }
    });
  }

  // radiusOf() of shaders/lens/radius_rule.glsl, as loops that vectorise.
  SATDOF_INLINE std::array<float, kPiecePx> radiiOf(std::span<const float> depth, const RadiusRule& rule) const {
    std::array<float, kPiecePx> radii;
    if (rule_.linear) {
      for (std::size_t i = 0; i < depth.size(); ++i)
        radii[i] = glsl::linearRadius(depth[i], rule.nearM, rule.focusM, rule.rangeM, rule.fullRadiusPx);
    } else {
      for (std::size_t i = 0; i < depth.size(); ++i) radii[i] = glsl::signedRadius(rule.lens, depth[i]);
    }
    return radii;
  }

  // Calls task(index of the first pixel, its position, number of pixels) for pieces of all rows, on all threads.
  template <class Task>
  void forEachPiece(const Task& task) {
    pool_.forEach(size_.y, [&](int y) {
      vectorised([&]() SATDOF_INLINE {
        const std::size_t first = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x);
        for (int x = 0; x < size_.x; x += kPiecePx)
          task(first + static_cast<std::size_t>(x), {x, y}, std::min(kPiecePx, size_.x - x));
      });
    });
  }

  TableFormat format_;
  const BlurRule& rule_;
  ThreadPool pool_;
  CpuTableBuilder builder_;
  glm::ivec2 size_{0};
  std::vector<glm::uvec4> table_;
};

}  // namespace

std::unique_ptr<CpuBlur> makeCpuBoxBlur(const Technique& technique, const BlurRule& rule, int threads) {
  return std::make_unique<CpuBox>(technique.table.format, rule, threads);
}

}  // namespace satdof
