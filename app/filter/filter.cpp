#include "app/filter/filter.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace satdof {

namespace {

template <Convolve variant>
std::unique_ptr<Filter> makeCuda([[maybe_unused]] const FilterPlan& plan) {
#if SATDOF_HAS_CUDA
  return on_cuda::makeFilter(plan, variant);
#else
  return nullptr;
#endif
}

std::unique_ptr<Filter> makeEmulated([[maybe_unused]] const FilterPlan& plan) {
#if SATDOF_HAS_EMULATOR
  return on_cuda_emulated::makeFilter(plan, Convolve::tiled);
#else
  return nullptr;
#endif
}

constexpr std::array kFilters = {
    FilterRow{FilterVariant::cudaTiled, DeviceKind::cuda, makeCuda<Convolve::tiled>},
    FilterRow{FilterVariant::cudaConstant, DeviceKind::cuda, makeCuda<Convolve::constant>},
    FilterRow{FilterVariant::cudaNaive, DeviceKind::cuda, makeCuda<Convolve::naive>},
    FilterRow{FilterVariant::glFragment, DeviceKind::openGl, makeGlFilter},
    FilterRow{FilterVariant::cpu, DeviceKind::processor, makeCpuFilter},
    FilterRow{FilterVariant::cpuSequential, DeviceKind::processor, makeCpuSequentialFilter},
    FilterRow{FilterVariant::cudaEmulated, DeviceKind::emulated, makeEmulated},
};

}  // namespace

std::span<const FilterRow> filters() { return kFilters; }

Availability availability(FilterVariant variant) {
  const Availability& here = availability(filterOf(variant).runsOn);
  return {here.available, here.available ? "" : here.reason};
}

const FilterRow& filterOf(FilterVariant variant) {
  const auto found =
      variant == FilterVariant::automatic
          ? std::ranges::find_if(kFilters, [](const FilterRow& row) { return availability(row.runsOn).available; })
          : std::ranges::find(kFilters, variant, &FilterRow::variant);
  if (found == kFilters.end()) throw std::logic_error("a filter variant without a row in app/filter/filter.cpp");
  return *found;
}

std::unique_ptr<Filter> makeFilter(const FilterMask& mask, FilterVariant variant, FilterForm form) {
  const FilterRow& row = filterOf(variant);
  if (const Availability& here = availability(row.runsOn); !here.available)
    throw std::runtime_error(std::string("cannot filter with ") + name(row.variant) + ": " + here.reason +
                             "; choose another --filter-variant (--list shows them)");
  return row.make(filterPlan(mask, form));
}

}  // namespace satdof
