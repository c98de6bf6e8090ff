#pragma once
#include <cstddef>

#include "cuda/sat/table_builder.h"

// An image as planes of 32-bit elements, one plane per channel: three (red, green, blue) or four. Element (x,
// y) of plane c is at (c * height + y) * pitch + x. All functions enqueue on `stream`.
namespace satdof::cuda {

inline constexpr unsigned kPlanes = 4;

struct PlaneShape {
  // The pitch is a multiple of 128 bytes.
  PlaneShape(unsigned columns, unsigned rows, unsigned planeCount = kPlanes)
      : width(columns), height(rows), planes(planeCount), pitch((std::size_t{columns} + 31) / 32 * 32) {}
  PlaneShape transposed() const { return {height, width, planes}; }
  std::size_t elements() const { return pitch * planes * height; }

  unsigned width, height, planes;
  std::size_t pitch;
};

// Writes the elements of an image to `planes`. ImageFormat::half4 needs a surface, ImageFormat::uint4 needs
// ElementType::uint32.
void deinterleave(const TexelHandle& image, ImageFormat format, ElementType type, const Quantisation& quantisation,
                  PlaneShape shape, void* planes, CUstream_st* stream);

// out(y, x) = in(x, y) in every plane. `shape`: of `in`. The two must not overlap.
void transpose(const void* in, PlaneShape shape, void* out, CUstream_st* stream);

// Writes the planes to shape.width x shape.height texels of `table`. Without a fourth plane, the fourth
// channel is 0.
void interleave(const void* planes, PlaneShape shape, const TexelHandle& table, CUstream_st* stream);

}  // namespace satdof::cuda
