#include "app/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "app/core/usage_error.h"
#include "app/trace/files.h"
#include "tests/support/reason.h"

namespace satdof::trace {

namespace {

using testing::HasSubstr;

class TraceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!unavailable().empty()) GTEST_SKIP() << unavailable();
  }
};

std::vector<std::uint32_t> exclusiveSums(const std::vector<std::uint32_t>& input) {
  std::vector<std::uint32_t> sums(input.size());
  std::exclusive_scan(input.begin(), input.end(), sums.begin(), 0u);
  return sums;
}

// The output buffer, replayed: its bytes before the first launch, then every recorded write.
std::vector<std::uint32_t> replayed(const Trace& trace) {
  const auto isOut = [](const Buffer& buffer) { return buffer.name == "out"; };
  const auto out = static_cast<std::uint32_t>(std::ranges::find_if(trace.buffers, isOut) - trace.buffers.begin());
  std::vector<std::uint8_t> bytes;
  for (const LaunchInfo& launch : trace.counts.launches)
    if (bytes.empty() && out < launch.contents.size()) bytes = launch.contents[out];
  for (const Step& step : trace.steps) {
    if (step.laneCount == 0 || step.buffer != out || step.kind == StepKind::read) continue;
    for (std::uint32_t i = 0; i < step.laneCount; ++i) {
      const Lane& lane = trace.lanes[step.firstLane + i];
      std::memcpy(bytes.data() + lane.offset, lane.words, step.bytes);
    }
  }
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return words;
}

// Every kernel at a size that needs several blocks and, where the kernel allows, is no power of two.
std::vector<Request> smallRequests() {
  std::vector<Request> all;
  for (const Kernel& kernel : kernels())
    all.push_back({.kernel = kernel.name,
                   .elements = kernel.family == Family::table ? 35u * 35u : 300u,
                   .blockSize = 64,
                   .data = Data::random});
  return all;
}

// 16384 elements in blocks of 256; both levels of the scan. Nsight Compute on an H100 counts 26699, 6386, 8899 and 1728
// shared-memory wavefronts.
TEST_F(TraceTest, CountsOfTheScansOfTheChapter) {
  struct Expected {
    const char* kernel;
    std::uint64_t accesses, passes;
  };
  for (const auto& [kernel, accesses, passes] : {Expected{"scan/blelloch", 6387, 27227},
                                                 {"scan/blelloch-padded", 6386, 6386},
                                                 {"scan/hillis-steele", 8899, 8899},
                                                 {"scan/blelloch-vectorized", 1745, 1745}}) {
    const Counts counts = count({.kernel = kernel, .elements = 16384});
    EXPECT_EQ(counts.total.sharedAccesses, accesses) << kernel;
    EXPECT_EQ(counts.total.sharedPasses, passes) << kernel;
    EXPECT_EQ(counts.fault, "") << kernel;
  }
}

// One block of 64 elements, one warp: the tree in GPU Gems 3, 39.2.2.
TEST_F(TraceTest, OneTreeStepByStep) {
  const Trace trace = record({.kernel = "scan/blelloch", .elements = 64, .blockSize = 32});
  ASSERT_EQ(trace.counts.launches.size(), 1u);
  const Tally& all = trace.counts.total;
  EXPECT_EQ(all.barriers, 13u);       // 6 up, 6 down, the last
  EXPECT_EQ(all.globalAccesses, 4u);  // 2 reads, 2 writes
  EXPECT_EQ(all.leastSectors, 16u);   // 4 times 32 words with gaps
  EXPECT_EQ(all.globalSectors, 32u);  // neighbouring threads are two words apart
  EXPECT_EQ(all.sharedAccesses, 2u + 6 * 3 + 1 + 6 * 5 + 2);
  EXPECT_EQ(trace.counts.depth, all.barriers + all.globalAccesses + all.sharedAccesses);  // one warp
  EXPECT_EQ(std::ranges::count(trace.steps, StepKind::barrier, &Step::kind), 13);
}

TEST_F(TraceTest, ValuesEqualTheScan) {
  for (const Data data : {Data::ones, Data::ramp, Data::random}) {
    const Request request{.kernel = "scan/blelloch-padded", .elements = 1000, .blockSize = 64, .data = data};
    const Trace trace = record(request);
    const auto expected = exclusiveSums(inputOf(request));
    EXPECT_EQ(trace.counts.result, expected);
    EXPECT_EQ(replayed(trace), expected);
  }
  Request request{.elements = 3, .data = Data::file, .fileValues = {5, 7, 9}};
  EXPECT_EQ(record(request).counts.result, (std::vector<std::uint32_t>{0, 5, 12}));
}

TEST_F(TraceTest, EveryKernelReplaysToItsResult) {
  std::set<std::string> names;
  for (const Request& request : smallRequests()) {
    EXPECT_TRUE(names.insert(request.kernel).second);
    const Trace trace = record(request);
    EXPECT_EQ(trace.counts.fault, "") << request.kernel;
    EXPECT_FALSE(trace.steps.empty()) << request.kernel;
    auto words = replayed(trace);
    EXPECT_GE(words.size(), trace.counts.result.size()) << request.kernel;
    words.resize(trace.counts.result.size());
    EXPECT_EQ(words, trace.counts.result) << request.kernel;
    if (kernelNamed(request.kernel).family == Family::scan) {
      EXPECT_EQ(trace.counts.result, exclusiveSums(inputOf(request))) << request.kernel;
    }
    for (const Source& source : trace.sources) {
      EXPECT_TRUE(source.file.starts_with("cuda/")) << request.kernel << ": " << source.file;
      EXPECT_GT(source.line, 0) << request.kernel;
    }
  }
  EXPECT_TRUE(names.contains("scan/decoupled-lookback") && names.contains("table/fused"));
  EXPECT_FALSE(names.contains("scan/cub"));
}

TEST_F(TraceTest, TwiceTheSame) {
  for (const Request& request : smallRequests()) {
    const Trace first = record(request);
    EXPECT_EQ(encode(FileFormat::json, first), encode(FileFormat::json, record(request))) << request.kernel;
    Trace counted;
    counted.counts = count(request);
    EXPECT_EQ(encode(FileFormat::csv, first), encode(FileFormat::csv, counted)) << request.kernel;
  }
}

TEST_F(TraceTest, LinesAndLaunchesAddUp) {
  for (const Request& request : smallRequests()) {
    const Counts counts = count(request);
    Tally launches, lines;
    for (const LaunchInfo& launch : counts.launches) launches += launch.tally;
    for (const LineTally& line : counts.lines) lines += line.tally;
    for (const Tally& sum : {launches, lines}) {
      EXPECT_EQ(sum.sharedPasses, counts.total.sharedPasses) << request.kernel;
      EXPECT_EQ(sum.globalSectors, counts.total.globalSectors) << request.kernel;
      EXPECT_EQ(sum.barriers, counts.total.barriers) << request.kernel;
    }
    EXPECT_GE(counts.total.sharedPasses, counts.total.sharedAccesses) << request.kernel;
    EXPECT_GE(counts.total.globalSectors, counts.total.leastSectors) << request.kernel;
    EXPECT_LE(counts.total.meanLanes(), 32) << request.kernel;
  }
}

TEST_F(TraceTest, MemoryHasNames) {
  const Trace trace = record({.kernel = "scan/decoupled-lookback", .elements = 4096});
  std::vector<std::string> names;
  for (const Buffer& buffer : trace.buffers) names.push_back(buffer.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"in", "out", "sharedTicket", "warpSums", "scratch 1"}));
  EXPECT_GT(trace.counts.total.atomics, 0u);
  EXPECT_GT(trace.counts.total.laneExchanges, 0u);
}

TEST_F(TraceTest, TooLong) {
  EXPECT_THROW(record({.kernel = "gravity/naive", .elements = kMaxRecorded}), std::runtime_error);
}

TEST_F(TraceTest, SixteenBanks) {
  // 16 banks serve half a warp, so an access without conflicts takes two passes.
  const Request request{.kernel = "scan/hillis-steele", .elements = 1024, .whatIf = WhatIf::banks16};
  const Counts counts = count(request);
  ASSERT_TRUE(counts.without.has_value());
  EXPECT_EQ(counts.without->sharedPasses, counts.without->sharedAccesses);
  EXPECT_EQ(counts.total.sharedAccesses, counts.without->sharedAccesses);
  EXPECT_GT(counts.total.sharedPasses, counts.total.sharedAccesses * 3 / 2);
  EXPECT_LE(counts.total.sharedPasses, counts.total.sharedAccesses * 2);
  EXPECT_EQ(counts.wrong, 0u);
}

TEST_F(TraceTest, PaddingOfTheChapterHasNoEffect) {
  const auto with = [](WhatIf whatIf) {
    return count({.kernel = "scan/blelloch-padded", .elements = 4096, .whatIf = whatIf});
  };
  const Counts book = with(WhatIf::bookPadding), none = with(WhatIf::noPadding);
  EXPECT_EQ(book.total.sharedPasses, none.total.sharedPasses);
  EXPECT_GT(book.total.sharedPasses, 3 * book.without->sharedPasses);
  EXPECT_EQ(book.total.sharedAccesses, book.without->sharedAccesses);
  EXPECT_EQ(book.wrong, 0u);
  EXPECT_EQ(book.fault, "");
}

TEST_F(TraceTest, MissingBarrierIsAHazard) {
  const Counts counts =
      count({.kernel = "scan/blelloch", .elements = 64, .blockSize = 32, .whatIf = WhatIf::missingBarrier});
  EXPECT_THAT(counts.fault, HasSubstr("hazard"));
  EXPECT_THAT(counts.fault, HasSubstr("without a barrier between them"));
  EXPECT_EQ(counts.total.barriers + 1, counts.without->barriers);
  EXPECT_GT(counts.wrong, 0u);
}

TEST_F(TraceTest, TreesNeedAPowerOfTwo) {
  const auto with = [](unsigned elements) {
    return record({.kernel = "scan/blelloch", .elements = elements, .blockSize = 32, .whatIf = WhatIf::notPowerOfTwo});
  };
  EXPECT_EQ(with(64).counts.fault, "");
  EXPECT_EQ(with(64).counts.wrong, 0u);
  const Trace trace = with(48);
  EXPECT_THAT(trace.counts.fault, HasSubstr("outside"));
  EXPECT_TRUE(trace.counts.result.empty());
  EXPECT_FALSE(trace.steps.empty());
}

TEST_F(TraceTest, LookBackWithoutTicketsStalls) {
  const Trace trace = record({.kernel = "scan/decoupled-lookback", .elements = 64, .whatIf = WhatIf::stall});
  EXPECT_THAT(trace.counts.fault, HasSubstr("no progress"));
  EXPECT_LT(trace.steps.size(), 100u);
  const Counts one = count({.kernel = "scan/decoupled-lookback", .elements = 32, .whatIf = WhatIf::stall});
  EXPECT_EQ(one.fault, "");
  EXPECT_EQ(one.wrong, 0u);
}

// Concurrent blocks look back over aggregates, too, not only over the inclusive prefix of the previous block.
TEST_F(TraceTest, BlocksInTurnsGiveTheSameResult) {
  for (Request request : smallRequests()) {
    request.elements = kernelNamed(request.kernel).family == Family::table ? 60 * 60 : 3500;
    if (kernelNamed(request.kernel).family == Family::gravity) request.elements = 200;
    const auto inOrder = count(request).result;
    for (const unsigned resident : {2u, 8u}) {
      request.residentBlocks = resident;
      const Trace trace = record(request);
      EXPECT_EQ(trace.counts.fault, "") << request.kernel << ", " << resident;
      EXPECT_EQ(trace.counts.result, inOrder) << request.kernel << ", " << resident;
    }
  }
}

TEST_F(TraceTest, ASlowBlockStopsNobodyForGood) {
  for (const WhatIf whatIf : {WhatIf::smallTiles, WhatIf::slowBlock}) {
    const Trace trace = record({.kernel = "scan/decoupled-lookback",
                                .elements = 3500,
                                .data = Data::random,
                                .whatIf = whatIf,
                                .residentBlocks = 6});
    EXPECT_EQ(trace.counts.fault, "");
    EXPECT_EQ(trace.counts.wrong, 0u);
    EXPECT_EQ(trace.counts.launches.front().grid.x, 28u);
  }
}

TEST_F(TraceTest, BlocksLookPastASlowOne) {
  const auto aggregatesRead = [](WhatIf whatIf) {
    const Trace trace = record({.kernel = "scan/decoupled-lookback", .elements = kMaxRecorded, .whatIf = whatIf});
    std::size_t found = 0;
    for (const Step& step : trace.steps) {
      if (step.kind != StepKind::read || !trace.buffers[step.buffer].holdsTileWords) continue;
      for (const Lane& lane : std::span(trace.lanes).subspan(step.firstLane, step.laneCount))
        found += (lane.words[0] & 1) == 0 && lane.words[0] != 0;
    }
    return found;
  };
  EXPECT_EQ(aggregatesRead(WhatIf::smallTiles), 0u);
  EXPECT_GT(aggregatesRead(WhatIf::slowBlock), 0u);
}

std::string refusal(const Request& request) {
  return test::reasonOf<UsageError>([&] { requireValid(request, kMaxRecorded); });
}

TEST(TraceRequest, Refusals) {
  EXPECT_THAT(refusal({.kernel = "scan/bleloch"}), HasSubstr("did you mean scan/blelloch?"));
  EXPECT_THAT(refusal({.elements = 0}), HasSubstr("expected 1 to 4096"));
  EXPECT_THAT(refusal({.elements = kMaxRecorded + 1}), HasSubstr("expected 1 to 4096"));
  EXPECT_THAT(refusal({.blockSize = 100}), HasSubstr("--block-size 100"));
  EXPECT_THAT(refusal({.residentBlocks = 9}), HasSubstr("--resident-blocks 9: expected 1 to 8"));
  EXPECT_THAT(refusal({.kernel = "table/fused", .elements = 1000}), HasSubstr("1024"));
  EXPECT_THAT(refusal({.elements = 4, .data = Data::file, .fileValues = {1, 2}}), HasSubstr("2 numbers"));
  EXPECT_EQ(refusal({.kernel = "table/fused", .elements = 1024}), "accepted");
  EXPECT_THAT(refusal({.whatIf = WhatIf::bookPadding}), HasSubstr("only for --kernel scan/blelloch-padded"));
  EXPECT_THROW(whatIfNamed("book"), UsageError);
  EXPECT_THROW(fileFormat("trace.txt"), UsageError);
  Request request;
  EXPECT_THROW(useData(request, "no such file"), UsageError);
}

}  // namespace

}  // namespace satdof::trace
