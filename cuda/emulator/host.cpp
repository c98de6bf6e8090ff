#include "cuda/emulator/host.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cuda/emulator/block.h"
#include "cuda/emulator/surface.h"
#include "cuda/emulator/watch.h"

struct CUstream_st {
  satdof_emulator::Graph* capture = nullptr;
  bool broken = false;  // whether a call that cannot be captured has invalidated the capture
};

struct cudaArray {
  std::size_t rowBytes, rows;
  std::vector<unsigned char> texels;
};

inline namespace satdof_emulator {

struct Graph {
  std::vector<std::function<void()>> work;
};

struct Event {
  std::chrono::steady_clock::time_point time{};
};

namespace {

thread_local cudaError_t lastError = cudaSuccess;

cudaError_t failed(cudaError_t error) { return lastError = error; }

// Runs `work`, or records it if the stream is captured.
template <class Work>
cudaError_t enqueue(cudaStream_t stream, Work&& work) {
  if (stream != nullptr && stream->capture != nullptr)
    stream->capture->work.emplace_back(std::forward<Work>(work));
  else
    work();
  return cudaSuccess;
}

constexpr std::size_t kAlignment = 256;
constexpr unsigned char kFresh = 0xcd;  // fills new allocations, to make uninitialised reads visible

}  // namespace

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorNotSupported:
      return "operation not supported by the emulator";
    case cudaErrorDevicesUnavailable:
      return "devices unavailable";
    case cudaErrorInsufficientDriver:
      return "insufficient driver";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
  }
  return "unknown error";
}
cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
// Few multiprocessors, but enough that kernels take the code paths for several blocks.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strncpy(properties->name, "CUDA kernels, emulated on the processor", sizeof properties->name - 1);
  properties->multiProcessorCount = 4;
  properties->sharedMemPerBlockOptin = satdof::emulator::kMaxSharedBytes;
  properties->sharedMemPerMultiprocessor = satdof::emulator::kMaxSharedBytes + 1024;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > kMemory) return failed(cudaErrorMemoryAllocation);
  *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (*memory == nullptr) return failed(cudaErrorMemoryAllocation);
  std::memset(*memory, kFresh, bytes);
  satdof::emulator::allocated(*memory, bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  satdof::emulator::freed(memory);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory == nullptr ? failed(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = kMemory;
  return cudaSuccess;
}
// CUDA allows null pointers with no bytes; the C library does not.
static void move(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memmove(to, from, bytes);
}
static void fill(void* to, int value, std::size_t bytes) {
  if (bytes > 0) std::memset(to, value, bytes);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  move(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return enqueue(stream, [=] { move(to, from, bytes); });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  fill(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return enqueue(stream, [=] { fill(to, value, bytes); });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, std::size_t width,
                            std::size_t height, unsigned) {
  *array = nullptr;
  const auto bits = static_cast<std::size_t>(channels->x + channels->y + channels->z + channels->w);
  const std::size_t rowBytes = bits / 8 * width;
  if (bits == 0 || width == 0 || height == 0) return failed(cudaErrorInvalidValue);
  if (rowBytes > kMemory / height) return failed(cudaErrorMemoryAllocation);
  try {
    *array = new ::cudaArray{rowBytes, height, std::vector<unsigned char>(rowBytes * height, kFresh)};
  } catch (const std::bad_alloc&) {
    return failed(cudaErrorMemoryAllocation);
  }
  satdof::emulator::allocated((*array)->texels.data(), (*array)->texels.size());
  return cudaSuccess;
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array != nullptr) satdof::emulator::freed(array->texels.data());
  delete array;
  return cudaSuccess;
}

namespace {

void copyRows(unsigned char* to, std::size_t toPitch, const unsigned char* from, std::size_t fromPitch,
              std::size_t width, std::size_t height) {
  for (std::size_t y = 0; y < height; ++y) std::memcpy(to + y * toPitch, from + y * fromPitch, width);
}
bool fits(cudaArray_t array, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  return x + width <= array->rowBytes && y + height <= array->rows;
}

}  // namespace

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
  if (!fits(to, x, y, width, height)) return failed(cudaErrorInvalidValue);
  return enqueue(stream, [=] {
    copyRows(to->texels.data() + y * to->rowBytes + x, to->rowBytes, static_cast<const unsigned char*>(from), pitch,
             width, height);
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_t from, std::size_t x, std::size_t y,
                                       std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
  if (!fits(from, x, y, width, height)) return failed(cudaErrorInvalidValue);
  return enqueue(stream, [=] {
    copyRows(static_cast<unsigned char*>(to), pitch, from->texels.data() + y * from->rowBytes + x, from->rowBytes,
             width, height);
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  *surface = reinterpret_cast<cudaSurfaceObject_t>(resource->res.array.array);
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }

namespace surface {

void* at(cudaSurfaceObject_t surface, int x, int y, unsigned bytes, bool write, bool trap) {
  ::cudaArray& array = *reinterpret_cast<::cudaArray*>(surface);
  const bool inside = x >= 0 && y >= 0 && static_cast<std::size_t>(x) + bytes <= array.rowBytes &&
                      static_cast<std::size_t>(y) < array.rows;
  const void* const code = __builtin_return_address(0);
  if (!inside) {
    if (trap)
      satdof::emulator::fault("accesses a surface of " + std::to_string(array.rowBytes) + " bytes x " +
                                  std::to_string(array.rows) + " rows at byte " + std::to_string(x) + ", row " +
                                  std::to_string(y),
                              code);
    return nullptr;
  }
  unsigned char* const texel = array.texels.data() + static_cast<std::size_t>(y) * array.rowBytes + x;
  using satdof::emulator::Kind;
  if (satdof::emulator::watching) satdof::emulator::reportAccess(texel, bytes, write ? Kind::write : Kind::read, code);
  return texel;
}

}  // namespace surface

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new ::CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream == nullptr || stream->capture == nullptr) return cudaSuccess;
  stream->broken = true;
  return failed(cudaErrorStreamCaptureUnsupported);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status =
      stream != nullptr && stream->capture != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->capture != nullptr) return failed(cudaErrorInvalidValue);
  stream->capture = new Graph;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = std::exchange(stream->capture, nullptr);
  if (*graph == nullptr) return failed(cudaErrorInvalidValue);
  if (!std::exchange(stream->broken, false)) return cudaSuccess;
  delete std::exchange(*graph, nullptr);
  return failed(cudaErrorStreamCaptureInvalidated);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new Graph(*graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo*) {
  if (executable->work.size() != graph->work.size()) return failed(cudaErrorInvalidValue);
  *executable = *graph;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  for (const auto& work : executable->work) enqueue(stream, work);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new Event;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return enqueue(stream, [=] { event->time = std::chrono::steady_clock::now(); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* timeMs, cudaEvent_t from, cudaEvent_t to) {
  *timeMs = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}

}  // namespace satdof_emulator

namespace satdof::emulator {

void enqueueCall(const Launch& launch, CUstream_st* stream, const Call& call) {
  const auto [x, y, z] = launch.block;
  constexpr unsigned kMaxThreads = 1024, kMaxBlocks = 65535;
  const bool valid = x > 0 && y > 0 && z > 0 && x <= kMaxThreads && y <= kMaxThreads && z <= 64 &&
                     x * y * z <= kMaxThreads && launch.grid.x > 0 && launch.grid.y > 0 && launch.grid.z > 0 &&
                     launch.grid.x <= 0x7fffffffu && launch.grid.y <= kMaxBlocks && launch.grid.z <= kMaxBlocks &&
                     launch.sharedBytes <= kMaxSharedBytes;
  if (!valid) {
    lastError = cudaErrorInvalidConfiguration;
    return;
  }
  satdof_emulator::enqueue(stream, [launch, call] { run(launch, call); });
}

}  // namespace satdof::emulator
