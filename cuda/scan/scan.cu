#include <algorithm>
#include <stdexcept>
#include <string>

#include "cuda/scan/factories.h"
#include "cuda/scan/scan.h"

namespace satdof::cuda {

namespace {

struct Variant {
  Scan scan;
  std::unique_ptr<RowScan> (*make)(const ScanOptions&);
};

constexpr Variant kVariants[] = {
    {Scan::hillisSteele, makeHillisSteele},
    {Scan::blelloch, makeBlelloch},
    {Scan::blellochPadded, makeBlellochPadded},
    {Scan::blellochVectorized, makeBlellochVectorized},
    {Scan::globalSweep, makeGlobalSweep},
    {Scan::blellochGlobal, makeBlellochGlobal},
    {Scan::warpShuffle, makeWarpShuffle},
    {Scan::reduceThenScan, makeReduceThenScan},
    {Scan::decoupledLookback, makeDecoupledLookback},
    {Scan::cub, makeCub},
};

void require(bool good, const std::string& message) {
  if (!good) throw std::runtime_error(message);
}

}  // namespace

void requireBlockSize(int blockSize) {
  require(std::find(kBlockSizes.begin(), kBlockSizes.end(), blockSize) != kBlockSizes.end(),
          "the block size " + std::to_string(blockSize) +
              " is not supported: choose 32, 64, 128, 256, 512 or 1024 threads");
}

Scan rowScanOf(Scan scan) { return scan == Scan::fused ? Scan::decoupledLookback : scan; }

std::unique_ptr<RowScan> makeRowScan(const ScanOptions& options) {
  const auto number = [](size_t value) { return std::to_string(value); };
  require(options.length > 0 && options.rows > 0, "cannot scan " + number(options.rows) + " rows of " +
                                                      number(options.length) + " elements: both must be at least 1");
  require(options.length <= 1u << 31,
          "cannot scan rows of " + number(options.length) + " elements: the longest is 2147483648");
  require(options.rows == 1 || (options.pitch >= options.length && options.pitch % 4 == 0),
          "the row pitch " + number(options.pitch) + " does not fit rows of " + number(options.length) +
              " elements: choose a multiple of 4, at least the length");
  requireBlockSize(options.blockSize);
  for (const Variant& variant : kVariants)
    if (variant.scan == options.scan) return variant.make(options);
  throw std::runtime_error("the scan \"fused\" builds whole tables and does not scan rows: choose another scan");
}

}  // namespace satdof::cuda
