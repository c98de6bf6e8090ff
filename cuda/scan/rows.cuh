#pragma once
#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/ptx.cuh"

// Addressing shared by the row scans. The grid has the tiles of a row along x, and the rows along y and z,
// since gridDim.y is limited to 65535.
namespace satdof::cuda {

struct Rows {
  unsigned length;  // elements of a row
  unsigned count;   // rows
  size_t pitch;     // elements from one row to the next
};

inline dim3 rowGrid(unsigned tiles, unsigned rows) {
  const unsigned y = std::min(rows, 32768u);
  return {tiles, y, ceilDivide(rows, y)};
}

// The row of this block. It may be beyond the last row; the whole block then returns.
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

// The elements [index, index + 4) of `in`; elements from `count` on are 0. `index`: a multiple of 4; `in`:
// aligned to 16 bytes.
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
