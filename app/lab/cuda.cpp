#include <utility>

#include "app/lab/cuda.h"
#include "app/lab/measurements.h"
#include "cuda/compact/compactor.h"
#include "cuda/convolve/convolve.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/stopwatch.h"
#include "cuda/runtime/surface.h"
#include "cuda/sat/planes.h"
#include "cuda/sat/table_builder.h"
#include "cuda/scan/ablation.h"
#include "cuda/scan/scan.h"
#include "cuda/sort/sorter.h"

namespace satdof::lab {

namespace {

using Words = std::vector<std::uint32_t>;
constexpr Scan kGemsScan = Scan::blellochVectorized;  // the fastest scan of GPU Gems 3, chapter 39
using DeviceWords = cuda::DeviceArray<std::uint32_t>;

class CudaMeasurement : public Measurement {
 public:
  CudaMeasurement(cuda::Stopwatch::Work work, cuda::Stopwatch::Copies copies)
      : watch_(std::move(work), std::move(copies)) {}
  double kernelUs() override { return watch_.deviceUs(); }
  double endToEndUs() override { return watch_.endToEndUs(); }

 private:
  cuda::Stopwatch watch_;
};

// `work` must own the memory that it uses.
std::unique_ptr<Measurement> measure(cuda::Stopwatch::Work work, cuda::Stopwatch::Copies copies = {}) {
  return std::make_unique<CudaMeasurement>(std::move(work), std::move(copies));
}

cuda::HostCopy copyOf(Words& host, const DeviceWords& device) {
  return {.host = host.data(), .device = device.data(), .bytes = host.size() * sizeof(std::uint32_t)};
}

template <class T>
cuda::HostCopy copyOf(std::vector<T>& host, const cuda::Array& array, std::size_t rows) {
  return {.host = host.data(), .array = array.get(), .widthBytes = host.size() * sizeof(T) / rows, .height = rows};
}

using MakeRowScan = std::unique_ptr<cuda::RowScan> (*)(const cuda::ScanOptions& options);

std::unique_ptr<Measurement> measureRows(Scan scan, MakeRowScan make, const ScanCase& work) {
  const std::size_t pitch = work.rows == 1 ? work.length : cuda::rowPitch(work.length);
  const bool floats = work.element == Element::float32;
  struct Parts {
    std::unique_ptr<cuda::RowScan> scan;
    std::vector<float> floats;
    Words hostIn, hostOut;
    DeviceWords in, out;
  };
  auto parts = std::make_shared<Parts>();
  const std::size_t count = pitch * work.rows;
  parts->scan = make({.scan = scan,
                      .type = floats ? cuda::ElementType::float32 : cuda::ElementType::uint32,
                      .inclusive = work.inclusive,
                      .length = work.length,
                      .rows = work.rows,
                      .pitch = pitch});
  if (floats)
    parts->floats = randomFloats(count, 256);
  else
    parts->hostIn = randomWords(count, 256);
  parts->hostOut.resize(count);
  parts->in = DeviceWords(count);
  parts->out = DeviceWords(count);
  cuda::HostCopy in = copyOf(parts->hostOut, parts->in);
  in.host = floats ? static_cast<void*>(parts->floats.data()) : parts->hostIn.data();
  return measure([parts](CUstream_st* stream) { parts->scan->run(parts->in.data(), parts->out.data(), stream); },
                 {{in}, {copyOf(parts->hostOut, parts->out)}});
}

std::unique_ptr<Measurement> measureScan(Scan scan, const ScanCase& work) {
  return measureRows(scan, cuda::makeRowScan, work);
}

std::vector<Ablation> ablations() {
  std::vector<Ablation> all;
  for (const cuda::ScanAblation& ablation : cuda::scanAblations()) all.push_back({ablation.name, ablation.summary});
  return all;
}

std::unique_ptr<Measurement> measureAblation(std::size_t ablation, const ScanCase& work) {
  return measureRows(kGemsScan, cuda::scanAblations()[ablation].make, work);
}

std::unique_ptr<Measurement> measureCompaction(Compaction compaction, std::uint32_t count, double percent) {
  struct Parts {
    std::unique_ptr<cuda::Compactor> compactor;
    Words hostFlags, hostIndices, hostKept;
    DeviceWords flags, indices, kept;
  };
  auto parts = std::make_shared<Parts>();
  parts->compactor = cuda::makeCompactor(compaction, count);
  parts->hostFlags = randomFlags(count, percent);
  std::size_t kept = 0;
  for (const std::uint32_t flag : parts->hostFlags) kept += flag;
  parts->hostIndices.resize(kept);
  parts->hostKept.resize(1);
  parts->flags = DeviceWords(count);
  parts->indices = DeviceWords(count);
  parts->kept = DeviceWords(1);
  return measure(
      [parts](CUstream_st* stream) {
        parts->compactor->run(parts->flags.data(), parts->indices.data(), parts->kept.data(), stream);
      },
      {{copyOf(parts->hostFlags, parts->flags)},
       {copyOf(parts->hostKept, parts->kept), copyOf(parts->hostIndices, parts->indices)}});
}

std::unique_ptr<Measurement> measureSort(Sort sort, std::uint32_t count, bool withValues) {
  struct Parts {
    std::unique_ptr<cuda::Sorter> sorter;
    Words hostKeys, hostOut;
    DeviceWords keysIn, valuesIn, keysOut, valuesOut;
  };
  auto parts = std::make_shared<Parts>();
  parts->sorter = cuda::makeSorter(sort, count);
  parts->hostKeys = randomWords(count, std::uint64_t{1} << 32);
  parts->hostOut.resize(count);
  parts->keysIn = DeviceWords(count);
  parts->keysOut = DeviceWords(count);
  cuda::Stopwatch::Copies copies{{copyOf(parts->hostKeys, parts->keysIn)}, {copyOf(parts->hostOut, parts->keysOut)}};
  if (withValues) {
    parts->valuesIn = DeviceWords(count);
    parts->valuesOut = DeviceWords(count);
    copies.in.push_back(copyOf(parts->hostKeys, parts->valuesIn));
    copies.out.push_back(copyOf(parts->hostOut, parts->valuesOut));
  }
  return measure(
      [parts](CUstream_st* stream) {
        parts->sorter->run({parts->keysIn.data(), parts->valuesIn.data()},
                           {parts->keysOut.data(), parts->valuesOut.data()}, stream);
      },
      copies);
}

std::unique_ptr<Measurement> measureTable(Scan scan, int side) {
  struct Parts {
    cuda::Array image, table;
    std::unique_ptr<cuda::TableBuilder> builder;  // freed before the arrays
    std::vector<std::uint16_t> hostImage;
    Words hostTable;
  };
  auto parts = std::make_shared<Parts>();
  const auto rows = static_cast<std::size_t>(side);
  parts->image = cuda::Array(cuda::TexelFormat::rgba16f, side, side);
  parts->table = cuda::Array(cuda::TexelFormat::rgba32ui, side, side);
  parts->builder = cuda::makeTableBuilder({.width = side, .height = side, .scan = scan});
  parts->hostImage = randomHalves(rows * rows * 4);
  parts->hostTable.resize(parts->hostImage.size());
  return measure(
      [parts](CUstream_st* stream) {
        parts->builder->build(parts->image.get(), cuda::ImageFormat::half4, {}, parts->table.get(), stream);
      },
      {{copyOf(parts->hostImage, parts->image, rows)}, {copyOf(parts->hostTable, parts->table, rows)}});
}

std::unique_ptr<Measurement> measurePipeline(PipelineStage stage, int side) {
  struct Parts {
    explicit Parts(unsigned size) : shape(size, size, 3) {}
    cuda::PlaneShape shape;
    cuda::Array image, table;
    cuda::Surface imageSurface, tableSurface;
    std::unique_ptr<cuda::RowScan> scan;
    DeviceWords planes, scanned;
    std::vector<std::uint16_t> hostImage;
    std::vector<float> hostTable;
  };
  auto parts = std::make_shared<Parts>(static_cast<unsigned>(side));
  const auto pixels = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  parts->image = cuda::Array(cuda::TexelFormat::rgba16f, side, side);
  parts->table = cuda::Array(cuda::TexelFormat::rgba32f, side, side);
  parts->imageSurface = cuda::Surface(parts->image.get());
  parts->tableSurface = cuda::Surface(parts->table.get());
  parts->scan = cuda::makeRowScan({.scan = kGemsScan,
                                   .type = cuda::ElementType::float32,
                                   .length = parts->shape.width,
                                   .rows = parts->shape.planes * parts->shape.height,
                                   .pitch = parts->shape.pitch});
  parts->planes = DeviceWords(parts->shape.elements());
  parts->scanned = DeviceWords(parts->shape.elements());
  parts->hostImage = randomHalves(4 * pixels);
  parts->hostTable.resize(4 * pixels);
  const auto runs = [stage](PipelineStage part) { return stage == part || stage == PipelineStage::all; };
  cuda::Stopwatch::Copies copies;
  if (stage == PipelineStage::all) {
    const auto rows = static_cast<std::size_t>(side);
    copies = {{copyOf(parts->hostImage, parts->image, rows)}, {copyOf(parts->hostTable, parts->table, rows)}};
  }
  return measure(
      [runs, parts](CUstream_st* stream) {
        Parts& held = *parts;
        if (runs(PipelineStage::interleave))
          cuda::deinterleave(held.imageSurface.object(), cuda::ImageFormat::half4, cuda::ElementType::float32, {},
                             held.shape, held.planes.data(), stream);
        if (runs(PipelineStage::scans)) held.scan->run(held.planes.data(), held.scanned.data(), stream);
        if (runs(PipelineStage::transpose))
          cuda::transpose(held.scanned.data(), held.shape, held.planes.data(), stream);
        if (runs(PipelineStage::scans)) held.scan->run(held.planes.data(), held.scanned.data(), stream);
        if (runs(PipelineStage::interleave))
          cuda::interleave(held.scanned.data(), held.shape, held.tableSurface.object(), stream);
      },
      copies);
}

std::unique_ptr<Measurement> measureConvolution(Convolve variant, int count, int mask) {
  struct Parts {
    std::unique_ptr<cuda::Convolver<std::int32_t>> convolver;
    Words hostIn, hostOut;
    DeviceWords in, out;
  };
  auto parts = std::make_shared<Parts>();
  const auto elements = static_cast<std::size_t>(count);
  parts->convolver = cuda::makeConvolver<std::int32_t>(
      variant, {count, 1}, {{mask, 1, std::vector<std::int32_t>(static_cast<std::size_t>(mask), 3)}});
  parts->hostIn = randomWords(elements, 256);
  parts->hostOut.resize(elements);
  parts->in = DeviceWords(elements);
  parts->out = DeviceWords(elements);
  return measure(
      [parts](CUstream_st* stream) {
        parts->convolver->run(reinterpret_cast<const std::int32_t*>(parts->in.data()),
                              reinterpret_cast<std::int32_t*>(parts->out.data()), stream);
      },
      {{copyOf(parts->hostIn, parts->in)}, {copyOf(parts->hostOut, parts->out)}});
}

std::string versionText() {
  const auto text = [](int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  };
  const cuda::Versions found = cuda::versions();
  return text(found.driver) + " (driver), " + text(found.runtime) + " (runtime)";
}

}  // namespace

const CudaMeasurements& cudaMeasurements() {
  static const CudaMeasurements all{.scan = measureScan,
                                    .ablations = ablations,
                                    .ablatedScan = measureAblation,
                                    .compact = measureCompaction,
                                    .sort = measureSort,
                                    .table = measureTable,
                                    .convolve = measureConvolution,
                                    .pipeline = measurePipeline,
                                    .versions = versionText};
  return all;
}

}  // namespace satdof::lab
