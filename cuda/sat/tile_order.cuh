#pragma once
#include <cuda_runtime.h>

namespace satdof::cuda {

// The order of tiles by ticket: along anti-diagonals, so that the tiles to the left of and above a tile have
// most likely finished when it starts. With s tiles on the shorter side, diagonal d < s begins at place d (d
// + 1) / 2, the diagonals in the middle have s tiles each, and the last s diagonals mirror the first s.
class TileOrder {
 public:
  TileOrder(int tilesX, int tilesY) : tilesX_(tilesX), tilesY_(tilesY) {}
  __host__ __device__ unsigned places() const { return static_cast<unsigned>(tilesX_ * tilesY_); }
  __device__ int tilesX() const { return tilesX_; }
  // The tile (x, y) at a place of the order.
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

}  // namespace satdof::cuda
