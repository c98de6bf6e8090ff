#pragma once
#include <cstddef>

#include "cuda/sat/table_builder.h"

// An image as four planes of 32-bit elements, one after the other: element (x, y) of plane c at
// (c * height + y) * pitch + x. All calls enqueue on `stream`.
namespace satdof::cuda {

inline constexpr unsigned kPlanes = 4;

struct PlaneShape {
  // Rows start at multiples of 128 bytes.
  PlaneShape(unsigned columns, unsigned rows)
      : width(columns), height(rows), pitch((size_t{columns} + 31) / 32 * 32) {}
  PlaneShape transposed() const { return {height, width}; }
  size_t elements() const { return pitch * kPlanes * height; }

  unsigned width, height;
  size_t pitch;
};

// Reads the image through a surface. ImageFormat::uint4 needs ElementType::uint32.
void deinterleave(unsigned long long imageSurface, ImageFormat format, ElementType type,
                  const Quantisation& quantisation, PlaneShape shape, void* planes, CUstream_st* stream);

// Writes element (x, y) of `in`, of `shape`, to element (y, x) of `out`. The two must not overlap.
void transpose(const void* in, PlaneShape shape, void* out, CUstream_st* stream);

// Writes shape.width x shape.height texels of four 32-bit channels through a surface.
void interleave(const void* planes, PlaneShape shape, unsigned long long tableSurface, CUstream_st* stream);

}  // namespace satdof::cuda
