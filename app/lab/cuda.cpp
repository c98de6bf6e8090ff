#include <utility>
#include <vector>

#include "app/lab/cuda.h"
#include "app/lab/measurements.h"
#include "cuda/compact/compactor.h"
#include "cuda/runtime/array.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/stopwatch.h"
#include "cuda/sat/table_builder.h"
#include "cuda/scan/scan.h"
#include "cuda/sort/sorter.h"

namespace satdof::lab {

namespace {

using Words = std::vector<std::uint32_t>;
using DeviceWords = cuda::DeviceArray<std::uint32_t>;

// Holds what the work uses, and times it.
template <class Parts>
class OnCuda : public Measurement {
 public:
  // `makeWork` and `copiesOf` take the parts by reference.
  template <class Work, class Copies>
  OnCuda(std::unique_ptr<Parts> parts, const Work& work, const Copies& copiesOf)
      : parts_(std::move(parts)),
        watch_([work, held = parts_.get()](CUstream_st* stream) { work(*held, stream); }, copiesOf(*parts_)) {
  }
  double kernelUs() override { return watch_.deviceUs(); }
  double endToEndUs() override { return watch_.endToEndUs(); }

 private:
  std::unique_ptr<Parts> parts_;
  cuda::Stopwatch watch_;
};

template <class Parts, class Work, class Copies>
std::unique_ptr<Measurement> measure(std::unique_ptr<Parts> parts, const Work& work, const Copies& copiesOf) {
  return std::make_unique<OnCuda<Parts>>(std::move(parts), work, copiesOf);
}

cuda::HostCopy copyOf(Words& host, const DeviceWords& device) {
  return {.host = host.data(), .device = device.data(), .bytes = host.size() * sizeof(std::uint32_t)};
}

std::unique_ptr<Measurement> measureScan(Scan scan, const ScanCase& of) {
  const std::size_t pitch = of.rows == 1 ? of.length : cuda::rowPitch(of.length);
  const bool floats = of.element == Element::float32;
  struct Parts {
    std::unique_ptr<cuda::RowScan> scan;
    std::vector<float> floats;
    Words hostIn, hostOut;
    DeviceWords in, out;
  };
  auto parts = std::make_unique<Parts>();
  const std::size_t count = pitch * of.rows;
  parts->scan = cuda::makeRowScan({.scan = scan,
                                   .type = floats ? cuda::ElementType::float32 : cuda::ElementType::uint32,
                                   .inclusive = of.inclusive,
                                   .length = of.length,
                                   .rows = of.rows,
                                   .pitch = pitch});
  if (floats)
    parts->floats = randomFloats(count, 256);
  else
    parts->hostIn = randomWords(count, 256);
  parts->hostOut.resize(count);
  parts->in = DeviceWords(count);
  parts->out = DeviceWords(count);
  return measure(
      std::move(parts),
      [](Parts& held, CUstream_st* stream) { held.scan->run(held.in.data(), held.out.data(), stream); },
      [](Parts& held) {
        cuda::HostCopy in = copyOf(held.hostOut, held.in);
        in.host = held.floats.empty() ? static_cast<void*>(held.hostIn.data()) : held.floats.data();
        return cuda::Stopwatch::Copies{{in}, {copyOf(held.hostOut, held.out)}};
      });
}

std::unique_ptr<Measurement> measureCompaction(Compaction compaction, std::uint32_t count, double percent) {
  struct Parts {
    std::unique_ptr<cuda::Compactor> compactor;
    Words hostFlags, hostIndices, hostKept;
    DeviceWords flags, indices, kept;
  };
  auto parts = std::make_unique<Parts>();
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
      std::move(parts),
      [](Parts& held, CUstream_st* stream) {
        held.compactor->run(held.flags.data(), held.indices.data(), held.kept.data(), stream);
      },
      [](Parts& held) {
        return cuda::Stopwatch::Copies{
            {copyOf(held.hostFlags, held.flags)},
            {copyOf(held.hostKept, held.kept), copyOf(held.hostIndices, held.indices)}};
      });
}

std::unique_ptr<Measurement> measureSort(Sort sort, std::uint32_t count, bool withValues) {
  struct Parts {
    std::unique_ptr<cuda::Sorter> sorter;
    Words hostKeys, hostOut;
    DeviceWords keysIn, valuesIn, keysOut, valuesOut;
    bool withValues;
  };
  auto parts = std::make_unique<Parts>();
  parts->sorter = cuda::makeSorter(sort, count);
  parts->hostKeys = randomWords(count, std::uint64_t{1} << 32);
  parts->hostOut.resize(count);
  parts->withValues = withValues;
  parts->keysIn = DeviceWords(count);
  parts->keysOut = DeviceWords(count);
  if (withValues) {
    parts->valuesIn = DeviceWords(count);
    parts->valuesOut = DeviceWords(count);
  }
  return measure(
      std::move(parts),
      [](Parts& held, CUstream_st* stream) {
        held.sorter->run({held.keysIn.data(), held.valuesIn.data()},
                         {held.keysOut.data(), held.valuesOut.data()}, stream);
      },
      [](Parts& held) {
        cuda::Stopwatch::Copies copies{{copyOf(held.hostKeys, held.keysIn)},
                                       {copyOf(held.hostOut, held.keysOut)}};
        if (held.withValues) {
          copies.in.push_back(copyOf(held.hostKeys, held.valuesIn));
          copies.out.push_back(copyOf(held.hostOut, held.valuesOut));
        }
        return copies;
      });
}

std::unique_ptr<Measurement> measureTable(Scan scan, int side) {
  struct Parts {
    cuda::Array image, table;
    std::unique_ptr<cuda::TableBuilder> builder;  // freed before the arrays
    std::vector<std::uint16_t> hostImage;
    Words hostTable;
    std::size_t side;
  };
  auto parts = std::make_unique<Parts>();
  parts->side = static_cast<std::size_t>(side);
  parts->image = cuda::Array(cuda::TexelFormat::rgba16f, side, side);
  parts->table = cuda::Array(cuda::TexelFormat::rgba32ui, side, side);
  parts->builder = cuda::makeTableBuilder({.width = side, .height = side, .scan = scan});
  parts->hostImage = randomHalves(parts->side * parts->side * 4);
  parts->hostTable.resize(parts->hostImage.size());
  return measure(
      std::move(parts),
      [](Parts& held, CUstream_st* stream) {
        held.builder->build(held.image.get(), cuda::ImageFormat::half4, {}, held.table.get(), stream);
      },
      [](Parts& held) {
        return cuda::Stopwatch::Copies{{{.host = held.hostImage.data(),
                                         .array = held.image.get(),
                                         .widthBytes = held.side * 8,
                                         .height = held.side}},
                                       {{.host = held.hostTable.data(),
                                         .array = held.table.get(),
                                         .widthBytes = held.side * 16,
                                         .height = held.side}}};
      });
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
                                    .compact = measureCompaction,
                                    .sort = measureSort,
                                    .table = measureTable,
                                    .versions = versionText};
  return all;
}

}  // namespace satdof::lab
