#pragma once
#include <cuda_fp16.h>
#include <surface_indirect_functions.h>

#include <limits>

#include "cuda/bits.cuh"
#include "cuda/sat/fused_builder.h"
#include "cuda/sat/quantise.cuh"

// One tile of the picture, held in the shared memory of a block as it was read.
//
// With v(x, y) the element at (x, y) and the tile's first pixel at the origin,
//   S(x, y) = sum_{x' <= x} (top(x') + sum_{y' <= y} v(x', y')) + sum_{y' <= y} left(y') + corner
// where top(x) is the sum of column x above the tile, left(y) the sum of row y left of it, and corner the sum
// of everything above and left. The sums that tiles exchange are those of their rows and columns only.
namespace satdof::cuda {

inline constexpr unsigned kFullWarp = 0xffffffffu;

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

// What a picture is read in: 16 bytes, two pixels of halves or one of integers.
template <PictureFormat kFormat>
inline constexpr int kPixelsOfUnit = kFormat == PictureFormat::half4 ? 2 : 1;

// Pixel i of a unit.
template <class T, PictureFormat kFormat>
__device__ Channels<T> pixelOf(uint4 unit, int i, const Quantisation& quantisation) {
  if constexpr (kFormat == PictureFormat::uint4) {
    return channels<T>(unit);
  } else {
    const unsigned words[2] = {i == 0 ? unit.x : unit.z, i == 0 ? unit.y : unit.w};
    Channels<T> result;
#pragma unroll
    for (int w = 0; w < 2; ++w) {
      const float2 values = __half22float2(
          __half2_raw{static_cast<unsigned short>(words[w]), static_cast<unsigned short>(words[w] >> 16)});
      result.c[2 * w] = toElement<T>(values.x, 2 * w, quantisation);
      result.c[2 * w + 1] = toElement<T>(values.y, 2 * w + 1, quantisation);
    }
    return result;
  }
}

// A warp spans the tile's width with kColumns pixels a lane, and has 2 kRowPairs rows. A lane holds
// neighbouring pixels, so that a row takes one scan of lane sums; but the texture path wants neighbouring
// lanes at neighbouring texels, and whole 32-byte sectors of a CUDA array, which are 16 bytes wide and two
// rows high. So pairs of rows change lanes in shared memory, after reading and before writing.
//
// A row item is the sum of one channel over one row of the tile: lane 4 r + c of a warp owns channel c of its
// row r. A column item is the sum of one channel over one column: those of column kColumns l + n lie at 4 (32
// n + l).
template <class Element, PictureFormat kPictureFormat, FusedShape kShape>
class FusedTile {
 public:
  using T = Element;
  static constexpr PictureFormat kFormat = kPictureFormat;
  static constexpr bool kHalves = kFormat == PictureFormat::half4, kLarge = kShape == FusedShape::large;
  static constexpr int kColumns = kHalves && kLarge ? 4 : 2;
  static constexpr int kUnits = kColumns / kPixelsOfUnit<kFormat>;  // of a lane in a row
  static constexpr int kRows = !kHalves ? 4 : kLarge ? 6 : 8;
  static constexpr int kWarps = 8;
  static constexpr int kThreads = 32 * kWarps;
  static constexpr int kBlocksOfMultiprocessor = kLarge ? 2 : 4;
  // Rows that the order of tiles has in a band, where it is not all: while most tiles are resident at once,
  // the ones on the left are the first to finish.
  static constexpr int kRowsOfBand = kLarge ? std::numeric_limits<int>::max() : 1;
  static constexpr int kWidth = 32 * kColumns;
  static constexpr int kHeight = kRows * kWarps;
  static constexpr int kRowItems = 4 * kHeight;
  static constexpr int kColumnItems = 4 * kWidth;
  static constexpr int kColumnItemsOfThread = kColumnItems / kThreads;
  static_assert(kColumnItems % kThreads == 0 && 4 * kRows <= 32 && kColumns % kPixelsOfUnit<kFormat> == 0);

  struct Shared {
    // Of each warp: two rows changing lanes; in between, kWidth sums of its columns, then of the warps above.
    uint4 columns[kWarps][2 * kWidth];
    uint4 units[kWarps][kRows * kUnits * 32];  // as they were read, lanes changed
    uint4 top[kWidth];
    uint4 rowSums[kWarps][kRows];
    uint4 rows[kWarps];  // sums of the row items of a warp
    uint4 corner;
  };

  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int warp() { return threadIdx.x / 32; }
  __device__ static bool ownsRowItem() { return lane() < 4 * kRows; }
  __device__ static int rowItem() { return warp() * 4 * kRows + lane(); }
  __device__ static int columnItem() { return threadIdx.x * kColumnItemsOfThread; }

  // Reads the tile whose first pixel is (x0, y0); pixels outside the picture are 0 bits. What they become
  // only reaches elements of the table that are outside it too.
  __device__ void load(cudaSurfaceObject_t picture, int width, int x0, int y0, Shared& shared) {
    const int firstRow = y0 + warp() * kRows + rowOfQuad();
    constexpr int kUnitBytes = int{sizeof(uint4)};
    uint4 read[kRows][kUnits];
    const int firstUnit = x0 / kPixelsOfUnit<kFormat>;
    if (width % kPixelsOfUnit<kFormat> == 0) {
#pragma unroll
      for (int k = 0; k < kRows; k += 2) {
#pragma unroll
        for (int i = 0; i < 2 * kUnits; ++i)
          read[k + i / kUnits][i % kUnits] = surf2Dread<uint4>(
              picture, (firstUnit + columnOfQuad(i)) * kUnitBytes, firstRow + k, cudaBoundaryModeZero);
      }
    } else {
#pragma unroll
      for (int k = 0; k < kRows; k += 2) {
#pragma unroll
        for (int i = 0; i < 2 * kUnits; ++i) {
          const int byte = (firstUnit + columnOfQuad(i)) * kUnitBytes;
          const auto left = surf2Dread<uint2>(picture, byte, firstRow + k, cudaBoundaryModeZero);
          const auto right = surf2Dread<uint2>(picture, byte + 8, firstRow + k, cudaBoundaryModeZero);
          read[k + i / kUnits][i % kUnits] = {left.x, left.y, right.x, right.y};
        }
      }
    }
#pragma unroll
    for (int k = 0; k < kRows; k += 2) {
#pragma unroll
      for (int i = 0; i < 2 * kUnits; ++i)
        shared.units[warp()][unitSlot(k, columnOfQuad(i), rowOfQuad())] = read[k + i / kUnits][i % kUnits];
    }
    __syncwarp();
  }

  // Returns this lane's row item, and fills shared.columns with sums over each warp's rows.
  __device__ T sum(const Quantisation& quantisation, Shared& shared) {
    Channels<T> rows[kRows] = {};
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
      Channels<T> column = {};
#pragma unroll
      for (int k = 0; k < kRows; ++k) {
        const Channels<T> element = elementAt(shared, k, n, quantisation);
        column += element;
        rows[k] += element;
      }
      shared.columns[warp()][n * 32 + lane()] = toBits(column);
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const Channels<T> through = scanLanes(rows[k]);
      before_[k] = laneBefore(through);
      if (k < kParkedRows) parked(shared, k) = toBits(before_[k]);
      if (lane() == 31) shared.rowSums[warp()][k] = toBits(through);
    }
    __syncwarp();
    return ownsRowItem() ? fromBits<T>((&shared.rowSums[warp()][0].x)[lane()]) : T{0};
  }

  // After a barrier: turns shared.columns into sums over the warps above, for this thread's column items, and
  // returns those items.
  __device__ static void sumColumns(Shared& shared, T (&items)[kColumnItemsOfThread]) {
#pragma unroll
    for (T& item : items) item = T{0};
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      unsigned* const ofWarp = &shared.columns[w][0].x + columnItem();
#pragma unroll
      for (int i = 0; i < kColumnItemsOfThread; ++i) {
        const T ownRows = fromBits<T>(ofWarp[i]);
        ofWarp[i] = toBits(items[i]);
        items[i] += ownRows;
      }
    }
  }

  // The sum over the warp's rows of a value that each owner of a row item has, by channel; 0 where there is
  // no item. In every lane, of channel lane % 4.
  __device__ static T sumRows(T item) {
#pragma unroll
    for (int offset = 4; offset < 32; offset *= 2) item += __shfl_xor_sync(kFullWarp, item, offset);
    return item;
  }

  // After a barrier: writes the tile's part of the table, whose first texel is (x0, y0). `left`: this lane's
  // item of left(y). Reads shared.columns, top, rows (of left) and corner.
  __device__ void write(cudaSurfaceObject_t table, int x0, int y0, const Quantisation& quantisation,
                        Shared& shared, T left) {
    Channels<T> base = channels<T>(shared.corner);
#pragma unroll
    for (int w = 0; w < kWarps - 1; ++w)
      if (w < warp()) base += channels<T>(shared.rows[w]);

#pragma unroll
    for (int k = 0; k < kParkedRows; ++k) before_[k] = channels<T>(parked(shared, k));
    const int firstRow = y0 + warp() * kRows + rowOfQuad();
    uint4* const staged = shared.columns[warp()];
    Channels<T> above[kColumns];  // the table's row just above the current one
    Channels<T> run = {};
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
      run += channels<T>(staged[n * 32 + lane()]);
      run += channels<T>(shared.top[n * 32 + lane()]);
      above[n] = run;
    }
    base += laneBefore(scanLanes(run));
#pragma unroll
    for (int n = 0; n < kColumns; ++n) above[n] += base;

#pragma unroll
    for (int k = 0; k < kRows; k += 2) {
      __syncwarp();
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        Channels<T> row = before_[k + r];
#pragma unroll
        for (int i = 0; i < 4; ++i) row.c[i] += __shfl_sync(kFullWarp, left, 4 * (k + r) + i);
#pragma unroll
        for (int n = 0; n < kColumns; ++n) {
          row += elementAt(shared, k + r, n, quantisation);
          above[n] += row;
          staged[slot<kColumns>(lane() * kColumns + n, r)] = toBits(above[n]);
        }
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < 2 * kColumns; ++i)
        store(table, x0 + columnOfQuad(i), firstRow + k,
              staged[slot<kColumns>(columnOfQuad(i), rowOfQuad())]);
    }
  }

 private:
  // Lanes 4 j to 4 j + 3 take a square of 2x2 texels, a warp 16x2 of them.
  __device__ static int columnOfQuad(int i) { return 16 * i + lane() / 4 * 2 + lane() % 2; }
  __device__ static int rowOfQuad() { return lane() / 2 % 2; }
  // Where the texel at (x, row) of two rows waits, when a lane holds kNeighbours of them: no two lanes of a
  // quarter warp meet in a bank, by squares or by neighbours.
  template <int kNeighbours>
  __device__ static int slot(int x, int row) {
    return row * 32 * kNeighbours + (x ^ (x / 8 % kNeighbours) ^ 4 * row);
  }

  // Rows whose before_ waits in shared memory from sum() to write(), beside the sums of columns, so that the
  // look-back has registers.
  static constexpr int kParkedRows = kRows < kColumns ? kRows : kColumns;
  __device__ static uint4& parked(Shared& shared, int k) {
    return shared.columns[warp()][kWidth + 32 * k + lane()];
  }

  // Where unit x of row k or, if `row` is 1, k + 1 waits.
  __device__ static int unitSlot(int k, int x, int row) { return k * kUnits * 32 + slot<kUnits>(x, row); }
  __device__ Channels<T> elementAt(const Shared& shared, int k, int n,
                                   const Quantisation& quantisation) const {
    constexpr int kPixels = kPixelsOfUnit<kFormat>;
    return pixelOf<T, kFormat>(
        shared.units[warp()][unitSlot(k / 2 * 2, lane() * kUnits + n / kPixels, k % 2)], n % kPixels,
        quantisation);
  }
  // Small pictures mostly stay in the L2 cache until the next is there, if the table makes way for it.
  __device__ static void store(cudaSurfaceObject_t table, int x, int y, uint4 texel) {
    const int byte = x * int{sizeof(uint4)};
    if constexpr (kLarge)
      surf2Dwrite(texel, table, byte, y, cudaBoundaryModeZero);
    else
      asm volatile("sust.b.2d.cs.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(table), "r"(byte),
                   "r"(y), "r"(texel.x), "r"(texel.y), "r"(texel.z), "r"(texel.w)
                   : "memory");
  }
  // Inclusive scan over the lanes.
  __device__ static Channels<T> scanLanes(Channels<T> value) {
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const T below = __shfl_up_sync(kFullWarp, value.c[i], offset);
        if (lane() >= offset) value.c[i] += below;
      }
    }
    return value;
  }
  // The value of the lane before, 0 in the first.
  __device__ static Channels<T> laneBefore(const Channels<T>& value) {
    Channels<T> result;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const T below = __shfl_up_sync(kFullWarp, value.c[i], 1);
      result.c[i] = lane() == 0 ? T{0} : below;
    }
    return result;
  }

  Channels<T> before_[kRows];  // sum of the row's pixels in the lanes before this one
};

// How many tiles of one shape cover a picture.
struct TileGrid {
  int x, y;
  size_t count() const { return size_t{1} * x * y; }
};
template <class Tile>
TileGrid tileGrid(int width, int height) {
  return {(width + Tile::kWidth - 1) / Tile::kWidth, (height + Tile::kHeight - 1) / Tile::kHeight};
}

// Calls function.operator()<Tile>() with the tile for these elements, pixels and shape.
template <class Function>
void withTile(ElementType type, PictureFormat format, FusedShape shape, Function&& function) {
  const auto withShape = [&]<class T, PictureFormat kFormat>() {
    if (shape == FusedShape::large)
      function.template operator()<FusedTile<T, kFormat, FusedShape::large>>();
    else
      function.template operator()<FusedTile<T, kFormat, FusedShape::small>>();
  };
  if (format == PictureFormat::uint4)
    withShape.template operator()<unsigned, PictureFormat::uint4>();
  else if (type == ElementType::uint32)
    withShape.template operator()<unsigned, PictureFormat::half4>();
  else
    withShape.template operator()<float, PictureFormat::half4>();
}

// Launches a kernel whose blocks share a Tile::Shared; more than 48 KB must be asked for.
template <class Tile, class... Parameters>
void launchTiles(void (*kernel)(Parameters...), dim3 blocks, cudaStream_t stream, Parameters... parameters) {
  constexpr int kBytes = int{sizeof(typename Tile::Shared)};
  SATDOF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  kernel<<<blocks, Tile::kThreads, kBytes, stream>>>(parameters...);
  SATDOF_CUDA_LAUNCHED();
}

// The memory that launchTiles() gives a block.
template <class Tile>
__device__ typename Tile::Shared& sharedOf() {
  extern __shared__ uint4 memory[];
  return *reinterpret_cast<typename Tile::Shared*>(memory);
}

}  // namespace satdof::cuda
