#include "bench/cuda_device.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sat/planes.h"
#include "cuda/scan/ablation.h"
#include "cuda/scan/scan.h"

namespace satdof::bench {

namespace {

const char* nameOf(cuda::ElementType type) {
  return type == cuda::ElementType::uint32 ? "uint32" : "float32";
}

// Small integers, as floats or integers: their sums are exact in both.
cuda::DeviceArray<unsigned> elements(cuda::ElementType type, size_t count) {
  cuda::DeviceArray<unsigned> array(count);
  fillElements(array.data(), type == cuda::ElementType::float32, count);
  return array;
}

Result scan(const cuda::ScanOptions& options, Input input,
            std::unique_ptr<cuda::RowScan> (*make)(const cuda::ScanOptions&) = cuda::makeRowScan) {
  const size_t count = options.rows == 1 ? options.length : options.rows * options.pitch;
  const auto in = elements(options.type, count);
  const cuda::DeviceArray<unsigned> out(count);
  const auto scan = make(options);
  const Measurement time =
      timeOnDevice([&](cudaStream_t stream) { scan->run(in.data(), out.data(), stream); }, input);
  const size_t bytes = size_t{4} * options.rows * options.length;
  return {time, 2.0 * static_cast<double>(bytes), copyLimitUs(bytes, input)};
}

Result transposePlanes(Size size, Input input) {
  const cuda::PlaneShape shape(static_cast<unsigned>(size.width), static_cast<unsigned>(size.height));
  const auto in = elements(cuda::ElementType::uint32, shape.elements());
  const cuda::DeviceArray<unsigned> out(shape.transposed().elements());
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) { cuda::transpose(in.data(), shape, out.data(), stream); }, input);
  const double bytes = size.pixels() * 4 * 4;
  return {time, 2 * bytes, copyLimitUs(static_cast<size_t>(bytes), input)};
}

}  // namespace

void addDeviceScans() {
  std::vector<unsigned> lengths;
  for (unsigned length = 1u << 10; length <= 1u << 24; length *= 2) lengths.push_back(length);
  lengths.insert(lengths.end(), {1u << 25, 1u << 26, 1u << 27, 1u << 28});
  for (const unsigned length : lengths)
    for (const Input input : {Input::warm, Input::cold})
      for (const ScanInfo& info : kScans)
        for (const cuda::ElementType type : {cuda::ElementType::float32, cuda::ElementType::uint32})
          for (const bool inclusive : {false, true}) {
            if (info.value == Scan::fused) continue;
            if (input == Input::cold && (inclusive || type == cuda::ElementType::uint32)) continue;
            const cuda::ScanOptions options{info.value, type, inclusive, length, 1, length, 256};
            addRow(path({"scan", info.name, nameOf(type), inclusive ? "inclusive" : "exclusive",
                         std::to_string(length), bench::nameOf(input)}),
                   [=] { return scan(options, input); });
          }
  for (const unsigned length : lengths)
    for (const cuda::ScanAblation& ablation : cuda::scanAblations()) {
      const cuda::ScanOptions options{
          Scan::blellochVectorized, cuda::ElementType::float32, false, length, 1, length, 256};
      addRow(path({"scan/ablation", ablation.name, "float32/exclusive", std::to_string(length), "warm"}),
             [=] { return scan(options, Input::warm, ablation.make); });
    }
  for (const Size size : kSizes)
    for (const Input input : {Input::warm, Input::cold}) {
      for (const ScanInfo& info : kScans)
        for (const cuda::ElementType type : {cuda::ElementType::float32, cuda::ElementType::uint32}) {
          if (info.value == Scan::fused) continue;
          const auto width = static_cast<unsigned>(size.width), height = static_cast<unsigned>(size.height);
          const cuda::ScanOptions options{info.value, type, true, width, 4 * height, cuda::rowPitch(width),
                                          256};
          addRow(path({"rows", info.name, nameOf(type), bench::nameOf(size), bench::nameOf(input)}),
                 [=] { return scan(options, input); });
        }
      addRow(path({"transpose", bench::nameOf(size), bench::nameOf(input)}),
             [=] { return transposePlanes(size, input); });
    }
}

}  // namespace satdof::bench
