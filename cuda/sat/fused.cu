#include "cuda/sat/fused.h"

#include <algorithm>

#include "cuda/block/divide.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/runtime/ptx.cuh"
#include "cuda/runtime/timed_work.h"
#include "cuda/sat/fused_tile.cuh"
#include "cuda/sat/tile_order.cuh"
#include "cuda/scan/lookback.cuh"

namespace satdof::cuda {

// Look-back state of a column of a tile: a word per channel. See cuda/scan/lookback.cuh.
struct TileWords {
  TileWord c[4];
};

__device__ inline TileWords fetch(const TileWords* address) {
  TileWords words;
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const ulonglong2 pair = loadRelaxedPair(&address->c[i]);
    words.c[i] = pair.x;
    words.c[i + 1] = pair.y;
  }
  return words;
}
template <class T>
__device__ void publish(TileWords* address, const Channels<T>& items, unsigned run, TileStatus status) {
#pragma unroll
  for (int i = 0; i < 4; i += 2)
    storeRelaxedPair(&address->c[i], pack(toBits(items.c[i]), run, status), pack(toBits(items.c[i + 1]), run, status));
}
// Whether all four channels are valid and have one status.
__device__ inline bool isValid(const TileWords& words, unsigned run) {
  const auto low = [&](int i) { return static_cast<unsigned>(words.c[i]); };
  return isValid(words.c[0], run) && low(0) == low(1) && low(0) == low(2) && low(0) == low(3);
}
__device__ inline bool isInclusive(const TileWords& words) { return isInclusive(words.c[0]); }
template <class T>
__device__ void add(Channels<T>& sum, const TileWords& words) {
#pragma unroll
  for (int i = 0; i < 4; ++i) add(sum.c[i], words.c[i]);
}

namespace {

// The sum over the `count` tiles before this one, by a full warp. Lane l gets the sum of channel l % 4.
// `word`: this lane's word of the first window.
template <class T>
__device__ T sumTilesBefore(const WarpLookBack& lookBack, TileWord word, int count) {
  T sum{0};
  for (int first = 1; first <= count; first += WarpLookBack::kTiles) {
    if (first > 1) word = lookBack.fetchWindow(first);
    const auto window = lookBack.wait(word, first);
    if (window.lanes >> threadIdx.x % 32 & 1) add(sum, word);
    if (window.inclusive != 0) break;
  }
#pragma unroll
  for (int offset = 4; offset < 32; offset *= 2) sum += __shfl_xor_sync(kAllLanes, sum, offset);
  return sum;
}

// Look-back states of all tiles, tile by tile; tiles are numbered row by row.
struct Published {
  TileWord* rows;      // kRowItems per tile: sums of rows, looked up to the left
  TileWords* columns;  // kWidth per tile: sums of columns, looked up upwards
  TileWord* corners;   // 4 channels per tile: sums of left(y) over the rows, looked up upwards
  TileWord* counter;   // for takeTicket()
};

// Kernel parameters.
struct Job {
  TexelView image, table;
  Quantisation quantisation;
};

// The summed-area table in one pass, one tile per block. See fused_tile.cuh for the mathematics. A block
//   1. loads its tile and publishes the sums of its rows, then of its columns, as aggregates;
//   2. starts the look-back to the left and upwards, and scans its rows meanwhile;
//   3. finishes left(y), publishes inclusive row sums, and adds up left(y) over the rows of the tile;
//   4. finishes corner (last warp) and top(x) (first kWidth threads) by look-back upwards, and publishes the
//      inclusive sums;
//   5. writes its part of the table.
template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks) fused(Job job, Published published, TileOrder order) {
  using T = typename Tile::T;
  auto& shared = *sharedMemory<typename Tile::Shared>();
  __shared__ Ticket ticket;
  if (threadIdx.x == 0) ticket = takeTicket(published.counter, order.places());
  __syncthreads();
  const unsigned run = ticket.run;
  const auto [tileX, tileY] = order.tile(ticket.tile);
  const int tilesX = order.tilesX(), index = tileY * tilesX + tileX;
  const int x0 = tileX * Tile::kWidth, y0 = tileY * Tile::kHeight;

  Tile tile;
  tile.load(job.image, x0, y0, shared);
  T row = tile.sum(job.quantisation, shared);
  TileWord* const rowWord = published.rows + ptrdiff_t{index} * Tile::kRowItems + Tile::rowItem();
  if (Tile::ownsRowItem()) publish(rowWord, row, run, tileX == 0 ? TileStatus::inclusive : TileStatus::aggregate);
  __syncthreads();
  Channels<T> column;
  TileWords* const columnWords = published.columns + ptrdiff_t{index} * Tile::kWidth + threadIdx.x;
  if (Tile::ownsColumn()) {
    column = Tile::sumColumn(shared);
    publish(columnWords, column, run, tileY == 0 ? TileStatus::inclusive : TileStatus::aggregate);
  }

  const bool ownsCorner = threadIdx.x >= Tile::kThreads - 32;
  const int channel = threadIdx.x % 4;
  TileWord* const cornerWord = published.corners + ptrdiff_t{index} * 4 + channel;
  ThreadLookBack<T, TileWord, Tile::kAheadLeft> lookLeft(rowWord, Tile::kRowItems, Tile::ownsRowItem() ? tileX : 0,
                                                         run);
  ThreadLookBack<Channels<T>, TileWords, Tile::kAheadUp> lookUp(columnWords, tilesX * Tile::kWidth,
                                                                Tile::ownsColumn() ? tileY : 0, run);
  const WarpLookBack lookAtCorners(cornerWord, tilesX * 4, tileY, run);
  TileWord aboveCorner = 0;
  if (ownsCorner) aboveCorner = lookAtCorners.fetchWindow(1);
  tile.scanRows();

  const T left = lookLeft.finish();
  if (tileX > 0 && Tile::ownsRowItem()) publish(rowWord, row += left, run, TileStatus::inclusive);
  const T groupSum = Tile::sumRows(left);
  if (Tile::lane() < 4) (&shared.rows[Tile::group()].x)[channel] = toBits(groupSum);
  __syncthreads();

  if (ownsCorner) {
    T leftOfTile{0};
#pragma unroll
    for (int g = 0; g < Tile::kGroups; ++g) leftOfTile += fromBits<T>((&shared.rows[g].x)[channel]);
    const bool publishes = threadIdx.x % 32 < 4;
    if (publishes) publish(cornerWord, leftOfTile, run, tileY == 0 ? TileStatus::inclusive : TileStatus::aggregate);
    const T corner = sumTilesBefore<T>(lookAtCorners, aboveCorner, tileY);
    if (publishes) {
      if (tileY > 0) publish(cornerWord, leftOfTile + corner, run, TileStatus::inclusive);
      (&shared.corner.x)[channel] = toBits(corner);
    }
  }
  if (Tile::ownsColumn()) {
    const Channels<T> top = lookUp.finish();
    Tile::scanColumn(top, shared);
    if (tileY > 0) publish(columnWords, column += top, run, TileStatus::inclusive);
  }
  __syncthreads();
  tile.write(job.table, x0, y0, job.quantisation, shared, left);
}

template <class Tile>
TileOrder orderOf(const TableOptions& options) {
  return {ceilDivide(options.width, Tile::kWidth), ceilDivide(options.height, Tile::kHeight)};
}

class FusedBuilder : public TimedWork<TableBuilder> {
 public:
  FusedBuilder(const TableOptions& options, FusedShape shape)
      : TimedWork({"fused"}), options_(options), shape_(shape), counter_(makeTicketCounter()) {
    size_t rows = 0, columns = 0, corners = 0;
    for (const ImageFormat format : {ImageFormat::half4, ImageFormat::uint4})
      withTile(options.type, format, shape, [&]<class Tile>() {
        const size_t tiles = orderOf<Tile>(options).places();
        rows = std::max(rows, tiles * Tile::kRowItems);
        columns = std::max(columns, tiles * Tile::kWidth);
        corners = std::max(corners, tiles * 4);
        // A kernel must opt in to more than 48 KB of shared memory.
        SATDOF_CUDA(cudaFuncSetAttribute(fused<Tile>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         int{sizeof(typename Tile::Shared)}));
      });
    rows_ = makeInvalidWords<TileWord>(rows);
    columns_ = makeInvalidWords<TileWords>(columns);
    corners_ = makeInvalidWords<TileWord>(corners);
  }

  void build(const Texels& image, ImageFormat format, const Quantisation& quantisation, const Texels& table,
             CUstream_st* stream) override {
    if (format == ImageFormat::uint4 && options_.type != ElementType::uint32)
      throw std::runtime_error("cannot sum an image of integers into a float32 table: choose uint32");
    const Job job{{handleOf(image, surfaces_), options_.width, options_.height},
                  {handleOf(table, surfaces_), options_.width, options_.height},
                  quantisation};
    const Published published{rows_.data(), columns_.data(), corners_.data(), counter_.data()};
    timer_.begin(stream);
    withTile(options_.type, format, shape_, [&]<class Tile>() {
      const TileOrder order = orderOf<Tile>(options_);
      launch(fused<Tile>, {order.places(), Tile::kThreads, sizeof(typename Tile::Shared), stream}, job, published,
             order);
    });
    timer_.next(stream);
  }
  bool transposed() const override { return false; }

 private:
  TableOptions options_;
  FusedShape shape_;
  DeviceArray<TileWord> rows_, corners_, counter_;
  DeviceArray<TileWords> columns_;
};

}  // namespace

FusedShape fusedShapeFor(const TableOptions& options) {
  FusedShape largest = FusedShape::small;
  for (const FusedShape shape : kFusedShapes)
    withTile(options.type, ImageFormat::half4, shape, [&]<class Tile>() {
      const size_t bytes = sizeof(typename Tile::Shared) + sizeof(Ticket) + kSystemSharedBytes;
      if (Tile::kBlocks * bytes <= device().sharedBytesOfMultiprocessor &&
          orderOf<Tile>(options).places() >= device().multiprocessors)
        largest = shape;
    });
  return largest;
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options, std::optional<FusedShape> shape) {
  return std::make_unique<FusedBuilder>(options, shape.value_or(fusedShapeFor(options)));
}

}  // namespace satdof::cuda
