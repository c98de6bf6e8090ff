#include "app/run/headless/trace.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "app/core/files/files.h"
#include "app/run/film/slow_motion_video.h"
#include "app/run/progress.h"
#include "app/trace/files.h"

namespace satdof {

namespace {

unsigned long long wide(std::uint64_t value) { return value; }

void print(const trace::Counts& counts) {
  const trace::Tally& all = counts.total;
  std::printf("%s, %u elements: %zu launches, depth %llu\n", counts.request.kernel.c_str(), counts.request.elements,
              counts.launches.size(), wide(counts.depth));
  std::printf("shared memory: %llu accesses of warps in %llu passes\n", wide(all.sharedAccesses),
              wide(all.sharedPasses));
  std::printf("global memory: %llu accesses of warps, %llu sectors of 32 bytes, at least %llu\n",
              wide(all.globalAccesses), wide(all.globalSectors), wide(all.leastSectors));
  std::printf("%llu barriers, %llu shuffles and votes, %llu atomics, %.1f lanes an access\n", wide(all.barriers),
              wide(all.laneExchanges), wide(all.atomics), all.meanLanes());
  const ScanTheory& theory = trace::kernelNamed(counts.request.kernel).theory;
  if (theory.additionsOf != nullptr)
    std::printf("theory: %s = %.0f additions in %s = %.0f steps\n", theory.additions,
                theory.additionsOf(counts.request.elements), theory.steps, theory.stepsOf(counts.request.elements));
  if (counts.without) {
    const trace::Tally& plain = *counts.without;
    std::printf("without %s: %llu accesses in %llu passes, %llu sectors\n", trace::rowOf(counts.request.whatIf).name,
                wide(plain.sharedAccesses), wide(plain.sharedPasses), wide(plain.globalSectors));
    if (counts.result.empty())
      std::printf("no result\n");
    else
      std::printf("%zu of %zu elements are wrong\n", counts.wrong, counts.result.size());
  }
  if (!counts.fault.empty()) std::printf("fault: %s\n", counts.fault.c_str());
}

// Writes the slow-motion video of a kernel. Returns its counts.
trace::Counts writeVideo(const CommandLine& line) {
  constexpr float kFramesPerSecond = 8.0f;
  constexpr double kWaitS = 0.5;
  trace::Show show(line.traceOf, "");
  trace::Counts counts = show.players().front().trace().counts;
  const auto frames = static_cast<long>(show.players().front().end());
  SlowMotionVideo video(line.trace, std::move(show), std::nullopt,
                        {.framesPerSecond = line.framesPerSecond > 0 ? line.framesPerSecond : kFramesPerSecond});
  Progress progress;
  while (!video.advance(kWaitS)) progress.show("frame", std::lround(video.part() * static_cast<float>(frames)), frames);
  return counts;
}

}  // namespace

void runTrace(const CommandLine& line) {
  const trace::FileFormat format = trace::fileFormat(line.trace);
  if (format == trace::FileFormat::film) {
    print(writeVideo(line));
    return;
  }
  const bool steps = line.traceOf.elements <= trace::kMaxRecorded && format != trace::FileFormat::csv;
  trace::Trace made;
  if (steps)
    made = trace::record(line.traceOf);
  else
    made.counts = trace::count(line.traceOf);
  writeWholeFile(line.trace, trace::encode(format, made));
  print(made.counts);
}

}  // namespace satdof
