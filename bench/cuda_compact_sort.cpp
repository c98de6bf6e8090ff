#include <algorithm>
#include <random>

#include "bench/cuda_device.h"
#include "cuda/compact/compactor.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"
#include "cuda/sort/sorter.h"

namespace satdof::bench {

namespace {

cuda::DeviceArray<std::uint32_t> upload(const std::vector<std::uint32_t>& words) {
  cuda::DeviceArray<std::uint32_t> array(words.size());
  SATDOF_CUDA(cudaMemcpy(array.data(), words.data(), array.bytes(), cudaMemcpyHostToDevice));
  return array;
}

// Keeps about `percent` of the elements. elementBytes: 0 to write indices, else 4, 8 or 16 to write elements.
Result compact(Compaction compaction, std::uint32_t count, int percent, unsigned elementBytes, Input input) {
  std::mt19937 random(count);
  std::vector<std::uint32_t> flags(count);
  std::size_t kept = 0;
  for (std::uint32_t& flag : flags) kept += flag = random() % 100 < static_cast<unsigned>(percent);
  const auto in = upload(flags);
  const cuda::DeviceArray<std::uint32_t> keptOnDevice(1);
  const cuda::DeviceArray<unsigned char> elements(std::size_t{count} * elementBytes),
      out(std::size_t{count} * std::max(4u, elementBytes));
  if (elementBytes > 0) SATDOF_CUDA(cudaMemset(elements.data(), 1, elements.bytes()));
  const auto compactor = cuda::makeCompactor(compaction, count);
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        if (elementBytes == 0)
          compactor->run(in.data(), reinterpret_cast<std::uint32_t*>(out.data()), keptOnDevice.data(), stream);
        else
          compactor->run(in.data(), cuda::Elements{elements.data(), elementBytes}, out.data(), keptOnDevice.data(),
                         stream);
      },
      input);
  const std::size_t bytes = 4 * std::size_t{count} + std::size_t{kept} * (elementBytes == 0 ? 4 : 2 * elementBytes);
  return {time, static_cast<double>(bytes), copyLimitUs(bytes / 2 / 16 * 16, input)};
}

Result sort(Sort variant, std::uint32_t count, bool withValues, Input input) {
  std::mt19937 random(count);
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
  const auto keysIn = upload(keys), valuesIn = upload(keys);
  const cuda::DeviceArray<std::uint32_t> keysOut(count), valuesOut(count);
  const auto sorter = cuda::makeSorter(variant, count);
  const cuda::Records from{keysIn.data(), withValues ? valuesIn.data() : nullptr};
  const cuda::MutableRecords to{keysOut.data(), withValues ? valuesOut.data() : nullptr};
  const Measurement time = timeOnDevice([&](cudaStream_t stream) { sorter->run(from, to, stream); }, input);
  const std::size_t bytes = std::size_t{withValues ? 8u : 4u} * count;
  return {time, 2.0 * static_cast<double>(bytes), copyLimitUs(bytes, input)};
}

constexpr std::uint32_t kCounts[] = {1 << 10, 1 << 12,     1 << 14, 1 << 16, 1 << 18,
                                     1 << 20, 1920 * 1080, 1 << 22, 1 << 24, 1 << 26};

}  // namespace

void addDeviceCompactions() {
  for (const std::uint32_t count : kCounts)
    for (const Input input : {Input::warm, Input::cold})
      for (const CompactionInfo& info : kCompactions)
        for (const int percent : {1, 50, 99})
          addRow(
              path({"compact", info.name, std::to_string(percent) + "-percent", std::to_string(count), nameOf(input)}),
              [=] { return compact(info.value, count, percent, 0, input); });
  constexpr std::uint32_t kMany = 1 << 22;
  for (const CompactionInfo& info : kCompactions) {
    for (const unsigned bytes : {4u, 8u, 16u})
      for (int percent = 0; percent <= 100; percent += 10)
        addRow(path({"compact-elements", info.name, std::to_string(8 * bytes) + "-bit",
                     std::to_string(percent) + "-percent", std::to_string(kMany), "warm"}),
               [=] { return compact(info.value, kMany, percent, bytes, Input::warm); });
  }
}

void addDeviceSorts() {
  for (const std::uint32_t count : kCounts)
    for (const Input input : {Input::warm, Input::cold})
      for (const SortInfo& info : kSorts)
        for (const bool withValues : {false, true})
          addRow(path({"sort", info.name, withValues ? "pairs" : "keys", std::to_string(count), nameOf(input)}),
                 [=] { return sort(info.value, count, withValues, input); });
}

}  // namespace satdof::bench
