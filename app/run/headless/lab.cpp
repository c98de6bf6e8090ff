#include "app/run/headless/lab.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <span>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/lab/experiment.h"
#include "app/lab/files.h"
#include "app/lab/machine.h"
#include "app/lab/runner.h"
#include "app/run/limits.h"
#include "app/run/progress.h"
#include "app/run/system/headless_context.h"
#include "app/run/system/termination.h"

namespace satdof {

namespace {

volatile std::sig_atomic_t interrupted = 0;

// SIGINT sets `interrupted` during the life of the object.
class CatchInterrupt {
 public:
  CatchInterrupt() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}
  ~CatchInterrupt() { std::signal(SIGINT, before_); }
  CatchInterrupt(const CatchInterrupt&) = delete;
  CatchInterrupt& operator=(const CatchInterrupt&) = delete;

 private:
  void (*before_)(int);
};

lab::Runner measure(std::vector<lab::Experiment> experiments, const lab::Budget& budget) {
  Progress progress;
  lab::Runner runner(std::move(experiments), budget);
  while (!runner.finished()) {
    progress.show("measuring " + runner.current() + ": point", runner.pointsDone(), runner.points());
    runner.advance();
    if (interrupted != 0) runner.cancel();
  }
  progress.clear();
  if (runner.cancelled())
    std::fprintf(stderr, "satdof: interrupted after %ld of %ld points; writing those\n", runner.pointsDone(),
                 runner.points());
  return runner;
}

// Prints the notes of curves, each once with its number of curves.
void printNotes(std::span<const lab::ExperimentResult> results) {
  std::vector<std::pair<std::string, int>> reasons;
  for (const auto& result : results)
    for (const auto& curve : result.curves) {
      if (curve.note.empty()) continue;
      const auto known = std::ranges::find(reasons, curve.note, [](const auto& reason) { return reason.first; });
      if (known == reasons.end())
        reasons.emplace_back(curve.note, 1);
      else
        ++known->second;
    }
  for (const auto& [reason, count] : reasons)
    std::printf("%d curve%s: %s\n", count, count == 1 ? "" : "s", reason.c_str());
}

// The results of --lab-from, of the experiments that --lab-only names.
lab::Results selected(lab::Results results, const std::string& only) {
  if (only.empty()) return results;
  const auto wanted = lab::selectExperiments(only);
  std::erase_if(results.experiments, [&](const auto& result) {
    return std::ranges::none_of(wanted, [&](const auto& each) { return each.id == result.id; });
  });
  return results;
}

lab::Results measured(const CommandLine& line) {
  const CatchInterrupt interrupt;
  const HeadlessContext context(line.debugContext());
  const bool share = !line.share.empty();
  lab::Runner runner = share ? measure(lab::shortExperiments(), {.pointUs = 3e4, .sampleUs = 2e5, .totalUs = 9e7})
                             : measure(lab::selectExperiments(line.labOnly), {});
  requireContext();  // in a lost context, calls return at once: the times would be wrong
  lab::Results results{lab::machineAndVersions(), runner.results()};
  if (share)
    for (auto& result : results.experiments)
      for (auto& curve : result.curves) curve.note = lab::withoutPaths(curve.note);
  std::string command = share ? "satdof --share FILE" : "satdof --lab FILE";
  if (!line.labOnly.empty()) command += " --lab-only " + line.labOnly;
  results.context.emplace_back("command", command);
  results.context.emplace_back("origin",
                               runner.cancelled() ? "measured by satdof; interrupted" : "measured by satdof; complete");
  return results;
}

// Writes the results. Those of an interrupted run replace no file. Returns the name of the file.
std::filesystem::path written(const std::filesystem::path& path, const std::string& bytes) {
  if (interrupted != 0 && isThere(path))
    return writeNewFile(folderOf(path), bytes, [&, copy = 1]() mutable { return copyPath(path, ++copy); });
  writeWholeFile(path, bytes);
  return path;
}

}  // namespace

void runLab(const CommandLine& line) {
  const lab::Results results = line.labFrom ? selected(*line.labFrom, line.labOnly) : measured(line);
  const auto& path = line.share.empty() ? line.lab : line.share;
  const auto format = line.share.empty() ? lab::fileFormat(path) : lab::FileFormat::json;
  const std::filesystem::path file = written(path, lab::encode(format, results, {.timed = line.labTimed}));
  long points = 0;
  for (const auto& result : results.experiments)
    for (const auto& curve : result.curves) points += curve.published ? 0 : std::ssize(curve.points);
  std::printf("%s: %zu experiments, %ld points\n", pathText(file.filename()).c_str(), results.experiments.size(),
              points);
  printNotes(results.experiments);
  if (interrupted == 0) return;
  std::fflush(stdout);
  endBy(SIGINT);
}

}  // namespace satdof
