#pragma once
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

#include "cuda/emulator/block.h"
#include "cuda/emulator/vectors.h"

// The functions of the CUDA runtime that this project calls. Work on a stream runs in the call, unless the
// stream is captured. Events record the time of the clock.
struct CUstream_st;
struct cudaArray;

inline namespace satdof_emulator {

enum cudaError_t {
  cudaSuccess,
  cudaErrorInvalidValue,
  cudaErrorMemoryAllocation,
  cudaErrorInvalidConfiguration,
  cudaErrorNotReady,
  cudaErrorNotSupported,
  cudaErrorDevicesUnavailable,
  cudaErrorInsufficientDriver,
  cudaErrorStreamCaptureUnsupported,
  cudaErrorStreamCaptureInvalidated
};
using cudaStream_t = CUstream_st*;
using cudaArray_t = ::cudaArray*;
using cudaSurfaceObject_t = unsigned long long;

const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();

struct cudaDeviceProp {
  char name[256];
  int multiProcessorCount;
  std::size_t sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
};
struct cudaFuncAttributes {
  int numRegs;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceSynchronize();
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  *attributes = {};
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute, int bytes) {
  return bytes <= static_cast<int>(satdof::emulator::kMaxSharedBytes) ? cudaSuccess : cudaErrorInvalidValue;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int, std::size_t) {
  *blocks = 1;
  return cudaSuccess;
}

inline constexpr std::size_t kMemory = std::size_t{4} << 30;  // bytes of device memory

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream);

enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat };
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
template <class T>
requires std::is_arithmetic_v<T> cudaChannelFormatDesc cudaCreateChannelDesc() {
  return {8 * sizeof(T), 0, 0, 0,
          std::is_floating_point_v<T> ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
}
inline constexpr unsigned cudaArraySurfaceLoadStore = 2;
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, std::size_t width,
                            std::size_t height, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
// Copies of rows. x, pitch and width in bytes; y and height in rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_t from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch, cudaArray_t from, std::size_t x, std::size_t y,
                                       std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream);
enum cudaResourceType { cudaResourceTypeArray };
struct cudaResourceDesc {
  cudaResourceType resType;
  struct {
    struct {
      cudaArray_t array;
    } array;
  } res;
};
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
inline constexpr unsigned cudaStreamNonBlocking = 1;
struct Graph;
using cudaGraph_t = Graph*;
using cudaGraphExec_t = Graph*;
struct cudaGraphExecUpdateResultInfo {};
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return cudaGraphDestroy(executable); }

struct Event;
using cudaEvent_t = Event*;
inline constexpr unsigned cudaEventRecordDefault = 0, cudaEventRecordExternal = 1;
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* timeMs, cudaEvent_t from, cudaEvent_t to);

// Not supported: interop.cu then copies OpenGL objects through host memory.
struct cudaGraphicsResource;
using cudaGraphicsResource_t = cudaGraphicsResource*;
inline constexpr unsigned cudaGraphicsRegisterFlagsReadOnly = 1, cudaGraphicsRegisterFlagsWriteDiscard = 2,
                          cudaGraphicsRegisterFlagsSurfaceLoadStore = 4;
enum cudaGLDeviceList { cudaGLDeviceListAll };
inline cudaError_t cudaGLGetDevices(unsigned*, int*, unsigned, cudaGLDeviceList) { return cudaErrorNotSupported; }
inline cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, unsigned, unsigned, unsigned) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t*, unsigned, unsigned) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) { return cudaErrorNotSupported; }
inline cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned, unsigned) {
  return cudaErrorNotSupported;
}
inline cudaError_t cudaGraphicsResourceGetMappedPointer(void**, std::size_t*, cudaGraphicsResource_t) {
  return cudaErrorNotSupported;
}

}  // namespace satdof_emulator

namespace satdof::emulator {

// Runs a kernel, or records it if the stream is captured. A launch configuration that CUDA would refuse is
// reported by cudaGetLastError(); a kernel with a fault throws.
void enqueueCall(const Launch& launch, CUstream_st* stream, const Call& call);

template <class Kernel>
void enqueue(const Launch& launch, CUstream_st* stream, Kernel&& kernel) {
  using Held = std::remove_cvref_t<Kernel>;
  enqueueCall(launch, stream,
              Call{[](const void* held) { (*static_cast<const Held*>(held))(); },
                   std::make_shared<const Held>(std::forward<Kernel>(kernel)), sizeof(Held)});
}

}  // namespace satdof::emulator
