#include <algorithm>

#include "app/core/files/data_dir.h"
#include "app/lab/experiment.h"
#include "app/lab/files.h"

namespace satdof::lab {

void addStored(std::vector<Experiment>& experiments, const Results& stored) {
  for (Experiment& experiment : experiments) {
    const auto result = std::ranges::find(stored.experiments, experiment.id, &ExperimentResult::id);
    if (result == stored.experiments.end()) continue;
    for (const Series& series : experiment.series) {
      const auto curve = std::ranges::find(result->curves, series.name, &Curve::name);
      if (curve == result->curves.end() || missingReason(series).empty()) continue;
      Curve& added = experiment.stored.emplace_back(*curve);
      added.name += ", stored";
    }
  }
}

Results storedResults() { return readResults(dataDir() / "assets" / "lab-h100.json"); }

}  // namespace satdof::lab
