#pragma once
#include <cuda_fp16.h>

#include "cuda/block/warp.cuh"
#include "cuda/runtime/texels.cuh"
#include "cuda/sat/fused.h"
#include "cuda/sat/quantise.cuh"
#include "cuda/scan/bits.cuh"

// One tile of the image, in the shared memory of a block. Pixels stay in the format of the image and are
// converted whenever they are used.
//
// With v(x, y) the element at (x, y) and the first pixel of the tile at the origin, the table is
//   S(x, y) = sum_{x' <= x} (top(x') + sum_{y' <= y} v(x', y')) + sum_{y' <= y} left(y') + corner
// where top(x) is the sum of column x above the tile, left(y) the sum of row y to the left of the tile, and
// corner the sum over all pixels that are both above and to the left. Tiles exchange only sums of rows and
// columns.
namespace satdof::cuda {

// The four channels of a pixel.
template <class T>
struct Channels {
  T c[4];
};

template <class T>
__device__ Channels<T>& operator+=(Channels<T>& a, const Channels<T>& b) {
#pragma unroll
  for (int i = 0; i < 4; ++i) a.c[i] += b.c[i];
  return a;
}
template <class T>
__device__ uint4 toBits(const Channels<T>& a) {
  return {toBits(a.c[0]), toBits(a.c[1]), toBits(a.c[2]), toBits(a.c[3])};
}
template <class T>
__device__ Channels<T> channels(uint4 bits) {
  return {fromBits<T>(bits.x), fromBits<T>(bits.y), fromBits<T>(bits.z), fromBits<T>(bits.w)};
}

// A unit is one access of 16 bytes: two pixels of half floats, or one pixel of integers.
template <ImageFormat kFormat>
inline constexpr int kPixelsOfUnit = kFormat == ImageFormat::half4 ? 2 : 1;

// The elements of pixel i of a unit.
template <class T, ImageFormat kFormat>
__device__ Channels<T> pixelOf(uint4 unit, int i, const Quantisation& quantisation) {
  if constexpr (kFormat == ImageFormat::uint4) {
    return channels<T>(unit);
  } else {
    const unsigned words[2] = {i == 0 ? unit.x : unit.z, i == 0 ? unit.y : unit.w};
    Channels<T> result;
#pragma unroll
    for (int w = 0; w < 2; ++w) {
      const __half2 halves =
          __half2_raw{static_cast<unsigned short>(words[w]), static_cast<unsigned short>(words[w] >> 16)};
      const float2 values = __half22float2(halves);
      result.c[2 * w] = toElement<T>(values.x, 2 * w, quantisation);
      result.c[2 * w + 1] = toElement<T>(values.y, 2 * w + 1, quantisation);
    }
    return result;
  }
}

// The shape of a tile. A group of kLanes lanes takes kRows whole rows of the tile; a lane has kColumns
// neighbouring pixels of each row. kBlocks: resident blocks per multiprocessor. kAheadLeft, kAheadUp: words
// that the look-back fetches at once.
template <int lanes, int columns, int rows, int threads, int aheadLeft, int aheadUp>
struct TileShape {
  static constexpr int kLanes = lanes, kColumns = columns, kRows = rows;
  static constexpr int kThreads = threads, kBlocks = 2;
  static constexpr int kAheadLeft = aheadLeft, kAheadUp = aheadUp;
};
using SmallTile = TileShape<16, 2, 4, 256, 8, 4>;
using MediumTile = TileShape<16, 4, 4, 256, 1, 1>;
using LargeTile = TileShape<16, 8, 4, 256, 1, 1>;

// Computation: a lane has neighbouring pixels of a row, so that one scan of lane sums serves a row. Memory
// access: fastest with neighbouring lanes at neighbouring texels and in whole sectors of a CUDA array, which
// are 32 bytes: 16 bytes wide, two rows high. Therefore pairs of rows are rearranged among the lanes in
// shared memory, after reading and before writing.
//
// A row item is the sum of one channel over one row of the tile: lane 4 r + c of a group owns channel c of
// row r. The first kWidth threads own a column each: thread kLanes n + l owns column kColumns l + n.
template <class Element, ImageFormat kImageFormat, class Shape>
class FusedTile {
 public:
  using T = Element;
  static constexpr ImageFormat kFormat = kImageFormat;
  static constexpr int kLanes = Shape::kLanes, kColumns = Shape::kColumns, kRows = Shape::kRows;
  static constexpr int kThreads = Shape::kThreads, kBlocks = Shape::kBlocks;
  static constexpr int kAheadLeft = Shape::kAheadLeft, kAheadUp = Shape::kAheadUp;
  static constexpr int kGroups = kThreads / kLanes;
  static constexpr int kUnits = kColumns / kPixelsOfUnit<kFormat>;  // units of a lane in a row
  static constexpr int kWidth = kLanes * kColumns;
  static constexpr int kHeight = kRows * kGroups;
  static constexpr int kRowItems = 4 * kHeight;
  static_assert(kWidth <= kThreads && 4 * kRows <= kLanes && kRows % 2 == 0 && kColumns % kPixelsOfUnit<kFormat> == 0);

  struct Shared {
    // Column sums over a group's rows, then over all rows above the group.
    uint4 columns[kGroups][kWidth];
    // Pairs of rows, in the format of the image; see slot().
    uint4 units[kGroups][kRows / 2][2 * kLanes * kUnits];
    uint4 rows[kGroups];  // sum of left(y) over a group's rows
    uint4 corner;
  };

  __device__ static int lane() { return threadIdx.x % kLanes; }
  __device__ static int group() { return threadIdx.x / kLanes; }
  __device__ static bool ownsRowItem() { return lane() < 4 * kRows; }
  __device__ static int rowItem() { return group() * 4 * kRows + lane(); }
  __device__ static bool ownsColumn() { return threadIdx.x < kWidth; }

  // Reads the tile whose first pixel is (x0, y0). Pixels outside the image read as 0 bits; they only affect
  // table elements outside the image.
  __device__ void load(const TexelView& image, int x0, int y0, Shared& shared) {
    const int firstRow = y0 + group() * kRows + rowOfQuad();
    const int firstUnit = x0 / kPixelsOfUnit<kFormat>;
    constexpr int kUnitBytes = int{sizeof(uint4)};
    uint4 read[kRows / 2][2 * kUnits];
    if (kFormat == ImageFormat::uint4) {
#pragma unroll
      for (int k = 0; k < kRows / 2; ++k) {
#pragma unroll
        for (int i = 0; i < 2 * kUnits; ++i) read[k][i] = image.read(firstUnit + columnOfQuad(i), firstRow + 2 * k);
      }
    } else if (image.width % kPixelsOfUnit<kFormat> == 0) {
#pragma unroll
      for (int k = 0; k < kRows / 2; ++k) {
#pragma unroll
        for (int i = 0; i < 2 * kUnits; ++i)
          read[k][i] = surf2Dread<uint4>(image.surface, (firstUnit + columnOfQuad(i)) * kUnitBytes, firstRow + 2 * k,
                                         cudaBoundaryModeZero);
      }
    } else {
#pragma unroll
      for (int k = 0; k < kRows / 2; ++k) {
#pragma unroll
        for (int i = 0; i < 2 * kUnits; ++i) {
          const int byte = (firstUnit + columnOfQuad(i)) * kUnitBytes;
          const auto left = surf2Dread<uint2>(image.surface, byte, firstRow + 2 * k, cudaBoundaryModeZero);
          const auto right = surf2Dread<uint2>(image.surface, byte + 8, firstRow + 2 * k, cudaBoundaryModeZero);
          read[k][i] = {left.x, left.y, right.x, right.y};
        }
      }
    }
#pragma unroll
    for (int k = 0; k < kRows / 2; ++k) {
#pragma unroll
      for (int i = 0; i < 2 * kUnits; ++i)
        shared.units[group()][k][slot<kUnits>(columnOfQuad(i), rowOfQuad())] = read[k][i];
    }
    __syncwarp();
  }

  // Returns the row item of this lane, and writes the column sums of this group to shared.columns.
  __device__ T sum(const Quantisation& quantisation, Shared& shared) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) rows_[k] = {};
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
      Channels<T> column = {};
#pragma unroll
      for (int k = 0; k < kRows; ++k) {
        const Channels<T> element = elementAt(shared, k, n, quantisation);
        column += element;
        rows_[k] += element;
      }
      shared.columns[group()][n * kLanes + lane()] = toBits(column);
    }
    T items[kLanes];
#pragma unroll
    for (int i = 0; i < kLanes; ++i) items[i] = i < 4 * kRows ? rows_[i / 4 % kRows].c[i % 4] : T{0};
    return sumOverLanes<kLanes / 2>(items);
  }

  // Turns the lane's row sums into exclusive prefixes over the lanes. Call between sum() and write(); needs
  // nothing from other tiles.
  __device__ void scanRows() {
#pragma unroll
    for (int k = 0; k < kRows; ++k) rows_[k] = sumOfLanesBefore(rows_[k]);
  }

  // The sum over the column that this thread owns. Call after a barrier that follows sum().
  __device__ static Channels<T> sumColumn(const Shared& shared) {
    Channels<T> sum = {};
#pragma unroll
    for (int g = 0; g < kGroups; ++g) sum += channels<T>(shared.columns[g][threadIdx.x]);
    return sum;
  }

  // For the column that this thread owns: turns the sums in shared.columns into sums over all rows above each
  // group. `top`: top(x).
  __device__ static void scanColumn(Channels<T> top, Shared& shared) {
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      uint4& column = shared.columns[g][threadIdx.x];
      const Channels<T> own = channels<T>(column);
      column = toBits(top);
      top += own;
    }
  }

  // The sum of the group's row items of channel lane % 4. `item`: this lane's row item, 0 in lanes that own
  // none.
  __device__ static T sumRows(T item) {
#pragma unroll
    for (int offset = 4; offset < kLanes; offset *= 2) item += __shfl_xor_sync(kAllLanes, item, offset);
    return item;
  }

  // Writes the tile's part of the table, whose first texel is (x0, y0). `left`: left(y) for the row item of
  // this lane. Reads shared.columns, shared.rows and shared.corner. Call after a barrier.
  __device__ void write(const TexelView& table, int x0, int y0, const Quantisation& quantisation, Shared& shared,
                        T left) {
    Channels<T> base = channels<T>(shared.corner);
#pragma unroll
    for (int g = 0; g < kGroups - 1; ++g)
      if (g < group()) base += channels<T>(shared.rows[g]);

    uint4* const columns = shared.columns[group()];
    Channels<T> above[kColumns];  // the table in the row above the current row
    Channels<T> run = {};
#pragma unroll
    for (int n = 0; n < kColumns; ++n) run += channels<T>(columns[n * kLanes + lane()]);
    base += sumOfLanesBefore(run);
#pragma unroll
    for (int n = 0; n < kColumns; ++n) above[n] = base += channels<T>(columns[n * kLanes + lane()]);

    const int firstRow = y0 + group() * kRows + rowOfQuad();
#pragma unroll
    for (int k = 0; k < kRows; k += 2) {
      // Staging before the write: the first row of a pair in `columns`, the second in the units of the pair,
      // both not needed any more.
      uint4* const pair = shared.units[group()][k / 2];
      const auto place = [&](int x, int row) -> uint4& {
        return (row == 0 ? columns : pair)[slot<kColumns>(x, row) - row * kWidth];
      };
      __syncwarp();
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        Channels<T> row = rows_[k + r];
#pragma unroll
        for (int i = 0; i < 4; ++i) row.c[i] += __shfl_sync(kAllLanes, left, 4 * (k + r) + i, kLanes);
#pragma unroll
        for (int n = 0; n < kColumns; ++n) {
          row += elementAt(shared, k + r, n, quantisation);
          above[n] += row;
        }
        if (r == 1) __syncwarp();
#pragma unroll
        for (int n = 0; n < kColumns; ++n) place(lane() * kColumns + n, r) = toBits(above[n]);
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < 2 * kColumns; ++i)
        table.stream(x0 + columnOfQuad(i), firstRow + k, place(columnOfQuad(i), rowOfQuad()));
    }
  }

 private:
  // Texels of a memory access: lanes 4 j to 4 j + 3 access a square of 2 x 2 texels, a group kLanes / 2 x 2
  // texels. Access i is i times kLanes / 2 columns to the right.
  __device__ static int columnOfQuad(int i) { return kLanes / 2 * i + lane() / 4 * 2 + lane() % 2; }
  __device__ static int rowOfQuad() { return lane() / 2 % 2; }
  // The slot of the texel at (x, row) of a pair of rows in shared memory, if a lane has kNeighbours texels
  // per row. The exclusive or avoids bank conflicts: the lanes of a quarter warp access different banks, both
  // in squares and with neighbouring texels per lane.
  template <int kNeighbours>
  __device__ static int slot(int x, int row) {
    return row * kLanes * kNeighbours + (x ^ (x / 8 % kNeighbours) ^ 4 * row);
  }

  __device__ Channels<T> elementAt(const Shared& shared, int k, int n, const Quantisation& quantisation) const {
    constexpr int kPixels = kPixelsOfUnit<kFormat>;
    const int x = lane() * kUnits + n / kPixels;
    return pixelOf<T, kFormat>(shared.units[group()][k / 2][slot<kUnits>(x, k % 2)], n % kPixels, quantisation);
  }
  // Transposed reduction: lane i gets the sum of item i over the lanes of the group. Each step halves the
  // number of items of a lane and adds the other half to the lane kOffset away. Cost: kLanes - 1 shuffles in
  // all.
  template <int kOffset>
  __device__ static T sumOverLanes(const T (&items)[2 * kOffset]) {
    const bool upper = lane() & kOffset;
    T half[kOffset];
#pragma unroll
    for (int i = 0; i < kOffset; ++i) {
      const T low = items[i], high = items[i + kOffset];
      half[i] = (upper ? high : low) + __shfl_xor_sync(kAllLanes, upper ? low : high, kOffset);
    }
    if constexpr (kOffset == 1)
      return half[0];
    else
      return sumOverLanes<kOffset / 2>(half);
  }
  // Exclusive scan over the lanes of the group. Integers: inclusive scan less the value. Floats: a shuffle,
  // since subtraction would round.
  __device__ static Channels<T> sumOfLanesBefore(const Channels<T>& value) {
    Channels<T> through = value;
#pragma unroll
    for (int offset = 1; offset < kLanes; offset *= 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const T below = __shfl_up_sync(kAllLanes, through.c[i], offset, kLanes);
        if (lane() >= offset) through.c[i] += below;
      }
    }
    Channels<T> before;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        const T below = __shfl_up_sync(kAllLanes, through.c[i], 1, kLanes);
        before.c[i] = lane() == 0 ? T{0} : below;
      } else {
        before.c[i] = through.c[i] - value.c[i];
      }
    }
    return before;
  }

  // Per row: the sum of this lane's pixels, then the sum of the lower lanes' pixels.
  Channels<T> rows_[kRows];
};

// Calls function.operator()<Tile>() with the FusedTile for this element type, image format and shape.
template <class Function>
void withTile(ElementType type, ImageFormat format, FusedShape shape, Function&& function) {
  const auto withShape = [&]<class T, ImageFormat kFormat>() {
    using Largest = std::conditional_t<kFormat == ImageFormat::half4, LargeTile, MediumTile>;
    if (shape == FusedShape::small)
      function.template operator()<FusedTile<T, kFormat, SmallTile>>();
    else if (shape == FusedShape::medium)
      function.template operator()<FusedTile<T, kFormat, MediumTile>>();
    else
      function.template operator()<FusedTile<T, kFormat, Largest>>();
  };
  if (format == ImageFormat::uint4)
    withShape.template operator()<unsigned, ImageFormat::uint4>();
  else if (type == ElementType::uint32)
    withShape.template operator()<unsigned, ImageFormat::half4>();
  else
    withShape.template operator()<float, ImageFormat::half4>();
}

}  // namespace satdof::cuda
