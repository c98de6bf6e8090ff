#include <algorithm>
#include <cuda/atomic>

#include "cuda/device_array.h"
#include "cuda/sat/fused_builder.h"
#include "cuda/sat/fused_tile.cuh"

namespace satdof::cuda {

namespace {

// What a tile makes known of one item: its own sum, or the sum up to and including it, and in which run. Both
// lie in one 64-bit word and so arrive together: relaxed order is enough. The words of earlier runs count as
// nothing, so that nothing is cleared between runs.
using Word = unsigned long long;

enum Reach : unsigned { kTile = 0, kBorder = 1 };

__device__ Word pack(unsigned bits, unsigned run, Reach reach) { return Word{bits} << 32 | run << 1 | reach; }
__device__ bool isPublished(Word word, unsigned run) { return static_cast<unsigned>(word) >> 1 == run; }
__device__ bool reachesBorder(Word word) { return (word & 1) == kBorder; }

template <int kItems>
struct Words {
  Word word[kItems];
};

__device__ Words<1> fetch(const Words<1>* address) {
  Words<1> result;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(result.word[0]) : "l"(address) : "memory");
  return result;
}
__device__ Words<2> fetch(const Words<2>* address) {
  Words<2> result;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(result.word[0]), "=l"(result.word[1])
               : "l"(address)
               : "memory");
  return result;
}
__device__ void store(Words<1>* address, const Words<1>& words) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(words.word[0]) : "memory");
}
__device__ void store(Words<2>* address, const Words<2>& words) {
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(address), "l"(words.word[0]),
               "l"(words.word[1])
               : "memory");
}

template <class T, int kItems>
__device__ void publish(Words<kItems>* address, const T (&values)[kItems], unsigned run, Reach reach) {
  Words<kItems> words;
#pragma unroll
  for (int i = 0; i < kItems; ++i) words.word[i] = pack(toBits(values[i]), run, reach);
  store(address, words);
}

// Sums items over the `count` tiles before this one: adds the sums of single tiles back to the nearest one
// whose sum reaches the border. The nearest tile's items are fetched at construction.
template <class T, int kItems>
class LookBack {
 public:
  __device__ LookBack(const Words<kItems>* own, int stride, int count, unsigned run)
      : tile_(own - stride), stride_(stride), count_(count), run_(run) {
    if (count > 0) words_ = fetch(tile_);
  }

  __device__ void finish(T (&sums)[kItems]) {
    bool open[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      sums[i] = T{0};
      open[i] = true;
    }
    for (; count_ > 0; --count_) {
      for (;;) {
        bool complete = true;
#pragma unroll
        for (int i = 0; i < kItems; ++i) complete &= !open[i] || isPublished(words_.word[i], run_);
        if (complete) break;
        words_ = fetch(tile_);
      }
      bool anyOpen = false;
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (open[i]) sums[i] += fromBits<T>(static_cast<unsigned>(words_.word[i] >> 32));
        open[i] = open[i] && !reachesBorder(words_.word[i]);
        anyOpen |= open[i];
      }
      if (!anyOpen) return;
      tile_ -= stride_;
      if (count_ > 1) words_ = fetch(tile_);
    }
  }

 private:
  const Words<kItems>* tile_;
  int stride_;
  int count_;
  unsigned run_;
  Words<kItems> words_;
};

// Hands out places in TileOrder in the order in which blocks start, so that a tile only ever waits for tiles
// that are running or done. The counter holds the run in its high half; whoever takes the last place starts
// the next run. Runs count modulo 2^31.
struct Ticket {
  unsigned place;
  unsigned run;
};

__device__ Ticket takeTicket(Word* counter, unsigned places) {
  using Atomic = ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>;
  const Word ticket = Atomic(*counter).fetch_add(1, ::cuda::memory_order_relaxed);
  const unsigned place = static_cast<unsigned>(ticket);
  if (place == places - 1) Atomic(*counter).fetch_add((Word{1} << 32) - places, ::cuda::memory_order_relaxed);
  return {place, static_cast<unsigned>(ticket >> 32) & 0x7fffffffu};
}

// Bands of `rows` rows of tiles, one below the other; in every row a tile comes `rows` places after the one
// on its left, and `rows` + 1 or more after the one above it, so both have most likely finished when it
// starts. Rows of a band begin one after the other and some places are of no tile.
class TileOrder {
 public:
  TileOrder(TileGrid grid, int mostRows)
      : grid_(grid), rows_(std::min({grid.x, grid.y, mostRows})), bands_((grid.y + rows_ - 1) / rows_) {}
  __host__ __device__ unsigned places() const {
    return static_cast<unsigned>(rows_ * (grid_.x * bands_ + rows_ - 1));
  }
  __device__ const TileGrid& grid() const { return grid_; }
  __device__ int2 tile(unsigned place) const {
    const int step = static_cast<int>(place) / rows_;
    const int row = static_cast<int>(place) - step * rows_;
    const int column = step - row;
    const int band = column / grid_.x;
    return {column - band * grid_.x, band * rows_ + row};
  }
  __device__ bool holds(int2 tile) const { return tile.x >= 0 && tile.y < grid_.y; }

 private:
  TileGrid grid_;
  int rows_, bands_;
};

// As LookBack for four items, by one full warp, eight tiles at a time: lane 4 n + c has channel c of the
// n-th. In every lane the sum of channel lane % 4.
template <class T>
__device__ T lookBackByWarp(const Word* own, int stride, int count, unsigned run) {
  const int lane = static_cast<int>(threadIdx.x) % 32, nth = lane / 4;
  T sum{0};
  for (int end = count; end > 0; end -= 8) {
    Words<1> words;
    unsigned complete, borders;
    do {
      words.word[0] = pack(0, run, kBorder);
      if (nth < end) words = fetch(reinterpret_cast<const Words<1>*>(own - (count - end + nth + 1) * stride));
      const unsigned fourComplete = __ballot_sync(kFullWarp, isPublished(words.word[0], run));
      const unsigned fourBorders = __ballot_sync(kFullWarp, reachesBorder(words.word[0])) & fourComplete;
      borders = fourBorders & fourBorders >> 1 & fourBorders >> 2 & fourBorders >> 3 & 0x11111111u;
      const unsigned mixed = fourBorders ^ borders * 15;
      complete = fourComplete & ~mixed;
      const unsigned nearest = borders & (0u - borders);
      complete |= borders == 0 ? 0 : ~(nearest * 15 | (nearest - 1));
      if (borders != 0 && nth > (__ffs(static_cast<int>(borders)) - 1) / 4) words.word[0] = 0;
    } while (complete != kFullWarp);
    sum += fromBits<T>(static_cast<unsigned>(words.word[0] >> 32));
    if (borders != 0) break;
  }
#pragma unroll
  for (int offset = 4; offset < 32; offset *= 2) sum += __shfl_xor_sync(kFullWarp, sum, offset);
  return sum;
}

// Words of the items of all tiles: rows, columns, corner.
struct Mail {
  Word* rows;
  Word* columns;
  Word* corners;
  Word* counter;
};

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksOfMultiprocessor)
    fusedSinglePass(FusedJob job, Mail mail, TileOrder order) {
  using T = typename Tile::T;
  constexpr int kColumnItems = Tile::kColumnItemsOfThread;
  auto& shared = sharedOf<Tile>();
  __shared__ Ticket sharedTicket;
  if (threadIdx.x == 0) sharedTicket = takeTicket(mail.counter, order.places());
  __syncthreads();
  const unsigned run = sharedTicket.run;
  const auto [tileX, tileY] = order.tile(sharedTicket.place);
  if (!order.holds({tileX, tileY})) return;
  const int tilesX = order.grid().x;
  const int index = tileY * tilesX + tileX;

  Tile tile;
  tile.load(job.picture, job.width, tileX * Tile::kWidth, tileY * Tile::kHeight, shared);
  T rowItem[1] = {tile.sum(job.quantisation, shared)};
  auto* const rowWords =
      reinterpret_cast<Words<1>*>(mail.rows) + ptrdiff_t{index} * Tile::kRowItems + Tile::rowItem();
  if (Tile::ownsRowItem()) publish(rowWords, rowItem, run, tileX == 0 ? kBorder : kTile);
  __syncthreads();

  T columnItems[kColumnItems];
  Tile::sumColumns(shared, columnItems);
  auto* const columnWords =
      reinterpret_cast<Words<kColumnItems>*>(mail.columns) + ptrdiff_t{index} * Tile::kThreads + threadIdx.x;
  publish(columnWords, columnItems, run, tileY == 0 ? kBorder : kTile);

  LookBack<T, 1> lookLeft(rowWords, Tile::kRowItems, Tile::ownsRowItem() ? tileX : 0, run);
  LookBack<T, kColumnItems> lookUp(columnWords, tilesX * Tile::kThreads, tileY, run);
  T left[1];
  lookLeft.finish(left);
  if (tileX > 0 && Tile::ownsRowItem()) {
    rowItem[0] += left[0];
    publish(rowWords, rowItem, run, kBorder);
  }
  const T rows = Tile::sumRows(left[0]);
  if (Tile::lane() < 4) (&shared.rows[Tile::warp()].x)[Tile::lane()] = toBits(rows);
  __syncthreads();

  if (threadIdx.x < 32) {
    const int channel = Tile::lane() % 4;
    T leftOfTile[1] = {T{0}};
#pragma unroll
    for (int w = 0; w < Tile::kWarps; ++w) leftOfTile[0] += fromBits<T>((&shared.rows[w].x)[channel]);
    auto* const cornerWords = reinterpret_cast<Words<1>*>(mail.corners) + ptrdiff_t{index} * 4 + channel;
    if (Tile::lane() < 4) publish(cornerWords, leftOfTile, run, tileY == 0 ? kBorder : kTile);
    const T corner = lookBackByWarp<T>(cornerWords->word, tilesX * 4, tileY, run);
    if (Tile::lane() < 4) {
      leftOfTile[0] += corner;
      if (tileY > 0) publish(cornerWords, leftOfTile, run, kBorder);
      (&shared.corner.x)[channel] = toBits(corner);
    }
  }
  T top[kColumnItems];
  lookUp.finish(top);
#pragma unroll
  for (int i = 0; i < kColumnItems; ++i) {
    (&shared.top[0].x)[Tile::columnItem() + i] = toBits(top[i]);
    columnItems[i] += top[i];
  }
  if (tileY > 0) publish(columnWords, columnItems, run, kBorder);
  __syncthreads();
  tile.write(job.table, tileX * Tile::kWidth, tileY * Tile::kHeight, job.quantisation, shared, left[0]);
}

// Single pass with decoupled look-back in two dimensions (after Merrill and Garland 2016). Cost: 1 read,
// 1 write, and 8 bytes a channel for every row and column of every tile, which mostly stay in the L2 cache.
class FusedSinglePass : public FusedBuilder {
 public:
  FusedSinglePass(const TableOptions& options, std::optional<FusedShape> shape)
      : FusedBuilder(options, shape), counter_(1) {
    size_t rows = 0, columns = 0, corners = 0;
    for (const PictureFormat format : {PictureFormat::half4, PictureFormat::uint4})
      withTile(options.type, format, shape_, [&]<class Tile>() {
        const size_t tiles = tileGrid<Tile>(options.width, options.height).count();
        rows = std::max(rows, tiles * Tile::kRowItems);
        columns = std::max(columns, tiles * Tile::kColumnItems);
        corners = std::max(corners, tiles * 4);
      });
    for (auto [words, size] : {std::pair{&rows_, rows}, {&columns_, columns}, {&corners_, corners}}) {
      *words = DeviceArray<Word>(size);
      SATDOF_CUDA(cudaMemset(words->data(), 0, words->bytes()));
    }
    const Word firstRun = Word{1} << 32;
    SATDOF_CUDA(cudaMemcpy(counter_.data(), &firstRun, sizeof firstRun, cudaMemcpyHostToDevice));
  }

 private:
  void enqueue(const FusedJob& job, PictureFormat format, cudaStream_t stream) override {
    withTile(options_.type, format, shape_, [&]<class Tile>() {
      const TileGrid grid = tileGrid<Tile>(job.width, job.height);
      const TileOrder order(grid, Tile::kRowsOfBand);
      launchTiles<Tile>(fusedSinglePass<Tile>, order.places(), stream, job,
                        Mail{rows_.data(), columns_.data(), corners_.data(), counter_.data()}, order);
    });
  }

  DeviceArray<Word> rows_, columns_, corners_, counter_;
};

}  // namespace

std::unique_ptr<TableBuilder> makeFusedSinglePass(const TableOptions& options,
                                                  std::optional<FusedShape> shape) {
  return std::make_unique<FusedSinglePass>(options, shape);
}

}  // namespace satdof::cuda
