#include "app/filter/stage.h"

#include <stdexcept>

#include "app/gl/built.h"
#include "app/gl/program.h"

namespace satdof {

void FilterStage::choose(const FilterSettings& wanted, glm::ivec2 size) {
  const bool resized = size != size_, retries = !failure_.empty() && reloads_ != gl::shaderReloads();
  if (!resized && !retries && chosen_ == wanted) return;
  size_ = size;
  chosen_ = wanted;
  reloads_ = gl::shaderReloads();
  failure_.clear();
  if (wanted.mask.none()) {
    filter_.reset();
    return;
  }
  try {
    make(wanted);
  } catch (const std::runtime_error& error) {
    failure_ = error.what();
    if (resized) filter_.reset();
  }
}

void FilterStage::make(const FilterSettings& wanted) {
  const FilterMask mask = maskOf(wanted);
  auto filter = gl::withBuiltPrograms([&] { return makeFilter(mask, wanted.variant, wanted.form); });
  filter->resize(size_);
  filter_ = std::move(filter);
  label_ = std::string("filter ") + name(filterOf(wanted.variant).variant) + ", " + std::to_string(mask.width) + "x" +
           std::to_string(mask.height) + (filterPlan(mask, wanted.form).passes.size() == 2 ? " separable" : " direct");
}

std::string FilterStage::state() const {
  if (!filter_) return {};
  const std::string detail = filter_->state();
  return detail.empty() ? label_ : label_ + ", " + detail;
}

}  // namespace satdof
