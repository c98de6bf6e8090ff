#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"

// Runs of the CUDA kernels on the processor, access by access: what each warp reads and writes, and what that costs.
namespace satdof::trace {

// A row of --kernel: everything of the CUDA library that scans, compacts, sorts, convolves, builds tables or sums forces.
enum class Family { scan, compact, sort, convolve, table, gravity };
enum class TablePass { deinterleave, transpose, interleave, fused };  // variants of Family::table
enum class AllPairs { naive, tiled };                                 // variants of Family::gravity

struct Kernel {
  std::string name;  // "scan/blelloch"
  std::string summary;
  Family family = Family::scan;
  int variant = 0;            // an entry of Scan, Compaction, Sort, Convolve, TablePass or AllPairs
  bool hasBlockSize = false;  // whether Request::blockSize applies
  bool looksBack = false;     // its blocks wait for words of other blocks
  ScanTheory theory = {};     // of a scan
};
std::span<const Kernel> kernels();
// Throws UsageError with the nearest name.
const Kernel& kernelNamed(const std::string& name);

// Elements: 1, 1, 1, ...; 0, 1, 2, ...; random from 0 to 255; those of Request::fileValues. A compaction keeps odd elements.
enum class Data { ones, ramp, random, file };

inline constexpr unsigned kMostRecorded = 4096;     // elements of record()
inline constexpr std::size_t kMostLanes = 1 << 22;  // accesses of record()
inline constexpr unsigned kMostCounted = 1u << 22;  // elements of count()
inline constexpr unsigned kMostResident = 8;

// A known mistake, or older hardware, in place of the kernel as it is.
enum class WhatIf {
  nothing,
  banks16,
  noPadding,
  bookPadding,
  missingBarrier,
  notPowerOfTwo,
  stall,
  smallTiles,
  slowBlock
};
struct WhatIfRow {
  WhatIf value = WhatIf::nothing;
  const char* name = "";  // "book-padding"
  const char* summary = "";
  const char* kernel = "";  // the one that it applies to; empty: all
};
std::span<const WhatIfRow> whatIfs();  // without `nothing`
const WhatIfRow& rowOf(WhatIf value);
// Throws UsageError with the nearest name.
const WhatIfRow& whatIfNamed(const std::string& name);

struct Request {
  std::string kernel = "scan/blelloch";
  unsigned elements = 64;
  int blockSize = 256;
  Data data = Data::ones;
  std::vector<std::uint32_t> fileValues = {};  // at least `elements`, with Data::file
  WhatIf whatIf = WhatIf::nothing;
  unsigned residentBlocks = 1;  // that run at once, in turns: 1 to kMostResident
};

// Of a play that shows what the kernel does: some if its blocks wait for each other.
unsigned residentBlocksOf(const std::string& kernel);

enum class Space : std::uint8_t { global, shared };

// Memory that a kernel accesses. Each block has shared memory of its own.
struct Buffer {
  std::string name;  // "in", "out", "scratch 1", "shared"
  Space space = Space::global;
  std::size_t bytes = 0;
  unsigned elementBytes = 4;
  bool holdsTileWords = false;  // of blocks that look back: cuda/scan/lookback.cuh
};

struct Source {
  std::string file;  // "cuda/scan/tree.cuh"
  int line = 0;
  bool operator==(const Source&) const = default;
};

// lanes: a shuffle, vote or __syncwarp of a warp; barrier: of a block.
enum class What : std::uint8_t { read, write, atomic, lanes, barrier };
const char* name(What what);

// One lane's part of an access.
struct Lane {
  std::uint8_t lane = 0;
  std::uint32_t offset = 0;     // bytes from the begin of the buffer
  std::uint32_t words[4] = {};  // the value read, or the value after a write; Step::bytes of it
};

// One instruction of one warp, or a barrier of a block.
struct Step {
  What what = What::read;
  std::uint8_t bytes = 0;    // of one lane
  std::uint8_t passes = 0;   // shared memory: turns of the banks
  std::uint8_t sectors = 0;  // global memory: 32-byte sectors
  std::uint32_t launch = 0, block = 0, warp = 0;
  std::uint32_t buffer = 0, source = 0;        // index into Trace::buffers, Trace::sources
  std::uint32_t firstLane = 0, laneCount = 0;  // in Trace::lanes
};

struct Tally {
  std::uint64_t sharedAccesses = 0, sharedPasses = 0;  // of warps
  std::uint64_t globalAccesses = 0, globalSectors = 0,
                leastSectors = 0;                              // least: the bytes accessed, without gaps
  std::uint64_t atomics = 0, laneExchanges = 0, barriers = 0;  // atomics are accesses, too
  std::uint64_t lanes = 0;                                     // that took part in accesses
  double meanLanes() const {
    const std::uint64_t all = sharedAccesses + globalAccesses;
    return all == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(all);
  }
};
Tally& operator+=(Tally& sum, const Tally& other);

struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
};

struct LaunchInfo {
  std::string kernel;  // "scanTiles<...>"
  Extent3 grid, block;
  std::size_t sharedBytes = 0;  // dynamic
  Tally tally;
  // The longest chain: of the slowest block, the instructions of the slowest warp between two barriers, plus barriers.
  std::uint64_t depth = 0;
  // record(): the bytes of each buffer in global memory before the launch, in the order of Trace::buffers; empty for
  // shared memory and for buffers that come later.
  std::vector<std::vector<std::uint8_t>> contents;
};

struct LineTally {
  Source source;
  Tally tally;
};

struct Counts {
  Request request;
  std::vector<LaunchInfo> launches;
  std::vector<LineTally> lines;  // in the order of the sources
  Tally total;
  std::uint64_t depth = 0;            // sum over the launches
  std::string fault;                  // empty, or the hazard or other fault that the checks found
  std::vector<std::uint32_t> result;  // the output, as bits; empty if the fault ended the kernel
  // With Request::whatIf: the counts of the kernel without it, and how many elements of the result differ.
  std::optional<Tally> without;
  std::size_t wrong = 0;
};

// Steps are in the order of launches and of the turns of their blocks. Between two barriers of a block its warps take
// turns, one instruction each.
struct Trace {
  Counts counts;
  std::vector<Buffer> buffers;
  std::vector<Source> sources;
  std::vector<Lane> lanes;
  std::vector<Step> steps;
};

// Throws UsageError with the choices unless the size, at most `most`, the block size and the what-if are supported.
void requireValid(const Request& request, unsigned most);
// The elements of a request that requireValid() accepts.
std::vector<std::uint32_t> inputOf(const Request& request);

// Why record() and count() do not work in this build; empty: they do.
std::string unavailable();

// Both throw UsageError with the choices for an unknown kernel or a size or block size that is not supported, and
// std::runtime_error if the build has no emulator or a trace has more than kMostLanes accesses.
Trace record(const Request& request);
Counts count(const Request& request);  // keeps no steps

}  // namespace satdof::trace
