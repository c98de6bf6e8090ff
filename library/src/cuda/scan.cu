#include "library/src/check.h"
#include "library/src/cuda/sums.h"

namespace satdof::cuda {

struct ScanPlan::State {
  cpu::ScanShape shape;
  SumShape sumShape;
  OnDevice device;
  SumPlan sums;
  DeviceArray<Maxima> maxima;
};

namespace {

SumShape shapeOf(const cpu::ScanShape& shape, bool exclusive) {
  const auto outer = static_cast<unsigned>(shape.outer), length = static_cast<unsigned>(shape.length),
             inner = static_cast<unsigned>(shape.inner);
  if (inner > kMaxChannels) return {SumKind::columns, inner, length, 1, outer, exclusive};
  return {rowSumKind(shape.length * shape.inner), length * inner, outer, inner, 1, exclusive};
}

}  // namespace

ScanPlan::ScanPlan(const cpu::ScanShape& shape, cpu::Sums sums) {
  constexpr std::size_t kLimit = std::size_t{1} << 31;
  const std::size_t outer = shape.outer, length = shape.length, inner = shape.inner;
  if (outer == 0 || length == 0 || inner == 0) return;
  cpu::require(
      outer < kLimit && length < kLimit && inner < kLimit && outer * length < kLimit && outer * length * inner < kLimit,
      "a scan of ", outer, " x ", length, " x ", inner, " elements: the limit is 2^31 - 1");
  const SumShape of = shapeOf(shape, sums == cpu::Sums::exclusive);
  state_ = std::make_unique<State>(State{shape, of, {}, SumPlan(of), DeviceArray<Maxima>(1)});
}
ScanPlan::ScanPlan(ScanPlan&&) noexcept = default;
ScanPlan& ScanPlan::operator=(ScanPlan&&) noexcept = default;
ScanPlan::~ScanPlan() = default;

void ScanPlan::run(Input in, Output out, CUstream_st* stream) {
  const Type wanted = isFloat(in.type) ? in.type : isSigned(in.type) ? Type::int64 : Type::uint64;
  cpu::require(out.type == wanted, "the scan of ", nameOf(in.type), " is ", nameOf(wanted), ", not ", nameOf(out.type));
  if (state_ == nullptr) return;
  state_->device.require();
  cpu::require(in.data != nullptr && out.data != nullptr, "the scan has no data");
  const cpu::ScanShape& shape = state_->shape;
  const auto row = static_cast<std::ptrdiff_t>(state_->sumShape.elements),
             batch = row * static_cast<std::ptrdiff_t>(state_->sumShape.height);
  FixedPoint fixed;
  if (isFloat(in.type)) {
    const std::size_t outer = shape.outer * shape.length;
    // All elements as an image: each row holds one inner axis, or, if that is short, the whole scan axis.
    const bool flat = shape.inner <= kMaxChannels;
    const auto width = static_cast<int>(flat ? shape.length * shape.inner : shape.inner);
    const auto height = static_cast<int>(flat ? shape.outer : outer);
    measureMagnitude({in, width, height, 1, width}, state_->maxima, stream);
    fixed = {1.0, state_->maxima.data(), static_cast<double>(shape.length)};
  }
  state_->sums.run({in, row, batch, fixed}, {out, row, batch}, stream);
}

}  // namespace satdof::cuda
