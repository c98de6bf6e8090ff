#pragma once
#include "cuda/scan/block_sums.cuh"

// Blelloch's balanced tree in shared memory (Blelloch 1990; GPU Gems 3, 39.2.2): the up-sweep leaves the sum
// of each node in the tree, the down-sweep turns sums into exclusive prefixes. Cost for n elements: 2 (n - 1)
// additions, n - 1 swaps, 2 log2 n + 1 barriers.
namespace satdof::cuda {

// A Layout maps thread t to the elements first(t) and second(t), and element i to a place in shared memory.

// Neighbouring elements without padding, as in listing 39-2. At level k, 2^k threads access the same bank.
struct Adjacent {
  __device__ static unsigned first(unsigned thread) { return 2 * thread; }
  __device__ static unsigned second(unsigned thread) { return 2 * thread + 1; }
  __device__ static unsigned address(unsigned i) { return i; }
  static size_t elements(size_t n) { return n; }
};

// Padding against bank conflicts (39.2.3): one word after every 32 words, one more after every 1024, so that
// accesses with a stride of any power of two fall on different banks.
struct ConflictFree {
  __device__ static unsigned address(unsigned i) { return i + (i >> 5) + (i >> 10); }
  static size_t elements(size_t n) { return n + (n >> 5) + (n >> 10); }
};

// Up-sweep of node i of a level whose nodes have two children of `offset` elements: adds the left sum to the
// right one.
template <class Layout, class T>
__device__ void sweepUp(T* tree, unsigned i, unsigned offset) {
  const unsigned left = offset * (2 * i + 1) - 1;
  tree[Layout::address(left + offset)] += tree[Layout::address(left)];
}

// Down-sweep of the same node: the left child gets the node's prefix, the right child the prefix plus the
// left sum.
template <class Layout, class T>
__device__ void sweepDown(T* tree, unsigned i, unsigned offset) {
  const unsigned left = offset * (2 * i + 1) - 1;
  T& a = tree[Layout::address(left)];
  T& b = tree[Layout::address(left + offset)];
  const T sum = a;
  a = b;
  b += sum;
}

// Writes the sum at the root to *total unless total is null, and sets the root to 0.
template <class Layout, class T>
__device__ void clearRoot(T* tree, unsigned n, T* total) {
  T& root = tree[Layout::address(n - 1)];
  if (total != nullptr) *total = root;
  root = T{0};
}

// Exclusive scan of the n elements of `tree` by the whole block; n is a power of two, and the block has at
// least n / 2 threads. Writes the sum to *total unless total is null. Ends with a barrier.
template <class Layout, class T>
__device__ void scanTree(T* tree, unsigned n, T* total) {
  const unsigned thread = threadIdx.x;
  unsigned offset = 1;
  for (unsigned nodes = n / 2; nodes > 0; nodes /= 2, offset *= 2) {
    __syncthreads();
    if (thread < nodes) sweepUp<Layout>(tree, thread, offset);
  }
  if (thread == 0) clearRoot<Layout>(tree, n, total);
  for (unsigned nodes = 1; nodes < n; nodes *= 2) {
    offset /= 2;
    __syncthreads();
    if (thread < nodes) sweepDown<Layout>(tree, thread, offset);
  }
  __syncthreads();
}

// Tile scan with two elements per thread.
template <class Layout>
struct TreeTile {
  static constexpr unsigned kItems = 2;
  static size_t sharedElements(unsigned threads) { return Layout::elements(kItems * threads); }

  template <class T>
  __device__ static void scan(const T* in, T* out, unsigned count, bool inclusive, T* total) {
    const unsigned n = kItems * blockDim.x;
    const unsigned thread = threadIdx.x;
    const unsigned first = Layout::first(thread);
    const unsigned second = Layout::second(thread);
    T* const tree = sharedMemory<T>();
    const T a = first < count ? in[first] : T{0};
    const T b = second < count ? in[second] : T{0};
    tree[Layout::address(first)] = a;
    tree[Layout::address(second)] = b;
    scanTree<Layout>(tree, n, total);
    if (first < count) out[first] = tree[Layout::address(first)] + (inclusive ? a : T{0});
    if (second < count) out[second] = tree[Layout::address(second)] + (inclusive ? b : T{0});
  }
};

}  // namespace satdof::cuda
