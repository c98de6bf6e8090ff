#pragma once
#include <cstddef>

#include "cuda/sat/table_builder.h"

// An image as planes of 32-bit elements, three (red, green, blue) or four, one after the other: element (x, y) of plane c at
// (c * height + y) * pitch + x. All calls enqueue on `stream`.
namespace satdof::cuda {

inline constexpr unsigned kPlanes = 4;

struct PlaneShape {
  // Rows start at multiples of 128 bytes.
  PlaneShape(unsigned columns, unsigned rows, unsigned planeCount = kPlanes)
      : width(columns), height(rows), planes(planeCount), pitch((size_t{columns} + 31) / 32 * 32) {}
  PlaneShape transposed() const { return {height, width, planes}; }
  size_t elements() const { return pitch * planes * height; }

  unsigned width, height, planes;
  size_t pitch;
};

// An image of ImageFormat::half4 has a surface; ImageFormat::uint4 needs ElementType::uint32.
void deinterleave(const TexelHandle& image, ImageFormat format, ElementType type,
                  const Quantisation& quantisation, PlaneShape shape, void* planes, CUstream_st* stream);

// Writes element (x, y) of `in`, of `shape`, to element (y, x) of `out`. The two must not overlap.
void transpose(const void* in, PlaneShape shape, void* out, CUstream_st* stream);

// Writes shape.width x shape.height texels; the fourth channel is 0 without a fourth plane.
void interleave(const void* planes, PlaneShape shape, const TexelHandle& table, CUstream_st* stream);

}  // namespace satdof::cuda
