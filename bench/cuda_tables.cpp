#include "bench/cuda_device.h"
#include "cuda/sat/fused.h"

namespace satdof::bench {

namespace {

constexpr cuda::ElementType kTypes[] = {cuda::ElementType::uint32, cuda::ElementType::float32};

double bytesOf(Size size) { return size.pixels() * (8 + 16); }

Result table(cuda::TableBuilder& builder, Size size, Input input) {
  const DeviceFrame& frame = deviceFrame(size);
  const cudaArray_t output = (builder.transposed() ? frame.transposedTable : frame.table).get();
  const cuda::Quantisation quantisation{256.0f, 1.0f, {0.5f, 0.5f, 0.5f, 0.5f}};
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        builder.build(frame.image.get(), cuda::ImageFormat::half4, quantisation, output, stream);
      },
      input);
  return {time, bytesOf(size), tableLimitUs(size, input)};
}

Result memoryTable(Size size, Input input) {
  const DeviceFrame& frame = deviceFrame(size);
  const auto builder = cuda::makeFusedTableBuilder({size.width, size.height, Scan::fused});
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        builder->build(frame.image.get(), cuda::ImageFormat::half4, {256.0f, 1.0f, {}}, frame.rows.data(), stream);
      },
      input);
  return {time, bytesOf(size), memoryTableLimitUs(size, input)};
}

constexpr const char* kFusedNames[] = {"fused-small", "fused-medium", "fused-large"};

}  // namespace

void addDeviceTables() {
  for (const Size size : kSizes)
    for (const Input input : {Input::warm, Input::cold}) {
      const auto tail = [=](const std::string& first) { return path({first, nameOf(size), nameOf(input)}); };
      for (int shape = 0; shape < kCopyShapes; ++shape)
        addRow(tail(path({"limit", "table-copy-" + std::to_string(shape)})), [=] {
          const DeviceFrame& frame = deviceFrame(size);
          const Measurement time = timeOnDevice(
              [&](cudaStream_t stream) { enqueueTableCopy(shape, frame.image.get(), frame.table.get(), size, stream); },
              input);
          return Result{time, bytesOf(size), tableLimitUs(size, input)};
        });
      for (int shape = 0; shape < kMemoryCopyShapes; ++shape)
        addRow(tail(path({"limit", "table-copy-memory-" + std::to_string(shape)})), [=] {
          const DeviceFrame& frame = deviceFrame(size);
          const Measurement time = timeOnDevice(
              [&](cudaStream_t stream) {
                enqueueMemoryCopy(shape, frame.image.get(), frame.rows.data(), size, stream);
              },
              input);
          return Result{time, bytesOf(size), memoryTableLimitUs(size, input)};
        });
      addRow(tail(path({"table", "fused-memory", "uint32"})), [=] { return memoryTable(size, input); });
      for (const cuda::ElementType type : kTypes) {
        const auto options = [=](Scan scan) { return cuda::TableOptions{size.width, size.height, scan, type, 256}; };
        for (const cuda::FusedShape shape : cuda::kFusedShapes)
          addRow(tail(path({"table", kFusedNames[static_cast<int>(shape)], nameOf(type)})),
                 [=] { return table(*cuda::makeFusedTableBuilder(options(Scan::fused), shape), size, input); });
        for (const ScanInfo& info : kScans)
          addRow(tail(path({"table", info.name, nameOf(type)})),
                 [=] { return table(*cuda::makeTableBuilder(options(info.value)), size, input); });
      }
    }
}

}  // namespace satdof::bench
