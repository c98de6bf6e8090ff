#include "library/src/cuda/sums.h"

#include "cuda/block/divide.h"
#include "cuda/runtime/launch.cuh"
#include "cuda/sat/tile_order.cuh"
#include "cuda/scan/lookback.cuh"
#include "library/src/check.h"
#include "library/src/cuda/element.cuh"

namespace satdof::cuda {

namespace {

using Wide = unsigned long long;

constexpr unsigned kThreads = 256, kWarps = kThreads / kWarpSize;
// Rows of a tile. A thread holds one element of each row: 128 bytes of registers.
template <class W>
constexpr unsigned kRows = 128 / sizeof(W);
template <class W>
using WordOf = std::conditional_t<sizeof(W) == 4, TileWord, WideWord>;

// Kernel parameters.
struct Job {
  InputRows from;
  OutputRows to;
  unsigned elements, height, channels;  // as in SumShape
  bool exclusive;
  TileOrder order;  // of the tiles of one array
  int tilesY;
  unsigned tiles;     // of all arrays
  TileWord* counter;  // for takeTicket()
  void *columns,
      *rows;  // look-back words: a column sum per tile and column; a row sum per tile, row and channel
};

// In shared memory, for each row and channel of a tile: the sum of each warp, then the sum of everything
// before the warp.
template <class W>
using WarpSums = W[kRows<W>][kWarps][kMaxChannels];

// v[k] = element first + k * step as a word, for k < count; 0 above.
template <class W>
__device__ void load(const InputRows& from, std::ptrdiff_t first, std::ptrdiff_t step, unsigned count,
                     W (&v)[kRows<W>]) {
  const double scale = isFloat(from.elements.type) ? unitOf(from.fixed).scale : 1.0;
  withType<sizeof(W)>(from.elements.type, [&]<class T>(T) {
    const T* const at = static_cast<const T*>(from.elements.data) + first;
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k) v[k] = k < count ? wordOf<W>(at[k * step], scale) : W{0};
  });
}

// Element first + k * step = v[k], for k < count. Sums of floats are scaled back.
template <class W>
__device__ void store(const OutputRows& to, const FixedPoint& fixed, std::ptrdiff_t first, std::ptrdiff_t step,
                      unsigned count, const W (&v)[kRows<W>]) {
  const auto write = [&]<class S>(S* data, auto&& convert) {
    S* const at = data + first;
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k)
      if (k < count) at[k * step] = convert(v[k]);
  };
  const Type type = to.elements.type;
  if constexpr (sizeof(W) == 8) {
    if (isFloat(type)) {
      const double unit = unitOf(fixed).unit;
      const auto number = [&](W word) { return static_cast<double>(static_cast<long long>(word)) * unit; };
      if (type == Type::float64) return write(static_cast<double*>(to.elements.data), number);
      return write(static_cast<float*>(to.elements.data), number);
    }
    return write(static_cast<Wide*>(to.elements.data), [](W word) { return word; });
  } else {
    write(static_cast<unsigned*>(to.elements.data), [](W word) { return word; });
  }
}

// Inclusive scan over the lanes, each channel by itself: lane l has channel l % channels.
template <class W>
__device__ W scanChannels(W sum, unsigned channels) {
  const unsigned lane = threadIdx.x % kWarpSize;
  for (unsigned offset = channels; offset < kWarpSize; offset *= 2) {
    const W below = __shfl_up_sync(kAllLanes, sum, offset);
    if (lane >= offset) sum += below;
  }
  return sum;
}

// Scans the lanes of the warp, each channel by itself, and writes the warp's sums to sums[channel].
template <class W>
__device__ W scanWarp(W value, const Job& job, bool exclusive, W* sums, unsigned channel) {
  const unsigned lane = threadIdx.x % kWarpSize;
  const W through = scanChannels(value, job.channels);
  if (lane >= kWarpSize - job.channels) sums[channel] = through;
  if (!exclusive) return through;
  const W before = __shfl_up_sync(kAllLanes, through, job.channels);
  return lane >= job.channels ? before : W{0};
}

// Turns the sums of all warps in one row and channel into exclusive prefixes. Returns their sum.
template <class W>
__device__ W scanWarpSums(W (&sums)[kWarps][kMaxChannels], unsigned channel) {
  W sum{0};
  for (auto& ofWarp : sums) {
    const W own = ofWarp[channel];
    ofWarp[channel] = sum;
    sum += own;
  }
  return sum;
}

// Sums down the columns if kDown, then along the rows if kAcross: both give a summed-area table. One tile of
// kThreads x kRows elements per block; a thread owns a column of the tile. Each tile publishes its column
// sums and gets the sums above by decoupled look-back (cuda/scan/lookback.cuh), which turns its elements into
// sums of columns from the top; the same along the rows then completes the table. Cost: 1 read and 1 write
// per element, plus one word per tile and column and one per tile, row and channel.
template <class W, bool kDown, bool kAcross>
__global__ void __launch_bounds__(kThreads, 3) sumTiles(const Job job) {
  using Word = WordOf<W>;
  __shared__ Ticket sharedTicket;
  __shared__ WarpSums<W> warpSums;
  if (threadIdx.x == 0) sharedTicket = takeTicket(job.counter, job.tiles);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const unsigned batch = ticket.tile / job.order.places();
  const int2 tile = job.order.tile(ticket.tile % job.order.places());
  const unsigned x = static_cast<unsigned>(tile.x) * kThreads + threadIdx.x;
  const unsigned y = static_cast<unsigned>(tile.y) * kRows<W>;
  const unsigned count = x < job.elements ? job.height - y : 0;
  const auto place = [&](const auto& rows) {
    return static_cast<std::ptrdiff_t>(batch) * rows.batch + static_cast<std::ptrdiff_t>(y) * rows.stride + x;
  };

  W v[kRows<W>] = {};
  load(job.from, place(job.from), job.from.stride, count, v);
  const bool shifted = kDown && kAcross && job.exclusive, exclusive = job.exclusive && !shifted;
  if constexpr (kDown) {
    W sum{0};
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k) sum += v[k];
    W above{0};
    if (count > 0) {
      const std::size_t row = static_cast<std::size_t>(batch) * job.tilesY + tile.y;
      Word* const own = static_cast<Word*>(job.columns) + row * job.elements + x;
      publish(own, sum, ticket.run, tile.y == 0 ? TileStatus::inclusive : TileStatus::aggregate);
      if (tile.y > 0) {
        above = ThreadLookBack<W, Word, 8>(own, static_cast<int>(job.elements), tile.y, ticket.run).finish();
        publish(own, above + sum, ticket.run, TileStatus::inclusive);
      }
    }
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k) {
      const W through = above + v[k];
      v[k] = exclusive ? above : through;
      above = through;
    }
  }
  if constexpr (kAcross) {
    const unsigned warp = threadIdx.x / kWarpSize, channel = x % job.channels;
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k) v[k] = scanWarp(v[k], job, exclusive, warpSums[k][warp], channel);
    __syncthreads();
    if (threadIdx.x < kRows<W> * job.channels) {
      const unsigned k = threadIdx.x / job.channels, c = threadIdx.x % job.channels;
      const W sum = scanWarpSums(warpSums[k], c);
      if (y + k < job.height) {
        const std::size_t item = static_cast<std::size_t>(y + k) * job.order.tilesX() + tile.x;
        Word* const own = static_cast<Word*>(job.rows) + item * job.channels + c;
        publish(own, sum, ticket.run, tile.x == 0 ? TileStatus::inclusive : TileStatus::aggregate);
        if (tile.x > 0) {
          const W left = ThreadLookBack<W, Word, 8>(own, static_cast<int>(job.channels), tile.x, ticket.run).finish();
          publish(own, left + sum, ticket.run, TileStatus::inclusive);
          for (auto& ofWarp : warpSums[k]) ofWarp[c] += left;
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kRows<W>; ++k) v[k] += warpSums[k][warp][channel];
  }
  const std::ptrdiff_t shift = shifted ? job.to.stride + job.channels : 0;
  store(job.to, job.from.fixed, place(job.to) + shift, job.to.stride, count, v);
  if (!shifted) return;
  const W zeros[kRows<W>] = {};
  if (tile.y == 0 && count > 0) store(job.to, job.from.fixed, std::ptrdiff_t{x} + job.channels, 0, 1, zeros);
  if (tile.x == 0 && threadIdx.x < job.channels) {
    store(job.to, job.from.fixed, (std::ptrdiff_t{y} + 1) * job.to.stride + threadIdx.x, job.to.stride, job.height - y,
          zeros);
    if (tile.y == 0) store(job.to, job.from.fixed, std::ptrdiff_t{threadIdx.x}, 0, 1, zeros);
  }
}

// Prefix sums along long rows. A tile is kRows * kThreads consecutive elements of one row; a warp per channel
// looks back. Cost: 1 read, 1 write per element.
__global__ void __launch_bounds__(kThreads, 4) sumLines(const Job job) {
  constexpr unsigned kParts = kRows<Wide>;  // of kThreads elements; a thread holds one element of each part
  __shared__ Ticket sharedTicket;
  __shared__ WarpSums<Wide> warpSums;
  __shared__ Wide partSums[kParts][kMaxChannels], before[kMaxChannels];
  if (threadIdx.x == 0) sharedTicket = takeTicket(job.counter, job.tiles);
  __syncthreads();
  const Ticket ticket = sharedTicket;
  const unsigned tilesX = static_cast<unsigned>(job.order.tilesX());
  const unsigned row = ticket.tile / tilesX, tile = ticket.tile % tilesX;
  const unsigned first = tile * kParts * kThreads + threadIdx.x;
  const unsigned count = first < job.elements ? (job.elements - first + kThreads - 1) / kThreads : 0;
  const unsigned warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const auto place = [&](const auto& rows) { return static_cast<std::ptrdiff_t>(row) * rows.stride + first; };

  Wide v[kParts];
  load(job.from, place(job.from), kThreads, count, v);
  const unsigned step = kThreads % job.channels;
  const auto forEachPart = [&](auto&& task) {
    unsigned channel = first % job.channels;
#pragma unroll
    for (unsigned k = 0; k < kParts; ++k) {
      task(k, channel);
      channel += step;
      if (channel >= job.channels) channel -= job.channels;
    }
  };
  forEachPart(
      [&](unsigned k, unsigned channel) { v[k] = scanWarp(v[k], job, job.exclusive, warpSums[k][warp], channel); });
  __syncthreads();
  if (threadIdx.x < kParts * job.channels) {
    const unsigned k = threadIdx.x / job.channels, c = threadIdx.x % job.channels;
    partSums[k][c] = scanWarpSums(warpSums[k], c);
  }
  __syncthreads();
  if (warp < job.channels) {  // one warp per channel
    const Wide own = lane < kParts ? partSums[lane][warp] : 0, through = scanLanes(own);
    const Wide sum = __shfl_sync(kAllLanes, through, kParts - 1);
    WideWord* const words =
        static_cast<WideWord*>(job.rows) + (static_cast<std::size_t>(row) * job.channels + warp) * tilesX;
    Wide carry = 0;
    if (tile > 0) {
      if (lane == 0) publish(words + tile, sum, ticket.run, TileStatus::aggregate);
      carry = sumTilesBefore<Wide, 2>(words, tile, ticket.run);
    }
    if (lane == 0) {
      publish(words + tile, carry + sum, ticket.run, TileStatus::inclusive);
      before[warp] = carry;
    }
    if (lane < kParts) partSums[lane][warp] = through - own;
  }
  __syncthreads();
  forEachPart([&](unsigned k, unsigned channel) {
    v[k] += warpSums[k][warp][channel] + partSums[k][channel] + before[channel];
  });
  store(job.to, job.from.fixed, place(job.to), kThreads, count, v);
}

__device__ Wide largestOfWarp(Wide value) {
  return reduceLanes(value, [](Wide a, Wide b) { return b > a ? b : a; });
}

// Calls task(index) for the elements of this thread, in a grid-stride loop over rows `stride` elements apart.
template <class Task>
__device__ void forEachElement(std::ptrdiff_t stride, unsigned elements, unsigned height, const Task& task) {
  for (unsigned y = blockIdx.y; y < height; y += gridDim.y)
    for (unsigned x = blockIdx.x * kThreads + threadIdx.x; x < elements; x += gridDim.x * kThreads)
      task(static_cast<std::ptrdiff_t>(y) * stride + x);
}

// Raises maxima->magnitude to the largest magnitude. The bits of positive doubles are ordered like the
// doubles; infinity and NaN come last.
__global__ void __launch_bounds__(kThreads)
    findMost(const InputRows from, unsigned elements, unsigned height, Maxima* maxima) {
  constexpr Wide kNoSign = ~Wide{0} >> 1;
  Wide most = 0;
  forEachElement(from.stride, elements, height, [&](std::ptrdiff_t at) {
    const double value = from.elements.type == Type::float32
                             ? static_cast<double>(static_cast<const float*>(from.elements.data)[at])
                             : static_cast<const double*>(from.elements.data)[at];
    const Wide bits = bitsOf(value) & kNoSign;
    most = bits > most ? bits : most;
  });
  most = largestOfWarp(most);
  if (threadIdx.x % kWarpSize == 0) atomicMax(&maxima->magnitude, most);
}

__global__ void __launch_bounds__(kThreads)
    findRadius(const InputRows from, unsigned elements, unsigned height, Maxima* maxima) {
  float most = 0.0f;
  forEachElement(from.stride, elements, height,
                 [&](std::ptrdiff_t at) { most = fmaxf(most, static_cast<const float*>(from.elements.data)[at]); });
  const Wide bits = largestOfWarp(__float_as_uint(fminf(most, cpu::kMaxRadius)));
  if (threadIdx.x % kWarpSize == 0) atomicMax(&maxima->radius, static_cast<unsigned>(bits));
}

dim3 gridOf(unsigned elements, unsigned height) {
  constexpr unsigned kBlocks = 2048;
  const unsigned columns = std::min(blocksFor(elements, kThreads), kBlocks);
  return {columns, std::min(height, std::max(1u, kBlocks / columns))};
}

constexpr unsigned kLine = kRows<Wide> * kThreads;  // elements of a tile of sumLines()

}  // namespace

SumPlan::SumPlan(const SumShape& shape)
    : shape_(shape),
      tilesX_(static_cast<int>(blocksFor(shape.elements, shape.kind == SumKind::lines ? kLine : kThreads))),
      tilesY_(static_cast<int>(shape.kind == SumKind::lines ? shape.height : blocksFor(shape.height, kRows<Wide>))),
      counter_(makeTicketCounter()) {
  const auto words = [](std::size_t rows, std::size_t each) {
    return makeInvalidWords<unsigned long long>(2 * rows * each);
  };
  if (shape.kind == SumKind::table || shape.kind == SumKind::columns)
    columns_ = words(std::size_t{shape.batches} * static_cast<std::size_t>(tilesY_), shape.elements);
  if (shape.kind != SumKind::columns)
    rows_ = words(std::size_t{shape.height} * static_cast<std::size_t>(tilesX_), shape.channels);
}

void SumPlan::run(const InputRows& from, const OutputRows& to, CUstream_st* stream) const {
  const bool narrow = bytesOf(to.elements.type) == 4 && !isFloat(to.elements.type);
  const int tilesY = narrow ? static_cast<int>(blocksFor(shape_.height, kRows<unsigned>)) : tilesY_;
  const TileOrder order(tilesX_, tilesY);
  const Job job{from,
                to,
                shape_.elements,
                shape_.height,
                shape_.channels,
                shape_.exclusive,
                order,
                tilesY,
                order.places() * shape_.batches,
                counter_.data(),
                columns_.data(),
                rows_.data()};
  const auto kernel = shape_.kind == SumKind::lines     ? sumLines
                      : shape_.kind == SumKind::rows    ? sumTiles<Wide, false, true>
                      : shape_.kind == SumKind::columns ? sumTiles<Wide, true, false>
                      : narrow                          ? sumTiles<unsigned, true, true>
                                                        : sumTiles<Wide, true, true>;
  launch(kernel, {job.tiles, kThreads, 0, stream}, job);
}

DeviceArray<unsigned long long> zeros(std::size_t count) {
  DeviceArray<unsigned long long> words(count);
  SATDOF_CUDA(cudaMemset(words.data(), 0, words.bytes()));
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));  // later work may use a stream that does not wait for this one
  return words;
}

void measureMagnitude(const InputImage& image, DeviceArray<Maxima>& maxima, CUstream_st* stream) {
  SATDOF_CUDA(cudaMemsetAsync(maxima.data(), 0, maxima.bytes(), stream));
  const auto elements = static_cast<unsigned>(image.width) * static_cast<unsigned>(image.channels);
  const auto height = static_cast<unsigned>(image.height);
  launch(findMost, {gridOf(elements, height), kThreads, 0, stream}, InputRows{image, image.stride, 0, {}}, elements,
         height, maxima.data());
}

void measureRadius(const cpu::Image<const float>& radius, DeviceArray<Maxima>& maxima, CUstream_st* stream) {
  const auto width = static_cast<unsigned>(radius.width), height = static_cast<unsigned>(radius.height);
  launch(findRadius, {gridOf(width, height), kThreads, 0, stream}, InputRows{radius.data, radius.stride, 0, {}}, width,
         height, maxima.data());
}

const char* nameOf(Type type) {
  constexpr const char* kNames[] = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                    "int32", "uint64", "int64",  "float32", "float64"};
  return kNames[static_cast<int>(type)];
}

OnDevice::OnDevice() { SATDOF_CUDA(cudaGetDevice(&device_)); }

void OnDevice::require() const {
  int current = 0;
  SATDOF_CUDA(cudaGetDevice(&current));
  cpu::require(current == device_, "the plan was made for device ", device_, ", but device ", current, " is current");
}

}  // namespace satdof::cuda
