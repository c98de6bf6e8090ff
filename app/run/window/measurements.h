#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/laboratory.h"
#include "app/trace/costs.h"
#include "app/ui/session.h"

namespace satdof {

// Runs the laboratory of a window, between frames.
class Measurements {
 public:
  // Call once a frame. Measures for some milliseconds.
  void advance(Session& session);
  // Saves the experiment that is shown. `extension`: such as ".svg". Both functions report failures in the session.
  void save(Session& session, const std::string& extension) const;
  const lab::Laboratory* lab() const { return lab_ ? &*lab_ : nullptr; }
  // Operation counts of the kernels of all experiments shown so far.
  std::span<const trace::Costs> costs() const { return costs_; }
  // Whether kernels of the shown experiment remain to be counted.
  bool counting() const { return counting_; }

 private:
  void openLab(Session& session);
  // Counts the operations of one kernel of the shown experiment.
  void countNextKernel(const LabPanel& panel);

  std::optional<lab::Laboratory> lab_;  // from the first time on that its window is open
  std::vector<trace::Costs> costs_;
  bool counting_ = false;
};

}  // namespace satdof
