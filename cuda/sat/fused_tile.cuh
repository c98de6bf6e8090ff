#pragma once
#include <cuda_fp16.h>
#include <surface_indirect_functions.h>

#include "cuda/sat/fused_builder.h"
#include "cuda/sat/quantise.cuh"

// One tile of the picture, held in the registers of a block as it was read.
//
// With v(x, y) the element at (x, y) and the tile's first pixel at the origin,
//   S(x, y) = sum_{x' <= x} (top(x') + sum_{y' <= y} v(x', y')) + sum_{y' <= y} left(y') + corner
// where top(x) is the sum of column x above the tile, left(y) the sum of row y left of it, and corner the sum
// of everything above and left. The sums that tiles exchange are those of their rows and columns only.
namespace satdof::cuda {

inline constexpr unsigned kFullWarp = 0xffffffffu;

// The four channels of a pixel.
template <class T>
struct alignas(16) Channels {
  T c[4];
};

template <class T>
__device__ Channels<T>& operator+=(Channels<T>& a, const Channels<T>& b) {
#pragma unroll
  for (int i = 0; i < 4; ++i) a.c[i] += b.c[i];
  return a;
}
template <class T>
__device__ Channels<T> operator+(Channels<T> a, const Channels<T>& b) {
  return a += b;
}

template <class T>
__device__ Channels<T> select(bool first, const Channels<T>& a, const Channels<T>& b) {
  Channels<T> result;
#pragma unroll
  for (int i = 0; i < 4; ++i) result.c[i] = first ? a.c[i] : b.c[i];
  return result;
}

template <class T, class Shuffle>
__device__ Channels<T> shuffled(const Channels<T>& a, Shuffle shuffle) {
  Channels<T> result;
#pragma unroll
  for (int i = 0; i < 4; ++i) result.c[i] = shuffle(a.c[i]);
  return result;
}

// A pixel as it lies in the picture.
template <PictureFormat kFormat>
struct RawPixel {
  static constexpr int kBytes = kFormat == PictureFormat::half4 ? 8 : 16;
  unsigned word[kBytes / 4];
};

template <class T, PictureFormat kFormat>
__device__ Channels<T> toChannels(const RawPixel<kFormat>& pixel, const Quantisation& quantisation) {
  Channels<T> result;
  if constexpr (kFormat == PictureFormat::half4) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float2 values = __half22float2(__half2_raw{static_cast<unsigned short>(pixel.word[i]),
                                                       static_cast<unsigned short>(pixel.word[i] >> 16)});
      result.c[2 * i] = toElement<T>(values.x, 2 * i, quantisation);
      result.c[2 * i + 1] = toElement<T>(values.y, 2 * i + 1, quantisation);
    }
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) result.c[i] = pixel.word[i];
  }
  return result;
}

template <class T>
__device__ uint4 toBits(const Channels<T>& a) {
  static_assert(sizeof(T) == 4);
  if constexpr (T(0.5f) != T(0))
    return {__float_as_uint(a.c[0]), __float_as_uint(a.c[1]), __float_as_uint(a.c[2]),
            __float_as_uint(a.c[3])};
  else
    return {a.c[0], a.c[1], a.c[2], a.c[3]};
}

// Half a warp spans the tile's width, kColumns pixels a lane; the other half has the row above it, because
// the 32-byte sectors of a CUDA array of 16-byte texels are one texel wide and two rows high. A warp has
// kRowPairs such pairs of rows.
//
// A row item is the sum of one channel over one row of the tile. Lane 16 p + q of a warp owns channel q % 4
// of the warp's row 2 (q / 4) + p, when q < 4 kRowPairs. A column item is the sum of one channel over one
// column; items of column kColumns q + n lie at 4 (16 n + q).
template <class Element, PictureFormat kPictureFormat, int kColumnsOfLane, int kRowPairsOfWarp>
class FusedTile {
 public:
  using T = Element;
  static constexpr PictureFormat kFormat = kPictureFormat;
  static constexpr int kColumns = kColumnsOfLane;
  static constexpr int kRowPairs = kRowPairsOfWarp;
  static constexpr int kWarps = 8;
  static constexpr int kThreads = 32 * kWarps;
  // Of 65536 registers: what was read, the table's row above, and the rest.
  static constexpr int kBlocksOfMultiprocessor =
      kRowPairs * kColumns * RawPixel<kFormat>::kBytes / 4 + 4 * kColumns > 40 ? 2 : 3;
  static constexpr int kWidth = 16 * kColumns;
  static constexpr int kChunk = 4;  // columns of a lane that are written at once
  static constexpr int kRowsOfWarp = 2 * kRowPairs;
  static constexpr int kHeight = kRowsOfWarp * kWarps;
  static constexpr int kRowItems = 4 * kHeight;
  static constexpr int kColumnItems = 4 * kWidth;
  static constexpr int kColumnItemsOfThread = kColumnItems / kThreads;
  static_assert(kColumnItems % kThreads == 0 && kRowPairs <= 4);

  struct Shared {
    Channels<T> columns[kWarps][kWidth];  // sums over a warp's rows; then over the rows of the warps above
    Channels<T> top[kWidth];
    Channels<T> before[kRowPairs][kThreads];  // sum of the row's pixels in the lanes before this one
    Channels<T> rows[kWarps];                 // sums of the row items of a warp
    uint4 staged[kWarps][2][16 * kChunk];     // elements of a pair of rows on their way to the table
    Channels<T> corner;
  };

  __device__ static int lane() { return threadIdx.x % 32; }
  __device__ static int warp() { return threadIdx.x / 32; }
  __device__ static int laneOfRow() { return threadIdx.x % 16; }
  __device__ static int rowOfPair() { return threadIdx.x / 16 % 2; }
  __device__ static bool ownsRowItem() { return laneOfRow() < 4 * kRowPairs; }
  __device__ static int rowItem() {
    return warp() * 8 * kRowPairs + rowOfPair() * 4 * kRowPairs + laneOfRow();
  }
  __device__ static int columnItem() { return threadIdx.x * kColumnItemsOfThread; }

  // Reads the tile whose first pixel is (x0, y0); pixels outside the picture are 0 bits. What they become
  // only reaches elements of the table that are outside it too.
  __device__ void load(cudaSurfaceObject_t picture, int width, int x0, int y0) {
    x_ = x0 + laneOfRow() * kColumns;
    y_ = y0 + warp() * kRowsOfWarp + rowOfPair();
    const bool pairs = kFormat == PictureFormat::half4 && width % 2 == 0;
    if (pairs) {
#pragma unroll
      for (int k = 0; k < kRowPairs; ++k) {
#pragma unroll
        for (int n = 0; n < kColumns; n += 2) {
          const uint4 pair =
              surf2Dread<uint4>(picture, (x_ + n) * kPixelBytes, y_ + 2 * k, cudaBoundaryModeZero);
          raw_[k][n].word[0] = pair.x;
          raw_[k][n].word[1] = pair.y;
          raw_[k][n + 1].word[0] = pair.z;
          raw_[k][n + 1].word[1] = pair.w;
        }
      }
    } else {
#pragma unroll
      for (int k = 0; k < kRowPairs; ++k) {
#pragma unroll
        for (int n = 0; n < kColumns; ++n) {
          if constexpr (kFormat == PictureFormat::half4) {
            const uint2 pixel =
                surf2Dread<uint2>(picture, (x_ + n) * kPixelBytes, y_ + 2 * k, cudaBoundaryModeZero);
            raw_[k][n] = {{pixel.x, pixel.y}};
          } else {
            const uint4 pixel =
                surf2Dread<uint4>(picture, (x_ + n) * kPixelBytes, y_ + 2 * k, cudaBoundaryModeZero);
            raw_[k][n] = {{pixel.x, pixel.y, pixel.z, pixel.w}};
          }
        }
      }
    }
  }

  // Returns this lane's row item, and fills shared.columns (sums over each warp's rows) and shared.before.
  __device__ T sum(const Quantisation& quantisation, Shared& shared) const {
    constexpr int kHalf = kColumns / 2;
    const bool upper = rowOfPair() != 0;
    Channels<T> rows[kRowPairs] = {};
#pragma unroll
    for (int n = 0; n < kHalf; ++n) {
      const Channels<T> first = sumColumn(n, quantisation, rows);
      const Channels<T> second = sumColumn(n + kHalf, quantisation, rows);
      const Channels<T> ofBoth = select(upper, second, first) + otherRow(select(upper, first, second));
      shared.columns[warp()][(n + (upper ? kHalf : 0)) * 16 + laneOfRow()] = ofBoth;
    }
    T rowItem{0};
#pragma unroll
    for (int k = 0; k < kRowPairs; ++k) {
      const Channels<T> through = scanLanes(rows[k]);
      shared.before[k][threadIdx.x] = laneBefore(through);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const T rowSum = __shfl_sync(kFullWarp, through.c[i], 15, 16);
        if (laneOfRow() == 4 * k + i) rowItem = rowSum;
      }
    }
    return rowItem;
  }

  // After a barrier: turns shared.columns into sums over the warps above, for this thread's column items, and
  // returns those items.
  __device__ static void sumColumns(Shared& shared, T (&items)[kColumnItemsOfThread]) {
#pragma unroll
    for (T& item : items) item = T{0};
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      T* const ofWarp = &shared.columns[w][0].c[0] + columnItem();
#pragma unroll
      for (int i = 0; i < kColumnItemsOfThread; ++i) {
        const T ownRows = ofWarp[i];
        ofWarp[i] = items[i];
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

  // After a barrier: writes the tile's part of the table. `left`: this lane's item of left(y). Reads
  // shared.columns, top, rows (of left) and corner.
  __device__ void write(cudaSurfaceObject_t table, const Quantisation& quantisation, Shared& shared, T left) {
    forgetElements();
    Channels<T> base = shared.corner;
#pragma unroll
    for (int w = 0; w < kWarps - 1; ++w)
      if (w < warp()) base += shared.rows[w];

    Channels<T> above[kColumns];  // the table's row just above the current pair
    Channels<T> run = {};
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
      run += shared.columns[warp()][n * 16 + laneOfRow()] + shared.top[n * 16 + laneOfRow()];
      above[n] = run;
    }
    base += laneBefore(scanLanes(run));
#pragma unroll
    for (int n = 0; n < kColumns; ++n) above[n] += base;

#pragma unroll
    for (int k = 0; k < kRowPairs; ++k) {
      Channels<T> row = shared.before[k][threadIdx.x];
#pragma unroll
      for (int i = 0; i < 4; ++i) row.c[i] += __shfl_sync(kFullWarp, left, 4 * k + i, 16);
#pragma unroll
      for (int first = 0; first < kColumns; first += kChunk) {
        uint4 chunk[kChunk];
#pragma unroll
        for (int i = 0; i < kChunk; ++i) {
          const int n = first + i;
          row += toChannels<T>(raw_[k][n], quantisation);
          const Channels<T> other = otherRow(row);
          const Channels<T> pair = row + other;
          chunk[i] = toBits(above[n] + select(rowOfPair() == 0, row, pair));
          above[n] += pair;
        }
        writeChunk(table, shared, chunk, first, y_ + 2 * k);
      }
    }
  }

 private:
  static constexpr int kPixelBytes = RawPixel<kFormat>::kBytes;

  // This lane's part of column n, also added to each row.
  __device__ Channels<T> sumColumn(int n, const Quantisation& quantisation,
                                   Channels<T> (&rows)[kRowPairs]) const {
    Channels<T> column = {};
#pragma unroll
    for (int k = 0; k < kRowPairs; ++k) {
      const Channels<T> pixel = toChannels<T>(raw_[k][n], quantisation);
      column += pixel;
      rows[k] += pixel;
    }
    return column;
  }
  // Writes the columns from `first` on of every lane, at row y of this half. They change lanes in shared
  // memory first, so that neighbouring lanes write neighbouring texels: four of them are as wide as a block
  // of a CUDA array. Slots are permuted within a lane's four, so that no two lanes of a quarter warp meet in
  // a bank.
  __device__ void writeChunk(cudaSurfaceObject_t table, Shared& shared, const uint4 (&chunk)[kChunk],
                             int first, int y) const {
    uint4* const staged = shared.staged[warp()][rowOfPair()];
    const auto slot = [](int owner, int i) { return owner * kChunk + (i ^ (owner / 2 % kChunk)); };
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kChunk; ++i) staged[slot(laneOfRow(), i)] = chunk[i];
    __syncwarp();
    const int tileX = x_ - laneOfRow() * kColumns;
    const int i = laneOfRow() % kChunk;
#pragma unroll
    for (int m = 0; m < kChunk; ++m) {
      const int owner = m * (16 / kChunk) + laneOfRow() / kChunk;
      surf2Dwrite(staged[slot(owner, i)], table, (tileX + owner * kColumns + first + i) * int{sizeof(uint4)},
                  y, cudaBoundaryModeZero);
    }
  }

  // Keeps the compiler from holding the elements that sum() made in registers until write() wants them again:
  // making them anew is cheaper than spilling.
  __device__ void forgetElements() {
#pragma unroll
    for (int k = 0; k < kRowPairs; ++k) {
#pragma unroll
      for (int n = 0; n < kColumns; ++n) {
#pragma unroll
        for (unsigned& word : raw_[k][n].word) asm volatile("" : "+r"(word));
      }
    }
  }
  __device__ static Channels<T> otherRow(const Channels<T>& value) {
    return shuffled(value, [](T c) { return __shfl_xor_sync(kFullWarp, c, 16); });
  }
  // Inclusive scan over the lanes of a row.
  __device__ static Channels<T> scanLanes(Channels<T> value) {
#pragma unroll
    for (int offset = 1; offset < 16; offset *= 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const T below = __shfl_up_sync(kFullWarp, value.c[i], offset, 16);
        if (laneOfRow() >= offset) value.c[i] += below;
      }
    }
    return value;
  }
  // The value of the lane before, 0 in the first of a row.
  __device__ static Channels<T> laneBefore(const Channels<T>& value) {
    return shuffled(value, [](T c) {
      const T below = __shfl_up_sync(kFullWarp, c, 1, 16);
      return laneOfRow() == 0 ? T{0} : below;
    });
  }

  int x_, y_;
  RawPixel<kFormat> raw_[kRowPairs][kColumns];
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
  const auto withColumns = [&]<class T, PictureFormat kFormat, int kColumns>() {
    switch (shape) {
      case FusedShape::large:
        return function.template operator()<FusedTile<T, kFormat, kColumns, 3>>();
      case FusedShape::small:
        return function.template operator()<FusedTile<T, kFormat, 4, 2>>();
    }
  };
  if (format == PictureFormat::uint4)
    withColumns.template operator()<unsigned, PictureFormat::uint4, 4>();
  else if (type == ElementType::uint32)
    withColumns.template operator()<unsigned, PictureFormat::half4, 8>();
  else
    withColumns.template operator()<float, PictureFormat::half4, 8>();
}

}  // namespace satdof::cuda
