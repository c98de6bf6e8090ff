#include <algorithm>

#include "cuda/device_array.h"
#include "cuda/sat/fused_builder.h"
#include "cuda/sat/fused_tile.cuh"

namespace satdof::cuda {

namespace {

constexpr struct {
  int carryThreads = 128;
  int tilesAhead = 8;  // fetched at once when scanning the sums of tiles
} kTuning;

// Sums of tiles, and after the scan sums over the tiles before. The row items of a tile are followed by the
// four sums over the whole tile.
template <class T>
struct TileSums {
  T* rows;
  T* columns;
};

template <class Tile>
constexpr int kRowItemsAndTotal = Tile::kRowItems + 4;

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksOfMultiprocessor)
    reduceTiles(FusedJob job, TileSums<typename Tile::T> sums, int tilesX) {
  using T = typename Tile::T;
  auto& shared = sharedOf<Tile>();
  const int index = blockIdx.y * tilesX + blockIdx.x;
  Tile tile;
  tile.load(job.picture, job.width, blockIdx.x * Tile::kWidth, blockIdx.y * Tile::kHeight, shared);
  const T rowItem = tile.sum(job.quantisation, shared);
  T* const rows = sums.rows + ptrdiff_t{index} * kRowItemsAndTotal<Tile>;
  if (Tile::ownsRowItem()) rows[Tile::rowItem()] = rowItem;
  const T ofWarp = Tile::sumRows(rowItem);
  if (Tile::lane() < 4) (&shared.rows[Tile::warp()].x)[Tile::lane()] = toBits(ofWarp);
  __syncthreads();
  T columnItems[Tile::kColumnItemsOfThread];
  Tile::sumColumns(shared, columnItems);
  T* const columns = sums.columns + ptrdiff_t{index} * Tile::kColumnItems + Tile::columnItem();
#pragma unroll
  for (int i = 0; i < Tile::kColumnItemsOfThread; ++i) columns[i] = columnItems[i];
  if (threadIdx.x < 4) {
    T total{0};
#pragma unroll
    for (int w = 0; w < Tile::kWarps; ++w) total += fromBits<T>((&shared.rows[w].x)[threadIdx.x]);
    rows[Tile::kRowItems + threadIdx.x] = total;
  }
}

// Exclusive scan in place of `count` values, `stride` apart, by one thread.
template <class T>
__device__ void scanStrided(T* values, ptrdiff_t stride, int count) {
  T sum{0};
  for (int first = 0; first < count; first += kTuning.tilesAhead) {
    T ahead[kTuning.tilesAhead];
#pragma unroll
    for (int n = 0; n < kTuning.tilesAhead; ++n)
      if (first + n < count) ahead[n] = values[(first + n) * stride];
#pragma unroll
    for (int n = 0; n < kTuning.tilesAhead; ++n) {
      if (first + n >= count) break;
      values[(first + n) * stride] = sum;
      sum += ahead[n];
    }
  }
}

// One thread an item: along x the items of each row of tiles, along y those of each column of tiles.
template <class Tile>
__global__ void __launch_bounds__(kTuning.carryThreads)
    scanTileSums(const TileSums<typename Tile::T> sums, TileGrid grid) {
  constexpr int kRowStride = kRowItemsAndTotal<Tile>;
  const int thread = blockIdx.x * kTuning.carryThreads + threadIdx.x;
  if (thread < grid.y * kRowStride) {
    const ptrdiff_t firstTile = ptrdiff_t{thread / kRowStride} * grid.x;
    scanStrided(sums.rows + firstTile * kRowStride + thread % kRowStride, kRowStride, grid.x);
  } else if (const int item = thread - grid.y * kRowStride; item < grid.x * Tile::kColumnItems) {
    scanStrided(sums.columns + item, ptrdiff_t{grid.x} * Tile::kColumnItems, grid.y);
  }
}

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksOfMultiprocessor)
    writeTiles(FusedJob job, TileSums<typename Tile::T> sums, int tilesX) {
  using T = typename Tile::T;
  auto& shared = sharedOf<Tile>();
  const int index = blockIdx.y * tilesX + blockIdx.x;
  Tile tile;
  tile.load(job.picture, job.width, blockIdx.x * Tile::kWidth, blockIdx.y * Tile::kHeight, shared);
  const T left =
      Tile::ownsRowItem() ? sums.rows[ptrdiff_t{index} * kRowItemsAndTotal<Tile> + Tile::rowItem()] : T{0};
  const T* const columns = sums.columns + ptrdiff_t{index} * Tile::kColumnItems + Tile::columnItem();
#pragma unroll
  for (int i = 0; i < Tile::kColumnItemsOfThread; ++i)
    (&shared.top[0].x)[Tile::columnItem() + i] = toBits(columns[i]);
  if (threadIdx.x < 32) {
    T corner{0};
    for (int y = Tile::lane() / 4; y < static_cast<int>(blockIdx.y); y += 8)
      corner += sums.rows[ptrdiff_t{y * tilesX + static_cast<int>(blockIdx.x)} * kRowItemsAndTotal<Tile> +
                          Tile::kRowItems + Tile::lane() % 4];
    corner = Tile::sumRows(corner);
    if (Tile::lane() < 4) (&shared.corner.x)[Tile::lane()] = toBits(corner);
  }
  tile.sum(job.quantisation, shared);
  const T ofWarp = Tile::sumRows(left);
  if (Tile::lane() < 4) (&shared.rows[Tile::warp()].x)[Tile::lane()] = toBits(ofWarp);
  __syncthreads();
  T columnItems[Tile::kColumnItemsOfThread];
  Tile::sumColumns(shared, columnItems);
  __syncthreads();
  tile.write(job.table, blockIdx.x * Tile::kWidth, blockIdx.y * Tile::kHeight, job.quantisation, shared,
             left);
}

// Reduce, scan, write. Cost: 2 reads, 1 write, and 4 bytes a channel for every row and column of every tile;
// the second read comes from the L2 cache when the picture fits in it.
class FusedTwoPass : public FusedBuilder {
 public:
  FusedTwoPass(const TableOptions& options, std::optional<FusedShape> shape) : FusedBuilder(options, shape) {
    size_t rows = 0, columns = 0;
    for (const PictureFormat format : {PictureFormat::half4, PictureFormat::uint4})
      withTile(options.type, format, shape_, [&]<class Tile>() {
        const size_t tiles = tileGrid<Tile>(options.width, options.height).count();
        rows = std::max(rows, tiles * kRowItemsAndTotal<Tile>);
        columns = std::max(columns, tiles * Tile::kColumnItems);
      });
    rows_ = DeviceArray<unsigned>(rows);
    columns_ = DeviceArray<unsigned>(columns);
  }

 private:
  void enqueue(const FusedJob& job, PictureFormat format, cudaStream_t stream) override {
    withTile(options_.type, format, shape_, [&]<class Tile>() {
      using T = typename Tile::T;
      const TileSums<T> sums{reinterpret_cast<T*>(rows_.data()), reinterpret_cast<T*>(columns_.data())};
      const TileGrid grid = tileGrid<Tile>(job.width, job.height);
      const dim3 blocks(grid.x, grid.y);
      const int items = grid.y * kRowItemsAndTotal<Tile> + grid.x * Tile::kColumnItems;
      launchTiles<Tile>(reduceTiles<Tile>, blocks, stream, job, sums, grid.x);
      scanTileSums<Tile>
          <<<(items + kTuning.carryThreads - 1) / kTuning.carryThreads, kTuning.carryThreads, 0, stream>>>(
              sums, grid);
      SATDOF_CUDA_LAUNCHED();
      launchTiles<Tile>(writeTiles<Tile>, blocks, stream, job, sums, grid.x);
    });
  }

  DeviceArray<unsigned> rows_, columns_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeFusedTwoPass(const TableOptions& options, std::optional<FusedShape> shape) {
  return std::make_unique<FusedTwoPass>(options, shape);
}

}  // namespace satdof::cuda
