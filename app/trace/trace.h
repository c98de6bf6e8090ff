#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"

// Runs the CUDA kernels on the processor and records each access of each warp, with its cost.
namespace satdof::trace {

inline constexpr unsigned kWarpSize = 32;  // threads of a warp: its lanes

// The kernels of the CUDA library, by what they do.
enum class Family { scan, compact, sort, convolve, table, gravity };
enum class TablePass { deinterleave, transpose, interleave, fused };  // variants of Family::table
enum class AllPairs { naive, tiled };                                 // variants of Family::gravity

// A choice of --kernel.
struct Kernel {
  std::string name;  // "scan/blelloch"
  std::string summary;
  Family family = Family::scan;
  int variant = 0;            // an entry of Scan, Compaction, Sort, Convolve, TablePass or AllPairs
  bool hasBlockSize = false;  // whether Request::blockSize applies
  bool looksBack = false;     // blocks wait for tile words of other blocks (decoupled look-back)
  ScanTheory theory = {};     // for scans
};
std::span<const Kernel> kernels();
// Throws UsageError with the nearest name.
const Kernel& kernelNamed(const std::string& name);

// Input elements: 1, 1, 1, ...; 0, 1, 2, ...; random from 0 to 255; Request::fileValues. A compaction keeps odd
// elements.
enum class Data { ones, ramp, random, file };
inline constexpr const char* kDataNames[] = {"ones", "ramp", "random", "file"};
inline constexpr Data kMadeData[] = {Data::ones, Data::ramp, Data::random};
inline const char* name(Data data) { return kDataNames[static_cast<std::size_t>(data)]; }

inline constexpr unsigned kMaxRecorded = 4096;     // elements of record()
inline constexpr std::size_t kMaxLanes = 1 << 22;  // accesses of record(), counted by lane
inline constexpr unsigned kMaxCounted = 1u << 22;  // elements of count()
inline constexpr unsigned kMaxResident = 8;        // Request::residentBlocks

// Replaces the kernel by one with a known mistake, or its hardware by older hardware.
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
  const char* kernel = "";  // name of the only kernel that it applies to; empty: all kernels
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
  unsigned residentBlocks = 1;  // blocks that run concurrently, in turns: 1 to kMaxResident
};

// Returns the resident blocks that show how the kernel works: several if its blocks look back, else 1.
unsigned residentBlocksOf(const std::string& kernel);

enum class Space : std::uint8_t { global, shared };

// Memory that a kernel accesses. Each block has shared memory of its own.
struct Buffer {
  std::string name;  // "in", "out", "scratch 1", "shared"
  Space space = Space::global;
  std::size_t bytes = 0;
  unsigned elementBytes = 4;
  bool holdsTileWords = false;  // TileWord of cuda/scan/lookback.cuh: status and sum of a tile
};

struct Source {
  std::string file;  // "cuda/scan/tree.cuh"
  int line = 0;
  bool operator==(const Source&) const = default;
};

// lanes: a shuffle, vote or __syncwarp of a warp; barrier: __syncthreads of a block.
enum class StepKind : std::uint8_t { read, write, atomic, lanes, barrier };
const char* name(StepKind kind);

// One lane's part of an access.
struct Lane {
  std::uint8_t lane = 0;
  std::uint32_t offset = 0;     // bytes from the start of the buffer
  std::uint32_t words[4] = {};  // the first Step::bytes: the value that was read, or the value after a write
};

// One instruction of one warp, or a barrier of a block.
struct Step {
  StepKind kind = StepKind::read;
  std::uint8_t bytes = 0;    // accessed by one lane
  std::uint8_t passes = 0;   // shared memory: conflict-free turns of the banks
  std::uint8_t sectors = 0;  // global memory: 32-byte sectors
  std::uint32_t launch = 0, block = 0, warp = 0;
  std::uint32_t buffer = 0, source = 0;        // index into Trace::buffers, Trace::sources
  std::uint32_t firstLane = 0, laneCount = 0;  // range of Trace::lanes

  bool isAccess() const { return kind != StepKind::lanes && kind != StepKind::barrier; }
};

// Counts of steps. An access is one instruction of a warp.
struct Tally {
  std::uint64_t sharedAccesses = 0, sharedPasses = 0;
  std::uint64_t globalAccesses = 0, globalSectors = 0;
  std::uint64_t leastSectors = 0;                              // sectors that the bytes would fill without gaps
  std::uint64_t atomics = 0, laneExchanges = 0, barriers = 0;  // atomics are accesses, too
  std::uint64_t lanes = 0;                                     // active lanes, summed over the accesses
  double meanLanes() const {
    const std::uint64_t all = sharedAccesses + globalAccesses;
    return all == 0 ? 0 : static_cast<double>(lanes) / static_cast<double>(all);
  }
};
Tally& operator+=(Tally& sum, const Tally& other);
// Returns the counts of one step, without leastSectors.
Tally tallyOf(const Step& step, std::span<const Buffer> buffers);

struct Extent3 {
  unsigned x = 1, y = 1, z = 1;
  unsigned count() const { return x * y * z; }
};

struct LaunchInfo {
  std::string kernel;  // "scanTiles<...>"
  Extent3 grid, block;
  std::size_t sharedBytes = 0;  // dynamic
  Tally tally;
  // Critical path of the slowest block: between two barriers, the instructions of the warp with the most; plus the
  // barriers.
  std::uint64_t depth = 0;
  // Bytes of each global buffer before the launch, in the order of Trace::buffers; empty for shared memory and for
  // buffers that later launches access first. Empty in count().
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
  // With Request::whatIf: the counts of the unchanged kernel, and the number of elements of the result that differ.
  std::optional<Tally> without;
  std::size_t wrong = 0;
};

// A recorded run. Steps are ordered by launch, then by the turns of the resident blocks. Between two barriers of a
// block, its warps take turns, one instruction each.
struct Trace {
  Counts counts;
  std::vector<Buffer> buffers;
  std::vector<Source> sources;
  std::vector<Lane> lanes;
  std::vector<Step> steps;
};

// Throws UsageError with the choices unless the size, at most `most`, the block size and the what-if are supported.
void requireValid(const Request& request, unsigned most);
// Returns the input elements of a valid request.
std::vector<std::uint32_t> inputOf(const Request& request);

// Returns why record() and count() do not work in this build; an empty string if they do.
std::string unavailable();

// Runs a kernel. record() keeps the steps, count() only counts them. Both throw UsageError with the choices for an
// unknown kernel or an unsupported size or block size, and std::runtime_error if the build has no emulator or a trace
// has more than kMaxLanes accesses.
Trace record(const Request& request);
Counts count(const Request& request);

}  // namespace satdof::trace
