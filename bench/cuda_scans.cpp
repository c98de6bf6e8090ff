#include "bench/cuda_device.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/scan/scan.h"

namespace satdof::bench {

namespace {

// Small integers, whose sums are exact also as floats.
cuda::DeviceArray<unsigned> elements(cuda::ElementType type, std::size_t count) {
  cuda::DeviceArray<unsigned> array(count);
  fillElements(array.data(), type == cuda::ElementType::float32, count);
  return array;
}

Result scan(const cuda::ScanOptions& options, Input input) {
  const auto in = elements(options.type, options.length);
  const cuda::DeviceArray<unsigned> out(options.length);
  const auto scan = cuda::makeRowScan(options);
  const Measurement time = timeOnDevice([&](cudaStream_t stream) { scan->run(in.data(), out.data(), stream); }, input);
  const std::size_t bytes = std::size_t{4} * options.length;
  return {time, 2.0 * static_cast<double>(bytes), copyLimitUs(bytes, input)};
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
            addRow(path({"scan", info.name, nameOf(type), inclusive ? "inclusive" : "exclusive", std::to_string(length),
                         nameOf(input)}),
                   [=] { return scan(options, input); });
          }
}

}  // namespace satdof::bench
