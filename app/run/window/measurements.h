#pragma once
#include <optional>
#include <string>

#include "app/lab/laboratory.h"
#include "app/lab/table_benchmark.h"
#include "app/ui/session.h"

namespace satdof {

// The benchmark and the laboratory of a window, which measure between frames.
class Measurements {
 public:
  // Measures for a part of the frame, and saves what the panel of the laboratory asks for. Reports failures in the
  // session.
  void advance(Session& session);
  // Ends the benchmark.
  void leaveDevices() { benchmark_.reset(); }

  const TableBenchmark* benchmark() const { return benchmark_ ? &*benchmark_ : nullptr; }
  const lab::Laboratory* lab() const { return lab_ ? &*lab_ : nullptr; }

 private:
  void advanceBenchmark(Session& session);
  void advanceLab(Session& session);
  void openLab(Session& session);
  void saveLab(Session& session, const std::string& extension) const;

  std::optional<TableBenchmark> benchmark_;
  std::optional<lab::Laboratory> lab_;  // once its window has been opened
};

}  // namespace satdof
