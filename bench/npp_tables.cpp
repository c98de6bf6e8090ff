#include <dlfcn.h>

#include "bench/cuda_device.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::bench {

namespace {

// The layout of NppStreamContext and NppiSize in NVIDIA's nppdefs.h, which need not be installed.
struct NppStreamContext {
  cudaStream_t stream;
  int device, multiprocessors, threadsOfMultiprocessor, threadsOfBlock;
  std::size_t sharedBytesOfBlock;
  int major, minor;
  unsigned streamFlags;
  int reserved;
};
struct NppSize {
  int width, height;
};
using Integral = int (*)(const unsigned char* in, int inStep, float* out, int outStep, NppSize size, float first,
                         NppStreamContext context);

// The function, loaded at run time, and its library. Null if it was not found.
struct Npp {
  Integral integral = nullptr;
  std::string library;
};

const Npp& npp() {
  static const Npp found = [] {
    for (const char* library : {"libnppist.so.13", "libnppist.so.12"})
      if (void* handle = dlopen(library, RTLD_NOW))
        if (void* symbol = dlsym(handle, "nppiIntegral_8u32f_C1R_Ctx"))
          return Npp{reinterpret_cast<Integral>(symbol), library};
    return Npp{};
  }();
  return found;
}

// Three planes, one call each: NPP has no integral image of interleaved channels. Its tables have one more
// row and column.
Result integral(Size size, Input input) {
  constexpr int kChannels = 3;
  cudaDeviceProp device;
  SATDOF_CUDA(cudaGetDeviceProperties(&device, 0));
  const std::size_t pixels = static_cast<std::size_t>(size.pixels());
  const std::size_t sums = (static_cast<std::size_t>(size.width) + 1) * (static_cast<std::size_t>(size.height) + 1);
  const cuda::DeviceArray<unsigned char> in(kChannels * pixels);
  const cuda::DeviceArray<float> out(kChannels * sums);
  fillElements(reinterpret_cast<unsigned*>(in.data()), false, kChannels * pixels / 4);
  const Measurement time = timeOnDevice(
      [&](cudaStream_t stream) {
        const NppStreamContext context{stream,
                                       0,
                                       device.multiProcessorCount,
                                       device.maxThreadsPerMultiProcessor,
                                       device.maxThreadsPerBlock,
                                       device.sharedMemPerBlock,
                                       device.major,
                                       device.minor,
                                       cudaStreamNonBlocking,
                                       0};
        for (std::size_t channel = 0; channel < kChannels; ++channel)
          if (const int status = npp().integral(in.data() + channel * pixels, size.width, out.data() + channel * sums,
                                                (size.width + 1) * 4, {size.width, size.height}, 0.0f, context);
              status != 0)
            throw std::runtime_error("nppiIntegral_8u32f_C1R_Ctx failed with status " + std::to_string(status));
      },
      input, false);
  return {time, size.pixels() * kChannels * (1 + 4)};
}

}  // namespace

void addNppTables() {
  if (npp().integral == nullptr) {
    benchmark::AddCustomContext("peer NPP", "absent: libnppist.so.13 and .12 not found");
    return;
  }
  benchmark::AddCustomContext("peer NPP", npp().library);
  for (const Size size : kSizes)
    for (const Input input : {Input::warm, Input::cold})
      addRow(path({"table", "npp-3", "float32", nameOf(size), nameOf(input)}), [=] { return integral(size, input); });
}

}  // namespace satdof::bench
