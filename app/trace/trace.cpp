#include "app/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "app/core/settings_json.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/trace/cuda.h"
#if SATDOF_HAS_TRACE
#include "app/trace/recorder.h"
#endif

namespace satdof::trace {

namespace {

// A variant without a row in cuda/*/variants.h.
struct VariantRow {
  const char* name;
  const char* summary;
};
constexpr VariantRow kTablePasses[] = {
    {"deinterleave", "texels of four channels to planes (39.3.2)"},
    {"transpose", "a plane, by tiles in shared memory (39.3.2)"},
    {"interleave", "planes to texels of four channels (39.3.2)"},
    {"fused", "a whole summed-area table in one pass"},
};
constexpr VariantRow kAllPairs[] = {
    {"naive", "forces of all pairs of bodies, from global memory"},
    {"tiled", "forces of all pairs of bodies, tiles of bodies in shared memory"},
};

constexpr WhatIfRow kWhatIfs[] = {
    {WhatIf::banks16, "16-banks", "shared memory of the G80: 16 banks, one half of a warp after the other", ""},
    {WhatIf::noPadding, "no-padding", "the order of blelloch-padded without its padding", "scan/blelloch-padded"},
    {WhatIf::bookPadding, "book-padding",
     "the padding macro as printed in GPU Gems 3: a sum binds tighter than a shift", "scan/blelloch-padded"},
    {WhatIf::missingBarrier, "missing-barrier", "no barrier after the first level of the up-sweep", "scan/blelloch"},
    {WhatIf::notPowerOfTwo, "not-power-of-two", "a tree over elements that are not padded to a power of two",
     "scan/blelloch"},
    {WhatIf::stall, "two-blocks-stall", "look-back without tickets: a block waits for one that cannot start",
     "scan/decoupled-lookback"},
    {WhatIf::smallTiles, "small-tiles", "look-back over tiles of 128 elements in place of 2048",
     "scan/decoupled-lookback"},
    {WhatIf::slowBlock, "slow-block", "small tiles of which the second block gets one turn in eight",
     "scan/decoupled-lookback"},
};
constexpr unsigned kFewBlocks = 4;  // resident blocks of kernels that look back
constexpr const char* kLookBackKernels[] = {"scan/decoupled-lookback", "compact/decoupled-lookback", "sort/onesweep",
                                            "table/fused"};

template <class Variant>
void addRows(std::vector<Kernel>& rows, const char* folder, Family family) {
  for (const auto& info : entries(Variant{})) {
    if constexpr (requires { Variant::cub; })
      if (info.value == Variant::cub) continue;  // device code that needs nvcc
    Kernel row{std::string(folder) + "/" + info.name, info.summary, family, static_cast<int>(info.value)};
    if constexpr (requires { info.hasBlockSize; }) row.hasBlockSize = info.hasBlockSize;
    if constexpr (requires { info.theory; }) row.theory = info.theory;
    rows.push_back(std::move(row));
  }
}

void addRows(std::vector<Kernel>& rows, const char* folder, Family family, std::span<const VariantRow> variants) {
  for (int i = 0; const VariantRow& variant : variants)
    rows.push_back({std::string(folder) + "/" + variant.name, variant.summary, family, i++});
}

std::vector<Kernel> allKernels() {
  std::vector<Kernel> rows;
  addRows<Scan>(rows, "scan", Family::scan);
  std::erase_if(rows, [](const Kernel& row) { return static_cast<Scan>(row.variant) == Scan::fused; });
  addRows<Compaction>(rows, "compact", Family::compact);
  addRows<Sort>(rows, "sort", Family::sort);
  addRows<Convolve>(rows, "convolve", Family::convolve);
  addRows(rows, "table", Family::table, kTablePasses);
  addRows(rows, "gravity", Family::gravity, kAllPairs);
  for (Kernel& row : rows) row.looksBack = std::ranges::find(kLookBackKernels, row.name) != std::end(kLookBackKernels);
  return rows;
}

void requireSize(const Request& request, unsigned most) {
  const std::string size = "--elements " + std::to_string(request.elements);
  if (request.elements == 0 || request.elements > most)
    throw UsageError(size + ": expected 1 to " + std::to_string(most));
  if (kernelNamed(request.kernel).family != Family::table) return;
  const auto side = static_cast<unsigned>(std::lround(std::sqrt(request.elements)));
  if (side * side != request.elements)
    throw UsageError(size + ": " + request.kernel + " takes a square image, such as " + std::to_string(side * side) +
                     " elements");
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> rows = allKernels();
  return rows;
}

const Kernel& kernelNamed(const std::string& name) {
  for (const Kernel& row : kernels())
    if (row.name == name) return row;
  std::vector<std::string> names;
  for (const Kernel& row : kernels()) names.push_back(row.name);
  throw UsageError("--kernel " + excerpt(name) + ": unknown; did you mean " + nearest(name, names) +
                   "? --list names them all");
}

unsigned residentBlocksOf(const std::string& kernel) { return kernelNamed(kernel).looksBack ? kFewBlocks : 1; }

std::span<const WhatIfRow> whatIfs() { return kWhatIfs; }

const WhatIfRow& rowOf(WhatIf value) {
  static constexpr WhatIfRow kNothing;
  const auto found = std::ranges::find(kWhatIfs, value, &WhatIfRow::value);
  return found == std::end(kWhatIfs) ? kNothing : *found;
}

const WhatIfRow& whatIfNamed(const std::string& name) {
  std::vector<std::string> names;
  for (const WhatIfRow& row : kWhatIfs) {
    if (name == row.name) return row;
    names.emplace_back(row.name);
  }
  throw UsageError("--what-if " + excerpt(name) + ": unknown; did you mean " + nearest(name, names) +
                   "? --list names them all");
}

const char* name(StepKind kind) {
  constexpr const char* kNames[] = {"read", "write", "atomic", "lanes", "barrier"};
  return kNames[static_cast<std::size_t>(kind)];
}

Tally& operator+=(Tally& sum, const Tally& other) {
  for (const auto member :
       {&Tally::sharedAccesses, &Tally::sharedPasses, &Tally::globalAccesses, &Tally::globalSectors,
        &Tally::leastSectors, &Tally::atomics, &Tally::laneExchanges, &Tally::barriers, &Tally::lanes})
    sum.*member += other.*member;
  return sum;
}

Tally tallyOf(const Step& step, std::span<const Buffer> buffers) {
  if (step.kind == StepKind::lanes) return {.laneExchanges = 1};
  if (step.kind == StepKind::barrier) return {.barriers = 1};
  Tally tally{.atomics = step.kind == StepKind::atomic ? 1u : 0u, .lanes = step.laneCount};
  if (buffers[step.buffer].space == Space::shared) {
    tally.sharedAccesses = 1;
    tally.sharedPasses = step.passes;
  } else {
    tally.globalAccesses = 1;
    tally.globalSectors = step.sectors;
  }
  return tally;
}

void requireValid(const Request& request, unsigned most) {
  requireSize(request, most);
  constexpr int kSizes[] = {32, 64, 128, 256, 512, 1024};
  if (std::ranges::find(kSizes, request.blockSize) == std::end(kSizes))
    throw UsageError("--block-size " + std::to_string(request.blockSize) + ": expected 32, 64, 128, 256, 512 or 1024");
  if (request.residentBlocks == 0 || request.residentBlocks > kMaxResident)
    throw UsageError("--resident-blocks " + std::to_string(request.residentBlocks) + ": expected 1 to " +
                     std::to_string(kMaxResident));
  const WhatIfRow& row = rowOf(request.whatIf);
  if (*row.kernel != 0 && request.kernel != row.kernel)
    throw UsageError(std::string("--what-if ") + row.name + ": only for --kernel " + row.kernel);
  if (request.data == Data::file && request.fileValues.size() < request.elements)
    throw UsageError("--data: the file has " + std::to_string(request.fileValues.size()) + " numbers, of " +
                     std::to_string(request.elements) + " elements");
}

std::vector<std::uint32_t> inputOf(const Request& request) {
  std::vector<std::uint32_t> words(request.elements, 1);
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < request.elements; ++i) {
    if (request.data == Data::ramp) words[i] = i;
    if (request.data == Data::random) words[i] = static_cast<std::uint32_t>(random() >> 24);
    if (request.data == Data::file) words[i] = request.fileValues[i];
  }
  return words;
}

#if SATDOF_HAS_TRACE

namespace {

static_assert(kMaxResident == emulator::Turns::kMax);

emulator::Turns turnsOf(const Request& request) {
  if (request.whatIf == WhatIf::stall) return {};
  if (request.whatIf == WhatIf::slowBlock) return {.resident = std::max(kFewBlocks, request.residentBlocks), .slow = 1};
  return {.resident = request.residentBlocks};
}

// Runs a job on the emulator. `checked`: checks accesses for faults. Returns the fault of the kernel; an empty string
// if there is none.
std::string emulate(Recorder* observer, Job& job, bool checked, const emulator::Turns& turns) {
  struct Restore {
    bool checked = emulator::checking();
    ~Restore() {
      emulator::check(checked);
      emulator::observe(nullptr);
      emulator::takeTurns({});
    }
  } const restore;
  emulator::check(checked);
  emulator::observe(observer);
  emulator::takeTurns(turns);
  try {
    job.run();
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return "";
}

Trace traced(const Request& request, bool keepsSteps) {
  const auto input = inputOf(request);
  const auto job = on_cuda_emulated::makeJob(request, input);
  Recorder recorder(keepsSteps, job->memory(), request.whatIf == WhatIf::banks16 ? 16 : 32);
  const std::string endedBy = emulate(&recorder, *job, false, turnsOf(request));
  if (recorder.isFull())
    throw std::runtime_error("the trace of " + request.kernel + " with " + std::to_string(request.elements) +
                             " elements has more than " + std::to_string(kMaxLanes) +
                             " accesses: choose fewer elements");
  const std::string fault = emulate(nullptr, *on_cuda_emulated::makeJob(request, input), true, turnsOf(request));
  Trace trace = recorder.finish();
  trace.counts.request = request;
  trace.counts.fault = endedBy.empty() ? fault : endedBy;
  if (endedBy.empty()) trace.counts.result = job->result();
  if (request.whatIf != WhatIf::nothing) {
    Request plain = request;
    plain.whatIf = WhatIf::nothing;
    const Counts without = traced(plain, false).counts;
    trace.counts.without = without.total;
    for (std::size_t i = 0; i < trace.counts.result.size(); ++i)
      trace.counts.wrong += trace.counts.result[i] != without.result[i];
  }
  return trace;
}

}  // namespace

std::string unavailable() { return ""; }

#else

std::string unavailable() {
  return "traces need the emulator of CUDA kernels, which this build lacks (GCC with Boost.Context, without "
         "sanitizers)";
}

namespace {

Trace traced(const Request&, bool) { throw std::runtime_error(unavailable()); }

}  // namespace

#endif

Trace record(const Request& request) {
  requireValid(request, kMaxRecorded);
  return traced(request, true);
}

Counts count(const Request& request) {
  requireValid(request, kMaxCounted);
  return traced(request, false).counts;
}

}  // namespace satdof::trace
