#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/laboratory.h"
#include "app/trace/costs.h"
#include "app/ui/session.h"

namespace satdof {

// The laboratory of a window, which measures between frames.
class Measurements {
 public:
  // Measures for a part of the frame.
  void advance(Session& session);
  // Saves the experiment that is shown. `extension`: ".svg". Reports failures, as advance() does, in the session.
  void save(Session& session, const std::string& extension) const;
  const lab::Laboratory* lab() const { return lab_ ? &*lab_ : nullptr; }
  // Of the kernels of all experiments shown so far.
  std::span<const trace::Costs> costs() const { return costs_; }
  bool counting() const { return counting_; }  // kernels of the experiment that is shown

 private:
  void openLab(Session& session);
  void countNextKernel(const LabPanel& panel);

  std::optional<lab::Laboratory> lab_;  // once its window has been opened
  std::vector<trace::Costs> costs_;
  bool counting_ = false;
};

}  // namespace satdof
