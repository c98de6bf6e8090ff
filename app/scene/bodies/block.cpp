#include "app/scene/bodies/block.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#define SATDOF_AVX2_FMA __attribute__((target("avx2,fma")))
#endif

namespace satdof {

namespace {

// A cell of mass M with second moments P of trace T at the offset d from a body, with s^2 = |d|^2 + softening^2, gives
//   potential      -M / s - 3/2 d.P.d / s^5 + 1/2 T / s^3
//   acceleration   M d / s^3 - 3 P d / s^5 + (15/2 d.P.d / s^7 - 3/2 T / s^5) d
struct Scalar {
  static void addBodies(Block& block, const Sources& sources, int first, int last, int self, float softeningSquared) {
    for (int j = first; j < last; ++j)
      for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
        const float dx = sources.x[j] - block.x[lane], dy = sources.y[j] - block.y[lane],
                    dz = sources.z[j] - block.z[lane];
        const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softeningSquared);
        const float massOverDistance = j == self + int(lane) ? 0.0f : sources.mass[j] * inverse;
        const float scale = massOverDistance * inverse * inverse;
        block.ax[lane] += scale * dx;
        block.ay[lane] += scale * dy;
        block.az[lane] += scale * dz;
        block.potential[lane] -= massOverDistance;
      }
  }

  static void addCells(Block& block, const Moments* cells, int count, float softeningSquared) {
    for (int j = 0; j < count; ++j) {
      const Moments& c = cells[j];
      const float trace = c.xx + c.yy + c.zz;
      for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
        const float dx = c.x - block.x[lane], dy = c.y - block.y[lane], dz = c.z - block.z[lane];
        const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softeningSquared);
        const float inverse2 = inverse * inverse, inverse3 = inverse * inverse2, inverse5 = inverse3 * inverse2;
        const float px = c.xx * dx + c.xy * dy + c.xz * dz, py = c.xy * dx + c.yy * dy + c.yz * dz,
                    pz = c.xz * dx + c.yz * dy + c.zz * dz;
        const float dpd = dx * px + dy * py + dz * pz;
        const float along = c.mass * inverse3 + (7.5f * dpd * inverse2 - 1.5f * trace) * inverse5;
        const float across = -3.0f * inverse5;
        block.ax[lane] += along * dx + across * px;
        block.ay[lane] += along * dy + across * py;
        block.az[lane] += along * dz + across * pz;
        block.potential[lane] += -c.mass * inverse - 1.5f * dpd * inverse5 + 0.5f * trace * inverse3;
      }
    }
  }
};

#ifdef SATDOF_AVX2_FMA
using Float8 = __m256;
constexpr std::size_t kVectors = kBlockBodies / 8;

// 1 / sqrt(a) to 23 bits: the instruction gives 12 bits, one step of Newton's method doubles them.
SATDOF_AVX2_FMA inline Float8 inverseRoot(Float8 a) {
  const Float8 r = _mm256_rsqrt_ps(a);
  const Float8 half = _mm256_mul_ps(_mm256_set1_ps(0.5f), r);
  return _mm256_fmadd_ps(half, _mm256_fnmadd_ps(_mm256_mul_ps(a, r), r, _mm256_set1_ps(1.0f)), r);
}

SATDOF_AVX2_FMA inline Float8 load(const Block::Lanes& lanes, std::size_t vector) {
  return _mm256_load_ps(lanes.data() + 8 * vector);
}
SATDOF_AVX2_FMA inline void store(Block::Lanes& lanes, std::size_t vector, Float8 value) {
  _mm256_store_ps(lanes.data() + 8 * vector, value);
}

struct Avx2 {
  // kMaySelf: the sources may contain targets, which do not attract themselves.
  template <bool kMaySelf>
  SATDOF_AVX2_FMA static void addRange(Block& block, const Sources& sources, int first, int last, int self,
                                       float softeningSquared) {
    const Float8 softening = _mm256_set1_ps(softeningSquared);
    Float8 x[kVectors], y[kVectors], z[kVectors], ax[kVectors], ay[kVectors], az[kVectors], p[kVectors];
    for (std::size_t k = 0; k < kVectors; ++k) {
      x[k] = load(block.x, k), y[k] = load(block.y, k), z[k] = load(block.z, k);
      ax[k] = load(block.ax, k), ay[k] = load(block.ay, k), az[k] = load(block.az, k);
      p[k] = load(block.potential, k);
    }
    for (int j = first; j < last; ++j) {
      const Float8 jx = _mm256_broadcast_ss(sources.x + j), jy = _mm256_broadcast_ss(sources.y + j),
                   jz = _mm256_broadcast_ss(sources.z + j), mass = _mm256_broadcast_ss(sources.mass + j);
      for (std::size_t k = 0; k < kVectors; ++k) {
        const Float8 dx = _mm256_sub_ps(jx, x[k]), dy = _mm256_sub_ps(jy, y[k]), dz = _mm256_sub_ps(jz, z[k]);
        const Float8 inverse =
            inverseRoot(_mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_fmadd_ps(dz, dz, softening))));
        Float8 massOverDistance = _mm256_mul_ps(mass, inverse);
        if constexpr (kMaySelf) {
          const __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                                _mm256_set1_epi32(self + 8 * static_cast<int>(k)));
          const __m256i same = _mm256_cmpeq_epi32(lane, _mm256_set1_epi32(j));
          massOverDistance = _mm256_andnot_ps(_mm256_castsi256_ps(same), massOverDistance);
        }
        const Float8 scale = _mm256_mul_ps(massOverDistance, _mm256_mul_ps(inverse, inverse));
        ax[k] = _mm256_fmadd_ps(scale, dx, ax[k]);
        ay[k] = _mm256_fmadd_ps(scale, dy, ay[k]);
        az[k] = _mm256_fmadd_ps(scale, dz, az[k]);
        p[k] = _mm256_sub_ps(p[k], massOverDistance);
      }
    }
    for (std::size_t k = 0; k < kVectors; ++k) {
      store(block.ax, k, ax[k]), store(block.ay, k, ay[k]), store(block.az, k, az[k]);
      store(block.potential, k, p[k]);
    }
  }

  static void addBodies(Block& block, const Sources& sources, int first, int last, int self, float softeningSquared) {
    const int from = std::clamp(self, first, last), to = std::clamp(self + kBlockBodies, first, last);
    addRange<false>(block, sources, first, from, self, softeningSquared);
    addRange<true>(block, sources, from, to, self, softeningSquared);
    addRange<false>(block, sources, to, last, self, softeningSquared);
  }

  SATDOF_AVX2_FMA static void addCells(Block& block, const Moments* cells, int count, float softeningSquared) {
    const Float8 softening = _mm256_set1_ps(softeningSquared);
    for (std::size_t k = 0; k < kVectors; ++k) {
      const Float8 x = load(block.x, k), y = load(block.y, k), z = load(block.z, k);
      Float8 ax = load(block.ax, k), ay = load(block.ay, k), az = load(block.az, k);
      Float8 potential = load(block.potential, k);
      for (int j = 0; j < count; ++j) {
        const Moments& c = cells[j];
        const Float8 dx = _mm256_sub_ps(_mm256_broadcast_ss(&c.x), x), dy = _mm256_sub_ps(_mm256_broadcast_ss(&c.y), y),
                     dz = _mm256_sub_ps(_mm256_broadcast_ss(&c.z), z);
        const Float8 inverse =
            inverseRoot(_mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_fmadd_ps(dz, dz, softening))));
        const Float8 inverse2 = _mm256_mul_ps(inverse, inverse), inverse3 = _mm256_mul_ps(inverse, inverse2),
                     inverse5 = _mm256_mul_ps(inverse3, inverse2);
        const Float8 xx = _mm256_broadcast_ss(&c.xx), yy = _mm256_broadcast_ss(&c.yy), zz = _mm256_broadcast_ss(&c.zz),
                     xy = _mm256_broadcast_ss(&c.xy), xz = _mm256_broadcast_ss(&c.xz), yz = _mm256_broadcast_ss(&c.yz);
        const Float8 mass = _mm256_broadcast_ss(&c.mass);
        const Float8 trace = _mm256_add_ps(xx, _mm256_add_ps(yy, zz));
        const Float8 px = _mm256_fmadd_ps(xx, dx, _mm256_fmadd_ps(xy, dy, _mm256_mul_ps(xz, dz))),
                     py = _mm256_fmadd_ps(xy, dx, _mm256_fmadd_ps(yy, dy, _mm256_mul_ps(yz, dz))),
                     pz = _mm256_fmadd_ps(xz, dx, _mm256_fmadd_ps(yz, dy, _mm256_mul_ps(zz, dz)));
        const Float8 dpd = _mm256_fmadd_ps(dx, px, _mm256_fmadd_ps(dy, py, _mm256_mul_ps(dz, pz)));
        const Float8 second = _mm256_fmsub_ps(_mm256_mul_ps(_mm256_set1_ps(7.5f), dpd), inverse2,
                                              _mm256_mul_ps(_mm256_set1_ps(1.5f), trace));
        const Float8 along = _mm256_fmadd_ps(second, inverse5, _mm256_mul_ps(mass, inverse3));
        const Float8 across = _mm256_mul_ps(_mm256_set1_ps(-3.0f), inverse5);
        ax = _mm256_fmadd_ps(along, dx, _mm256_fmadd_ps(across, px, ax));
        ay = _mm256_fmadd_ps(along, dy, _mm256_fmadd_ps(across, py, ay));
        az = _mm256_fmadd_ps(along, dz, _mm256_fmadd_ps(across, pz, az));
        potential = _mm256_fnmadd_ps(mass, inverse, potential);
        potential = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_set1_ps(-1.5f), dpd), inverse5, potential);
        potential = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), trace), inverse3, potential);
      }
      store(block.ax, k, ax), store(block.ay, k, ay), store(block.az, k, az);
      store(block.potential, k, potential);
    }
  }
};
#endif

const BlockGravity& chosen() {
  static const BlockGravity functions = fastestBlockGravity();
  return functions;
}

}  // namespace

Block blockOf(const Sources& sources, std::size_t first, std::size_t count) {
  Block block;
  for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
    const std::size_t i = std::min(first + lane, count - 1);
    block.x[lane] = sources.x[i], block.y[lane] = sources.y[i], block.z[lane] = sources.z[i];
  }
  block.ax = block.ay = block.az = block.potential = {};
  return block;
}

BlockGravity plainBlockGravity() { return {Scalar::addBodies, Scalar::addCells}; }

BlockGravity fastestBlockGravity() {
#ifdef SATDOF_AVX2_FMA
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {Avx2::addBodies, Avx2::addCells};
#endif
  return plainBlockGravity();
}

void addBodies(Block& block, const Sources& sources, int first, int last, int self, float softeningSquared) {
  chosen().addBodies(block, sources, first, last, self, softeningSquared);
}

void addCells(Block& block, const Moments* cells, int count, float softeningSquared) {
  chosen().addCells(block, cells, count, softeningSquared);
}

}  // namespace satdof
