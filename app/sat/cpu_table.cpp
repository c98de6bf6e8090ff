#include "app/sat/cpu_table.h"

#include <algorithm>
#include <array>
#include <glm/gtc/packing.hpp>
#include <memory>

#include "app/sat/fixed_point.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define SATDOF_AVX2 __attribute__((target("avx2,f16c")))
#endif

namespace satdof {

namespace {

constexpr int kMinBandRows = 16;
constexpr int kBandsPerThread = 4;
constexpr int kCarryColumns = 256;

using HalfValues = std::array<float, 1 << 16>;

const float* halfValues() {
  static const auto values = [] {
    auto table = std::make_unique<HalfValues>();
    for (size_t bits = 0; bits < table->size(); ++bits)
      (*table)[bits] = glm::unpackHalf1x16(static_cast<uint16_t>(bits));
    return table;
  }();
  return values->data();
}

// Element rules: at(p) is pixel p of the picture; pair(p) the two pixels p and p + 1.
struct HalfToFixed {
  using Pixel = glm::uvec4;
  const uint16_t* texels;
  float scale, ceiling;
  const float* values = halfValues();

  Pixel at(ptrdiff_t p) const {
    const uint16_t* t = texels + 4 * p;
    return {quantise(values[t[0]], scale, ceiling), quantise(values[t[1]], scale, ceiling),
            quantise(values[t[2]], scale, ceiling), quantise(values[t[3]], scale, ceiling)};
  }
#ifdef SATDOF_AVX2
  SATDOF_AVX2 __m256i pair(ptrdiff_t p) const {
    const __m256 v = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(texels + 4 * p)));
    const __m256 clamped = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(ceiling));
    return _mm256_cvttps_epi32(
        _mm256_add_ps(_mm256_mul_ps(clamped, _mm256_set1_ps(scale)), _mm256_set1_ps(0.5f)));
  }
  SATDOF_AVX2 static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
#endif
};

struct FixedAsItIs {
  using Pixel = glm::uvec4;
  const uint32_t* texels;

  Pixel at(ptrdiff_t p) const {
    const uint32_t* t = texels + 4 * p;
    return {t[0], t[1], t[2], t[3]};
  }
#ifdef SATDOF_AVX2
  SATDOF_AVX2 __m256i pair(ptrdiff_t p) const {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(texels + 4 * p));
  }
  SATDOF_AVX2 static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
#endif
};

struct HalfLessMean {
  using Pixel = glm::vec4;
  const uint16_t* texels;
  glm::vec4 mean;
  const float* values = halfValues();

  Pixel at(ptrdiff_t p) const {
    const uint16_t* t = texels + 4 * p;
    return Pixel(values[t[0]], values[t[1]], values[t[2]], values[t[3]]) - mean;
  }
#ifdef SATDOF_AVX2
  SATDOF_AVX2 __m256i pair(ptrdiff_t p) const {
    const __m256 v = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(texels + 4 * p)));
    const __m128 m = _mm_setr_ps(mean.x, mean.y, mean.z, mean.w);
    return _mm256_castps_si256(_mm256_sub_ps(v, _mm256_set_m128(m, m)));
  }
  SATDOF_AVX2 static __m256i add(__m256i a, __m256i b) {
    return _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
  }
#endif
};

// sums[x] += element(x).
template <class Element>
void addRow(const Element& element, ptrdiff_t first, int width, typename Element::Pixel* sums) {
  for (int x = 0; x < width; ++x) sums[x] += element.at(first + x);
}

// above[x] += element(0) + ... + element(x); row[x] = above[x].
template <class Element>
void scanRow(const Element& element, ptrdiff_t first, int width, typename Element::Pixel* above,
             typename Element::Pixel* row) {
  typename Element::Pixel sum(0);
  for (int x = 0; x < width; ++x) {
    sum += element.at(first + x);
    row[x] = above[x] += sum;
  }
}

#ifdef SATDOF_AVX2

template <class Pixel>
SATDOF_AVX2 __m256i load(const Pixel* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
template <class Pixel>
SATDOF_AVX2 void store(Pixel* p, __m256i v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}

template <class Element>
SATDOF_AVX2 void addRowAvx2(const Element& element, ptrdiff_t first, int width,
                            typename Element::Pixel* sums) {
  int x = 0;
  for (; x + 2 <= width; x += 2) store(sums + x, Element::add(load(sums + x), element.pair(first + x)));
  if (x < width) sums[x] += element.at(first + x);
}

template <class Element>
SATDOF_AVX2 void scanRowAvx2(const Element& element, ptrdiff_t first, int width,
                             typename Element::Pixel* above, typename Element::Pixel* row) {
  constexpr int kLowToHigh = 0x08, kHighToBoth = 0x11;
  __m256i sum = _mm256_setzero_si256();
  int x = 0;
  for (; x + 2 <= width; x += 2) {
    const __m256i pair = element.pair(first + x);
    const __m256i scanned = Element::add(pair, _mm256_permute2x128_si256(pair, pair, kLowToHigh));
    const __m256i below = Element::add(load(above + x), Element::add(sum, scanned));
    store(above + x, below);
    store(row + x, below);
    sum = Element::add(sum, _mm256_permute2x128_si256(scanned, scanned, kHighToBoth));
  }
  if (x < width) {
    typename Element::Pixel last;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&last), _mm256_castsi256_si128(sum));
    row[x] = above[x] += last + element.at(first + x);
  }
}

#endif

template <class Add>
void visitElements(const CpuPicture& picture, const ElementRule& rule, Add&& visit) {
  if (const auto* texels = std::get_if<const uint32_t*>(&picture.texels))
    visit(FixedAsItIs{*texels});
  else if (rule.format == SatFormat::uint32)
    visit(HalfToFixed{std::get<const uint16_t*>(picture.texels), rule.scale, rule.ceiling});
  else
    visit(HalfLessMean{std::get<const uint16_t*>(picture.texels),
                       rule.format == SatFormat::float32Mean ? rule.mean : glm::vec4(0.0f)});
}

}  // namespace

bool hasFastCpuTable() {
#ifdef SATDOF_AVX2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
#else
  return false;
#endif
}

void sumTable(const CpuPicture& picture, const ElementRule& rule, void* table) {
  const auto [width, height] = std::pair(picture.size.x, picture.size.y);
  visitElements(picture, rule, [&](const auto& element) {
    using Pixel = typename std::decay_t<decltype(element)>::Pixel;
    auto* row = static_cast<Pixel*>(table);
    for (ptrdiff_t y = 0; y < height; ++y, row += width) {
      Pixel sum(0);
      for (int x = 0; x < width; ++x) {
        sum += element.at(y * width + x);
        row[x] = y > 0 ? row[x - width] + sum : sum;
      }
    }
  });
}

CpuTableBuilder::CpuTableBuilder(int threads, Instructions instructions)
    : pool_(threads), avx2_(instructions == Instructions::best && hasFastCpuTable()) {}

void CpuTableBuilder::resize(glm::ivec2 size) {
  size_ = size;
  const int bands =
      pool_.threads() == 1 ? 1 : std::min(pool_.threads() * kBandsPerThread, size.y / kMinBandRows);
  bands_ = std::max(bands, 1);
  carries_.resize(static_cast<size_t>(bands_) * static_cast<size_t>(size.x) * sizeof(glm::uvec4));
}

template <class Element>
void CpuTableBuilder::run(const Element& element, glm::ivec2 size, typename Element::Pixel* table) {
  using Pixel = typename Element::Pixel;
  auto add = addRow<Element>;
  auto scan = scanRow<Element>;
#ifdef SATDOF_AVX2
  if (avx2_) add = addRowAvx2<Element>, scan = scanRowAvx2<Element>;
#endif
  const ptrdiff_t width = size.x;
  auto* carries = reinterpret_cast<Pixel*>(carries_.data());
  const auto firstRow = [&](int band) {
    return static_cast<ptrdiff_t>(static_cast<int64_t>(size.y) * band / bands_);
  };

  // carries[b] becomes the column sums of all bands below b, then, in place, the table's rows of band b.
  std::fill_n(carries, width, Pixel(0));
  pool_.forEach(bands_ - 1, [&](int band) {
    Pixel* sums = carries + (band + 1) * width;
    std::fill_n(sums, width, Pixel(0));
    for (ptrdiff_t y = firstRow(band); y < firstRow(band + 1); ++y) add(element, y * width, size.x, sums);
  });
  pool_.forEach((size.x + kCarryColumns - 1) / kCarryColumns, [&](int chunk) {
    const ptrdiff_t begin = chunk * kCarryColumns, end = std::min(begin + kCarryColumns, width);
    for (int band = 2; band < bands_; ++band)
      for (ptrdiff_t x = begin; x < end; ++x) carries[band * width + x] += carries[(band - 1) * width + x];
  });
  pool_.forEach(bands_, [&](int band) {
    Pixel* above = carries + band * width;
    Pixel sum(0);
    for (ptrdiff_t x = 0; x < width; ++x) above[x] = sum += above[x];
    for (ptrdiff_t y = firstRow(band); y < firstRow(band + 1); ++y)
      scan(element, y * width, size.x, above, table + y * width);
  });
}

void CpuTableBuilder::build(const CpuPicture& picture, const ElementRule& rule, void* table) {
  visitElements(picture, rule, [&](const auto& element) {
    using Pixel = typename std::decay_t<decltype(element)>::Pixel;
    run(element, picture.size, static_cast<Pixel*>(table));
  });
}

}  // namespace satdof
