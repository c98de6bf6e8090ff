#include "cuda/scan/scan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>

#include "cuda/scan/ablation.h"
#include "tests/cuda/gpu_test.h"
#include "tests/support/reason.h"

namespace satdof::cuda {

namespace {

const ScanInfo& scanInfo(Scan scan) {
  for (const ScanInfo& entry : kScans)
    if (entry.value == scan) return entry;
  throw std::runtime_error("a scan without a name");
}

std::vector<Scan> rowScans() {
  std::vector<Scan> scans;
  for (const ScanInfo& entry : kScans)
    if (entry.value != Scan::fused) scans.push_back(entry.value);
  return scans;
}

std::vector<Scan> scansWithBlockSize() {
  std::vector<Scan> scans;
  for (const ScanInfo& entry : kScans)
    if (entry.hasBlockSize) scans.push_back(entry.value);
  return scans;
}

template <class T>
std::vector<T> randomValues(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(size);
  for (T& value : values) {
    if constexpr (std::is_same_v<T, float>)
      value = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
    else
      value = static_cast<T>(random());
  }
  return values;
}

// Additions that one element can pass through on its way into a result. Trees: at most 32 for each of 6
// levels of tiles (tiles of at least 32 elements, 2^28 in all). The scans named below also carry a sum from
// tile to tile, for tiles of at least 512 elements.
double additions(Scan scan, double length) {
  const bool carries = scan == Scan::reduceThenScan || scan == Scan::decoupledLookback || scan == Scan::cub;
  return 192 + (carries ? length / 512 : 0);
}

// uint32: equal modulo 2^32. float32: each term passes through at most d additions, so the sum is within d u
// / (1 - d u) * sum |v|, u = 2^-24 (Higham 2002, 4.2), of the exact sum in any order.
template <class T>
void expectScanned(const std::vector<T>& in, const std::vector<T>& out, const ScanOptions& options) {
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, std::uint64_t>;
  const double du = additions(options.scan, options.length) * 0x1p-24;
  std::size_t wrong = 0;
  for (unsigned row = 0; row < options.rows; ++row) {
    Sum sum{0};
    double magnitude = 0;
    const std::size_t base = row * options.pitch;
    for (unsigned i = 0; i < options.length && wrong < 5; ++i) {
      const Sum before = sum;
      sum += in[base + i];
      magnitude += std::abs(static_cast<double>(in[base + i]));
      const Sum expected = options.inclusive ? sum : before;
      bool good = false;
      if constexpr (std::is_same_v<T, float>)
        good = std::abs(static_cast<double>(out[base + i]) - expected) <= du / (1 - du) * magnitude;
      else
        good = out[base + i] == static_cast<T>(expected);
      if (good) continue;
      ++wrong;
      ADD_FAILURE() << "row " << row << ", element " << i << ": " << out[base + i] << ", expected "
                    << static_cast<T>(expected);
    }
    for (std::size_t i = base + options.length; row + 1 < options.rows && i < base + options.pitch; ++i)
      ASSERT_TRUE(PoisonedArray<T>::isPoison(out[i])) << "row " << row << " was written past its end";
  }
}

using Make = std::unique_ptr<RowScan>(const ScanOptions&);

template <class T>
void checkScan(const ScanOptions& options, Make* make) {
  SCOPED_TRACE(std::to_string(options.rows) + " rows of " + std::to_string(options.length) + ", pitch " +
               std::to_string(options.pitch) + ", block size " + std::to_string(options.blockSize));
  const auto scan = make(options);
  const auto in = randomValues<T>((options.rows - 1) * options.pitch + options.length, options.length);
  const PoisonedArray<T> input(in), output(in.size());
  scan->run(input.data(), output.data(), nullptr);
  const auto once = output.read();
  expectScanned(in, once, options);
  if constexpr (std::is_same_v<T, unsigned>) {
    scan->run(input.data(), output.data(), nullptr);
    EXPECT_EQ(output.read(), once) << "the second run differs";
  }
}

void check(const ScanOptions& options, Make* make = makeRowScan) {
  if (!affordable(std::max(options.pitch, std::size_t{options.length}) * options.rows)) return;
  if (options.type == ElementType::uint32)
    checkScan<unsigned>(options, make);
  else
    checkScan<float>(options, make);
}

using Kind = std::tuple<Scan, ElementType, bool>;

class ScanTest : public GpuTest<testing::TestWithParam<Kind>> {
 protected:
  ScanOptions options(unsigned length, unsigned rows = 1, std::size_t pitch = 0) const {
    const auto& [scan, type, inclusive] = GetParam();
    return {scan, type, inclusive, length, rows, pitch};
  }
};

TEST_P(ScanTest, ScansArrays) {
  for (const unsigned length : affordable({1u, 2u, 31u, 32u, 33u, 255u, 257u, 1000u, 1025u, 2049u, 10201u, 65537u,
                                           1u << 20, (1u << 20) + 3, (1u << 22) + 7}))
    check(options(length));
}

TEST_P(ScanTest, ScansRows) {
  check(options(1, 5, 4));
  check(options(33, 17, 36));
  check(options(480, 3, 512));
  check(options(1920, 70, 1920));
  check(options(1080, 33, 1084));
  check(options(2049, 9, 2060));
  check(options(10201, 7, 10204));
  check(options(3, 70001, 4));
}

INSTANTIATE_TEST_SUITE_P(Variants, ScanTest,
                         testing::Combine(testing::ValuesIn(rowScans()),
                                          testing::Values(ElementType::uint32, ElementType::float32), testing::Bool()),
                         [](const auto& test) {
                           return testName(scanInfo(std::get<0>(test.param)).name) +
                                  (std::get<1>(test.param) == ElementType::uint32 ? "_uint32" : "_float32") +
                                  (std::get<2>(test.param) ? "_inclusive" : "_exclusive");
                         });

class BlockSizeTest : public GpuTest<testing::TestWithParam<Scan>> {};

TEST_P(BlockSizeTest, EveryBlockSizeScans) {
  for (const int blockSize : kBlockSizes)
    for (const bool inclusive : {true, false}) {
      check({GetParam(), ElementType::uint32, inclusive, 300007, 1, 0, blockSize});
      check({GetParam(), ElementType::float32, inclusive, 641, 479, 644, blockSize});
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, BlockSizeTest, testing::ValuesIn(scansWithBlockSize()),
                         [](const auto& test) { return testName(scanInfo(test.param).name); });

class ScansTest : public GpuTest<> {};

TEST_F(ScansTest, EveryAblationScans) {
  for (const ScanAblation& ablation : scanAblations()) {
    SCOPED_TRACE(ablation.name);
    for (const bool inclusive : {true, false})
      for (const int blockSize : kBlockSizes) {
        for (const unsigned length : affordable({1u, 31u, 2049u, 10201u, 300007u}))
          check({Scan::blellochVectorized, ElementType::uint32, inclusive, length, 1, 0, blockSize}, ablation.make);
        check({Scan::blellochVectorized, ElementType::float32, inclusive, 641, 11, 644, blockSize}, ablation.make);
      }
  }
}

TEST_F(ScansTest, LookBackSpansMoreTilesThanCanBeResident) {
  check({Scan::decoupledLookback, ElementType::uint32, true, (1u << 25) + 5});
  check({Scan::decoupledLookback, ElementType::float32, false, (1u << 25) + 5});
}

TEST_F(ScansTest, LookBackReplaysInAGraph) {
  const unsigned length = 300007;
  const auto in = randomValues<unsigned>(length, 7);
  const ScanOptions options{Scan::decoupledLookback, ElementType::uint32, true, length};
  const auto scan = makeRowScan(options);
  const PoisonedArray<unsigned> input(in), output(length);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  SATDOF_CUDA(cudaStreamCreate(&stream));
  SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  scan->run(input.data(), output.data(), stream);
  SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
  SATDOF_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int replay = 0; replay < 20; ++replay) {
    SATDOF_CUDA(cudaMemsetAsync(output.data(), 0, length * sizeof(unsigned), stream));
    SATDOF_CUDA(cudaGraphLaunch(executable, stream));
    SATDOF_CUDA(cudaStreamSynchronize(stream));
    expectScanned(in, output.read(), options);
  }
  SATDOF_CUDA(cudaGraphExecDestroy(executable));
  SATDOF_CUDA(cudaGraphDestroy(graph));
  SATDOF_CUDA(cudaStreamDestroy(stream));
}

void expectRefused(const ScanOptions& options, const std::string& named) {
  const std::string reason = test::reasonOf([&] { makeRowScan(options); });
  EXPECT_NE(reason.find(named), reason.npos) << named << " does not fit: " << reason;
}

TEST(ScanOptionsTest, OptionsThatDoNotFitThrow) {
  for (const int blockSize : {0, -256, 16, 48, 2048})
    expectRefused({Scan::blelloch, ElementType::uint32, true, 100, 1, 0, blockSize}, std::to_string(blockSize));
  expectRefused({Scan::blelloch, ElementType::uint32, true, 0}, "rows of 0");
  expectRefused({Scan::blelloch, ElementType::uint32, true, 10, 0, 12}, "0 rows");
  expectRefused({Scan::blelloch, ElementType::uint32, true, 10, 2, 8}, "pitch 8");
  expectRefused({Scan::blelloch, ElementType::uint32, true, 10, 2, 11}, "pitch 11");
  expectRefused({Scan::fused, ElementType::uint32, true, 10}, "fused");
}

}  // namespace

}  // namespace satdof::cuda
