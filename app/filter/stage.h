#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/filter/filter.h"

namespace satdof {

// The filter of one side of a split. If a filter cannot be made, the last filter stays, and failure() gives the reason.
class FilterStage {
 public:
  // Makes another filter if settings or size changed, and reads the file of its mask. After a failure the last filter
  // stays, unless the size changed. The next reload of the shaders tries again.
  void choose(const FilterSettings& wanted, glm::ivec2 size);
  // Whether images are filtered.
  bool active() const { return filter_ != nullptr; }
  // Filters `image` into `filtered`, to which `framebuffer` draws.
  void run(const FilterImages& images, Timings& timings) { filter_->run(images, timings); }
  // Why the filter that choose() wanted last could not be made; empty if it was made.
  const std::string& failure() const { return failure_; }
  // "filter gl-fragment, 9x9 separable"; empty if not active.
  std::string state() const;

 private:
  void make(const FilterSettings& wanted);

  std::unique_ptr<Filter> filter_;
  std::optional<FilterSettings> chosen_;
  glm::ivec2 size_{0};
  int reloads_ = 0;  // shaderReloads() when the filter was chosen
  std::string failure_, label_;
};

}  // namespace satdof
