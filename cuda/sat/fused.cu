#include "cuda/sat/fused.h"

#include <algorithm>
#include <cuda/atomic>

#include "cuda/runtime/device.h"
#include "cuda/runtime/device_array.h"
#include "cuda/runtime/timed_work.h"
#include "cuda/sat/fused_tile.cuh"

namespace satdof::cuda {

namespace {

// What a tile makes known of one item: its own sum, or the sum up to and including it, and in which run. Both
// lie in one 64-bit word and so arrive together: relaxed order is enough. The words of earlier runs count as
// nothing, so that nothing is cleared between runs.
using Word = unsigned long long;

enum Reach : unsigned { kTile = 0, kBorder = 1 };

__device__ Word pack(unsigned bits, unsigned run, Reach reach) { return Word{bits} << 32 | run << 1 | reach; }
__device__ unsigned bitsOf(Word word) { return static_cast<unsigned>(word >> 32); }
__device__ bool isPublished(Word word, unsigned run) { return static_cast<unsigned>(word) >> 1 == run; }
__device__ bool reachesBorder(Word word) { return (word & 1) == kBorder; }

__device__ Word fetch(const Word* address) {
  Word word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(address) : "memory");
  return word;
}
__device__ void store(Word* address, Word word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(word) : "memory");
}

// One item of each channel.
struct Words {
  Word c[4];
};

__device__ Words fetch(const Words* address) {
  Words words;
#pragma unroll
  for (int i = 0; i < 4; i += 2)
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(words.c[i]), "=l"(words.c[i + 1])
                 : "l"(&address->c[i])
                 : "memory");
  return words;
}
template <class T>
__device__ void publish(Words* address, const Channels<T>& items, unsigned run, Reach reach) {
#pragma unroll
  for (int i = 0; i < 4; i += 2)
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(&address->c[i]),
                 "l"(pack(toBits(items.c[i]), run, reach)), "l"(pack(toBits(items.c[i + 1]), run, reach))
                 : "memory");
}
template <class T>
__device__ void publish(Word* address, T item, unsigned run, Reach reach) {
  store(address, pack(toBits(item), run, reach));
}

__device__ bool isPublished(const Words& words, unsigned run) {
  const auto low = [&](int i) { return static_cast<unsigned>(words.c[i]); };
  return isPublished(words.c[0], run) && low(0) == low(1) && low(0) == low(2) && low(0) == low(3);
}
__device__ bool reachesBorder(const Words& words) { return reachesBorder(words.c[0]); }
template <class T>
__device__ void add(T& sum, Word word) {
  sum += fromBits<T>(bitsOf(word));
}
template <class T>
__device__ void add(Channels<T>& sum, const Words& words) {
#pragma unroll
  for (int i = 0; i < 4; ++i) add(sum.c[i], words.c[i]);
}

// Sums an item over the `count` tiles before this one: adds the sums of single tiles back to the nearest one
// whose sum reaches the border. Sum: T or Channels<T>. kAhead tiles are fetched at once, the first ones at
// construction.
template <class Sum, class Item, int kAhead>
class LookBack {
 public:
  __device__ LookBack(const Item* own, int stride, int count, unsigned run)
      : own_(own), stride_(stride), count_(count), run_(run) {
    fetchFrom(1);
  }

  __device__ Sum finish() {
    Sum sum{};
    for (int first = 1; first <= count_; first += kAhead) {
      if (first > 1) fetchFrom(first);
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (first + i > count_) return sum;
        while (!isPublished(items_[i], run_)) items_[i] = fetch(own_ - (first + i) * stride_);
        add(sum, items_[i]);
        if (reachesBorder(items_[i])) return sum;
      }
    }
    return sum;
  }

 private:
  __device__ void fetchFrom(int first) {
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (first + i <= count_) items_[i] = fetch(own_ - (first + i) * stride_);
  }

  const Item* own_;
  int stride_, count_;
  unsigned run_;
  Item items_[kAhead];
};

// The same by one full warp, eight tiles at a time: lane 4 n + c has channel c of the n-th.
__device__ Word fetchByWarp(const Word* own, int stride, int first, int count, unsigned run) {
  const int tile = first + static_cast<int>(threadIdx.x % 32) / 4;
  return tile <= count ? fetch(own - tile * stride) : pack(0, run, kBorder);
}

// In every lane the sum of channel lane % 4. `word`: fetchByWarp() of the first eight.
template <class T>
__device__ T lookBackByWarp(Word word, const Word* own, int stride, int count, unsigned run) {
  T sum{0};
  for (int first = 1; first <= count; first += 8) {
    if (first > 1) word = fetchByWarp(own, stride, first, count, run);
    unsigned borders, needed;
    for (;;) {
      const unsigned published = __ballot_sync(kFullWarp, isPublished(word, run));
      const unsigned reaching = __ballot_sync(kFullWarp, reachesBorder(word)) & published;
      borders = reaching & reaching >> 1 & reaching >> 2 & reaching >> 3 & 0x11111111u;
      needed = (borders & (0u - borders)) * 16 - 1;  // up to the nearest tile that reaches the border
      if ((needed & ~(published & ~(reaching ^ borders * 15))) == 0) break;
      word = fetchByWarp(own, stride, first, count, run);
    }
    if (needed >> threadIdx.x % 32 & 1) add(sum, word);
    if (borders != 0) break;
  }
#pragma unroll
  for (int offset = 4; offset < 32; offset *= 2) sum += __shfl_xor_sync(kFullWarp, sum, offset);
  return sum;
}

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

// Along diagonals, so that the tiles on the left and above have most likely finished when a tile starts.
// Diagonal d < s, the shorter side, begins at place d (d + 1) / 2; then all hold s; the last s are the first
// ones backwards.
class TileOrder {
 public:
  TileOrder(int tilesX, int tilesY) : tilesX_(tilesX), tilesY_(tilesY) {}
  __host__ __device__ unsigned places() const { return static_cast<unsigned>(tilesX_ * tilesY_); }
  __device__ int tilesX() const { return tilesX_; }
  __device__ int2 tile(unsigned place) const {
    const int shorter = min(tilesX_, tilesY_);
    const int rising = shorter * (shorter + 1) / 2;
    const int forward = static_cast<int>(place), backward = static_cast<int>(places() - 1 - place);
    if (forward < rising) return onRising(forward);
    if (backward < rising) {
      const int2 mirrored = onRising(backward);
      return {tilesX_ - 1 - mirrored.x, tilesY_ - 1 - mirrored.y};
    }
    const int diagonal = shorter + (forward - rising) / shorter, along = (forward - rising) % shorter;
    return tilesX_ < tilesY_ ? int2{along, diagonal - along} : int2{diagonal - along, along};
  }

 private:
  __device__ static int2 onRising(int place) {
    const int diagonal = (static_cast<int>(__fsqrt_rn(static_cast<float>(8 * place + 1))) - 1) / 2;
    const int along = place - diagonal * (diagonal + 1) / 2;
    return {diagonal - along, along};
  }

  int tilesX_, tilesY_;
};

// Words of the items of all tiles.
struct Mail {
  Word* rows;
  Words* columns;
  Word* corners;
  Word* counter;
};

struct Job {
  cudaSurfaceObject_t image, table;
  int width;
  Quantisation quantisation;
};

template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocks) fused(Job job, Mail mail, TileOrder order) {
  using T = typename Tile::T;
  extern __shared__ uint4 memory[];
  auto& shared = *reinterpret_cast<typename Tile::Shared*>(memory);
  __shared__ Ticket ticket;
  if (threadIdx.x == 0) ticket = takeTicket(mail.counter, order.places());
  __syncthreads();
  const unsigned run = ticket.run;
  const auto [tileX, tileY] = order.tile(ticket.place);
  const int tilesX = order.tilesX(), index = tileY * tilesX + tileX;
  const int x0 = tileX * Tile::kWidth, y0 = tileY * Tile::kHeight;

  Tile tile;
  tile.load(job.image, job.width, x0, y0, shared);
  T row = tile.sum(job.quantisation, shared);
  Word* const rowWord = mail.rows + ptrdiff_t{index} * Tile::kRowItems + Tile::rowItem();
  if (Tile::ownsRowItem()) publish(rowWord, row, run, tileX == 0 ? kBorder : kTile);
  __syncthreads();
  Channels<T> column;
  Words* const columnWords = mail.columns + ptrdiff_t{index} * Tile::kWidth + threadIdx.x;
  if (Tile::ownsColumn()) {
    column = Tile::sumColumn(shared);
    publish(columnWords, column, run, tileY == 0 ? kBorder : kTile);
  }

  const bool ownsCorner = threadIdx.x >= Tile::kThreads - 32;
  const int channel = threadIdx.x % 4;
  Word* const cornerWord = mail.corners + ptrdiff_t{index} * 4 + channel;
  LookBack<T, Word, Tile::kAheadLeft> lookLeft(rowWord, Tile::kRowItems, Tile::ownsRowItem() ? tileX : 0,
                                               run);
  LookBack<Channels<T>, Words, Tile::kAheadUp> lookUp(columnWords, tilesX * Tile::kWidth,
                                                      Tile::ownsColumn() ? tileY : 0, run);
  Word aboveCorner = 0;
  if (ownsCorner) aboveCorner = fetchByWarp(cornerWord, tilesX * 4, 1, tileY, run);
  tile.scanRows();

  const T left = lookLeft.finish();
  if (tileX > 0 && Tile::ownsRowItem()) publish(rowWord, row += left, run, kBorder);
  const T ofGroup = Tile::sumRows(left);
  if (Tile::lane() < 4) (&shared.rows[Tile::group()].x)[channel] = toBits(ofGroup);
  __syncthreads();

  if (ownsCorner) {
    T leftOfTile{0};
#pragma unroll
    for (int g = 0; g < Tile::kGroups; ++g) leftOfTile += fromBits<T>((&shared.rows[g].x)[channel]);
    const bool publishes = threadIdx.x % 32 < 4;
    if (publishes) publish(cornerWord, leftOfTile, run, tileY == 0 ? kBorder : kTile);
    const T corner = lookBackByWarp<T>(aboveCorner, cornerWord, tilesX * 4, tileY, run);
    if (publishes) {
      if (tileY > 0) publish(cornerWord, leftOfTile + corner, run, kBorder);
      (&shared.corner.x)[channel] = toBits(corner);
    }
  }
  if (Tile::ownsColumn()) {
    const Channels<T> top = lookUp.finish();
    Tile::scanColumn(top, shared);
    if (tileY > 0) publish(columnWords, column += top, run, kBorder);
  }
  __syncthreads();
  tile.write(job.table, x0, y0, job.quantisation, shared, left);
}

int ceilDivide(int a, int b) { return (a + b - 1) / b; }
template <class Tile>
TileOrder orderOf(const TableOptions& options) {
  return {ceilDivide(options.width, Tile::kWidth), ceilDivide(options.height, Tile::kHeight)};
}

class FusedBuilder : public TimedWork<TableBuilder> {
 public:
  FusedBuilder(const TableOptions& options, FusedShape shape)
      : TimedWork({"fused"}), options_(options), shape_(shape), counter_(1) {
    size_t rows = 0, columns = 0, corners = 0;
    for (const ImageFormat format : {ImageFormat::half4, ImageFormat::uint4})
      withTile(options.type, format, shape, [&]<class Tile>() {
        const size_t tiles = orderOf<Tile>(options).places();
        rows = std::max(rows, tiles * Tile::kRowItems);
        columns = std::max(columns, tiles * Tile::kWidth);
        corners = std::max(corners, tiles * 4);
        // More than 48 KB of shared memory must be asked for.
        SATDOF_CUDA(cudaFuncSetAttribute(fused<Tile>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         int{sizeof(typename Tile::Shared)}));
      });
    rows_ = DeviceArray<Word>(rows);
    columns_ = DeviceArray<Words>(columns);
    corners_ = DeviceArray<Word>(corners);
    SATDOF_CUDA(cudaMemset(rows_.data(), 0, rows_.bytes()));
    SATDOF_CUDA(cudaMemset(columns_.data(), 0, columns_.bytes()));
    SATDOF_CUDA(cudaMemset(corners_.data(), 0, corners_.bytes()));
    const Word firstRun = Word{1} << 32;
    SATDOF_CUDA(cudaMemcpy(counter_.data(), &firstRun, sizeof firstRun, cudaMemcpyHostToDevice));
  }

  void build(cudaArray* image, ImageFormat format, const Quantisation& quantisation, cudaArray* table,
             CUstream_st* stream) override {
    if (format == ImageFormat::uint4 && options_.type != ElementType::uint32)
      throw std::runtime_error("cannot sum an image of integers into a float32 table: choose uint32");
    const Job job{surfaces_.get(image), surfaces_.get(table), options_.width, quantisation};
    const Mail mail{rows_.data(), columns_.data(), corners_.data(), counter_.data()};
    timer_.begin(stream);
    withTile(options_.type, format, shape_, [&]<class Tile>() {
      const TileOrder order = orderOf<Tile>(options_);
      fused<Tile>
          <<<order.places(), Tile::kThreads, sizeof(typename Tile::Shared), stream>>>(job, mail, order);
      SATDOF_CUDA_LAUNCHED();
    });
    timer_.next(stream);
  }
  bool transposed() const override { return false; }

 private:
  TableOptions options_;
  FusedShape shape_;
  DeviceArray<Word> rows_, corners_, counter_;
  DeviceArray<Words> columns_;
};

}  // namespace

FusedShape fusedShapeFor(const TableOptions& options) {
  FusedShape largest = FusedShape::small;
  for (const FusedShape shape : kFusedShapes)
    withTile(options.type, ImageFormat::half4, shape, [&]<class Tile>() {
      constexpr size_t kBytesOfSystem = 1024;  // CUDA's own, of each block
      const size_t bytes = sizeof(typename Tile::Shared) + sizeof(Ticket) + kBytesOfSystem;
      if (Tile::kBlocks * bytes <= device().sharedBytesOfMultiprocessor &&
          orderOf<Tile>(options).places() >= device().multiprocessors)
        largest = shape;
    });
  return largest;
}

std::unique_ptr<TableBuilder> makeFusedTableBuilder(const TableOptions& options,
                                                    std::optional<FusedShape> shape) {
  return std::make_unique<FusedBuilder>(options, shape.value_or(fusedShapeFor(options)));
}

}  // namespace satdof::cuda
