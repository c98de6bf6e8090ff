#pragma once
#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/ptx.cuh"

// Addressing shared by the row scans: tiles along x, rows along y and, beyond the grid's limit, z.
namespace satdof::cuda {

struct Rows {
  unsigned length;
  unsigned count;
  size_t pitch;
};

inline dim3 rowGrid(unsigned tiles, unsigned rows) {
  const unsigned y = std::min(rows, 32768u);
  return {tiles, y, ceilDivide(rows, y)};
}

// May be beyond the last row. Kernels then return, all threads of a block together.
__device__ inline unsigned rowOfBlock() { return blockIdx.z * gridDim.y + blockIdx.y; }

// Four elements as one 16-byte access.
template <class T>
struct Vector;
template <>
struct Vector<unsigned> {
  using Type = uint4;
};
template <>
struct Vector<float> {
  using Type = float4;
};

// Elements [index, index + 4) of `in`, 0 at `count` and above. index is a multiple of 4, `in` aligned to 16
// bytes.
template <class T>
__device__ typename Vector<T>::Type loadVector(const T* in, unsigned index, unsigned count) {
  if (index + 4 <= count) return *reinterpret_cast<const typename Vector<T>::Type*>(in + index);
  typename Vector<T>::Type v{};
  if (index + 0 < count) v.x = in[index + 0];
  if (index + 1 < count) v.y = in[index + 1];
  if (index + 2 < count) v.z = in[index + 2];
  return v;
}

template <class T>
__device__ void storeVector(T* out, unsigned index, unsigned count, typename Vector<T>::Type v) {
  if (index + 4 <= count) {
    *reinterpret_cast<typename Vector<T>::Type*>(out + index) = v;
    return;
  }
  if (index + 0 < count) out[index + 0] = v.x;
  if (index + 1 < count) out[index + 1] = v.y;
  if (index + 2 < count) out[index + 2] = v.z;
}

}  // namespace satdof::cuda
