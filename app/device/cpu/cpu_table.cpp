#include "app/device/cpu/cpu_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/packing.hpp>
#include <memory>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#define SATDOF_AVX2_F16C __attribute__((target("avx2,f16c")))
#endif

namespace satdof {

namespace {

constexpr int kMinStripPixels = 64;
constexpr int kBlockRows = 32;

constexpr std::size_t kHalves = 1 << 16;

// The values of all half floats, by their bits.
const float* halfValues() {
  static const auto values = [] {
    auto table = std::make_unique<std::array<float, kHalves>>();
    for (std::size_t bits = 0; bits < table->size(); ++bits)
      (*table)[bits] = glm::unpackHalf1x16(static_cast<uint16_t>(bits));
    return table;
  }();
  return values->data();
}

#ifdef SATDOF_AVX2_F16C
// glsl::quantise() of eight values.
SATDOF_AVX2_F16C inline __m256i fixed(__m256 v, float scale, float ceiling) {
  const __m256 clamped = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(ceiling));
  return _mm256_cvtps_epi32(_mm256_mul_ps(clamped, _mm256_set1_ps(scale)));
}
#endif

// The elements of a table for a pixel. add() adds the elements of two pixels at once.
struct WordElements {
  using Pixel = glm::uvec4;
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C static __m256i add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
#endif
};
struct FloatElements {
  using Pixel = glm::vec4;
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C static __m256i add(__m256i a, __m256i b) {
    return _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
  }
#endif
};

// Element rules convert pixels to table elements. at(p) returns the element of pixel p. pair(p) returns the
// elements of the pixels p and p + 1, with AVX2.
struct HalfToFixed : WordElements {
  const uint16_t* texels;
  float scale, ceiling;
  const float* values = halfValues();

  Pixel at(ptrdiff_t p) const {
    const uint16_t* t = texels + 4 * p;
    return {glsl::quantise(values[t[0]], scale, ceiling), glsl::quantise(values[t[1]], scale, ceiling),
            glsl::quantise(values[t[2]], scale, ceiling), glsl::quantise(values[t[3]], scale, ceiling)};
  }
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C __m256i pair(ptrdiff_t p) const {
    const __m256 v = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(texels + 4 * p)));
    return fixed(v, scale, ceiling);
  }
#endif
};

struct HalfToFixedByTable : WordElements {
  const uint16_t* texels;
  const uint32_t* elements;  // of every half float

  Pixel at(ptrdiff_t p) const {
    const uint16_t* t = texels + 4 * p;
    return {elements[t[0]], elements[t[1]], elements[t[2]], elements[t[3]]};
  }
};

struct FloatToFixed : WordElements {
  const float* texels;
  float scale, ceiling;

  Pixel at(ptrdiff_t p) const {
    const float* t = texels + 4 * p;
    return {glsl::quantise(t[0], scale, ceiling), glsl::quantise(t[1], scale, ceiling),
            glsl::quantise(t[2], scale, ceiling), glsl::quantise(t[3], scale, ceiling)};
  }
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C __m256i pair(ptrdiff_t p) const { return fixed(_mm256_loadu_ps(texels + 4 * p), scale, ceiling); }
#endif
};

struct FixedPoint : WordElements {
  const uint32_t* texels;

  Pixel at(ptrdiff_t p) const {
    const uint32_t* t = texels + 4 * p;
    return {t[0], t[1], t[2], t[3]};
  }
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C __m256i pair(ptrdiff_t p) const {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(texels + 4 * p));
  }
#endif
};

struct HalfMinusMean : FloatElements {
  const uint16_t* texels;
  glm::vec4 mean;
  const float* values = halfValues();

  Pixel at(ptrdiff_t p) const {
    const uint16_t* t = texels + 4 * p;
    return Pixel(values[t[0]], values[t[1]], values[t[2]], values[t[3]]) - mean;
  }
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C __m256i pair(ptrdiff_t p) const {
    const __m256 v = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(texels + 4 * p)));
    const __m128 m = _mm_setr_ps(mean.x, mean.y, mean.z, mean.w);
    return _mm256_castps_si256(_mm256_sub_ps(v, _mm256_set_m128(m, m)));
  }
#endif
};

struct FloatMinusMean : FloatElements {
  const float* texels;
  glm::vec4 mean;

  Pixel at(ptrdiff_t p) const {
    const float* t = texels + 4 * p;
    return Pixel(t[0], t[1], t[2], t[3]) - mean;
  }
#ifdef SATDOF_AVX2_F16C
  SATDOF_AVX2_F16C __m256i pair(ptrdiff_t p) const {
    const __m128 m = _mm_setr_ps(mean.x, mean.y, mean.z, mean.w);
    return _mm256_castps_si256(_mm256_sub_ps(_mm256_loadu_ps(texels + 4 * p), _mm256_set_m128(m, m)));
  }
#endif
};

// Scans `width` pixels of a row, from pixel `first` of the image on: left += element(x), above[x] += left, row[x] =
// above[x] for each x in turn. `left`: the sum of the row so far. `above`: the row of the table below. scanRowAvx2()
// writes the row past the caches, because it is not read again.
template <class Element, class Pixel = typename Element::Pixel>
void scanRow(const Element& element, ptrdiff_t first, int width, Pixel& left, Pixel* above, Pixel* row) {
  for (int x = 0; x < width; ++x) {
    left += element.at(first + x);
    row[x] = above[x] += left;
  }
}

#ifdef SATDOF_AVX2_F16C

template <class Vector, class Pixel>
Vector* as(Pixel* pixels) {
  return reinterpret_cast<Vector*>(pixels);
}

template <class Element, class Pixel = typename Element::Pixel>
SATDOF_AVX2_F16C void scanRowAvx2(const Element& shared, ptrdiff_t first, int width, Pixel& left, Pixel* above,
                                  Pixel* row) {
  constexpr int kLowToHigh = 0x08, kHighToBoth = 0x11;
  const Element element = shared;
  __m256i sum = _mm256_broadcastsi128_si256(_mm_loadu_si128(as<__m128i>(&left)));
  const int pairs = width / 2 * 2;
  const bool aligned = reinterpret_cast<uintptr_t>(row) % sizeof(__m256i) == 0;
  for (int x = 0; x < pairs; x += 2) {
    __m256i pair = element.pair(first + x);
    pair = Element::add(pair, _mm256_permute2x128_si256(pair, pair, kLowToHigh));
    const __m256i below = Element::add(_mm256_loadu_si256(as<__m256i>(above + x)), Element::add(sum, pair));
    _mm256_storeu_si256(as<__m256i>(above + x), below);
    if (aligned) {
      _mm256_stream_si256(as<__m256i>(row + x), below);
    } else {
      _mm_stream_si128(as<__m128i>(row + x), _mm256_castsi256_si128(below));
      _mm_stream_si128(as<__m128i>(row + x + 1), _mm256_extracti128_si256(below, 1));
    }
    sum = Element::add(sum, _mm256_permute2x128_si256(pair, pair, kHighToBoth));
  }
  _mm_storeu_si128(as<__m128i>(&left), _mm256_castsi256_si128(sum));
  if (pairs < width) scanRow(element, first + pairs, 1, left, above + pairs, row + pairs);
}

#endif

// The mean that the elements subtract.
glm::vec4 meanOf(const ElementRule& rule) {
  return rule.format == TableFormat::float32Mean ? rule.quantisation.mean : glm::vec4(0.0f);
}

}  // namespace

bool hasFastCpuTable() {
#ifdef SATDOF_AVX2_F16C
  return __builtin_cpu_supports("avx2");  // every processor with AVX2 has F16C; clang 14 has no name for F16C
#else
  return false;
#endif
}

void sumTable(const CpuImage& image, const ElementRule& rule, void* table) {
  const auto sum = [&]<class T>(T* elements, auto&& element) {
    const std::size_t pitch = static_cast<std::size_t>(image.size.x) * 4;
    const std::size_t count = pitch * static_cast<std::size_t>(image.size.y);
    T row[4] = {};
    for (std::size_t i = 0; i < count; ++i) {
      if (i % pitch < 4) row[i % 4] = 0;
      row[i % 4] += element(i);
      elements[i] = i < pitch ? row[i % 4] : elements[i - pitch] + row[i % 4];
    }
  };
  const auto* words = std::get_if<const uint32_t*>(&image.texels);
  const auto* floats = std::get_if<const float*>(&image.texels);
  const auto value = [&, values = halfValues()](std::size_t i) {
    return floats != nullptr ? (*floats)[i] : values[std::get<const uint16_t*>(image.texels)[i]];
  };
  if (words != nullptr)
    sum(static_cast<uint32_t*>(table), [&](std::size_t i) { return (*words)[i]; });
  else if (rule.format == TableFormat::uint32)
    sum(static_cast<uint32_t*>(table),
        [&](std::size_t i) { return glsl::quantise(value(i), rule.quantisation.scale, rule.quantisation.ceiling); });
  else
    sum(static_cast<float*>(table), [&](std::size_t i) { return value(i) - meanOf(rule)[static_cast<int>(i % 4)]; });
}

CpuTableBuilder::CpuTableBuilder(int threads, Instructions instructions)
    : pool_(threads), avx2_(instructions == Instructions::best && hasFastCpuTable()) {}

void CpuTableBuilder::resize(glm::ivec2 size) {
  const auto pixels = static_cast<std::size_t>(size.x + size.y);
  scratch_.resize((pixels * sizeof(glm::uvec4) + sizeof(Line) - 1) / sizeof(Line));
  finishedRows_ =
      std::vector<Progress>(static_cast<std::size_t>(std::clamp(size.x / kMinStripPixels, 1, pool_.threads())));
}

template <class Element>
void CpuTableBuilder::run(const Element& element, glm::ivec2 size, typename Element::Pixel* table) {
  using Pixel = typename Element::Pixel;
  auto scan = scanRow<Element>;
#ifdef SATDOF_AVX2_F16C
  if constexpr (requires { &Element::pair; })
    if (avx2_) scan = scanRowAvx2<Element>;
#endif
  auto* above = reinterpret_cast<Pixel*>(scratch_.data());
  auto* left = above + size.x;
  std::fill_n(above, size.x + size.y, Pixel(0));
  for (auto& progress : finishedRows_) progress.rows = 0;

  const int strips = static_cast<int>(finishedRows_.size());
  const int stripPixels = ((size.x + strips - 1) / strips + 3) / 4 * 4;
  pool_.forEach(strips, [&](int strip) {
    const int x = std::min(strip * stripPixels, size.x), width = std::min(stripPixels, size.x - x);
    auto& finished = finishedRows_[static_cast<std::size_t>(strip)].rows;
    for (int y = 0; y < size.y;) {
      const int end = std::min(y + kBlockRows, size.y);
      if (strip > 0) {
        auto& before = finishedRows_[static_cast<std::size_t>(strip - 1)].rows;
        for (int rows = before; rows < end; rows = before) before.wait(rows);
      }
      for (; y < end; ++y) {
        const ptrdiff_t first = static_cast<ptrdiff_t>(y) * size.x + x;
        scan(element, first, width, left[y], above + x, table + first);
      }
      finished = end;
      finished.notify_one();
    }
#ifdef SATDOF_AVX2_F16C
    _mm_sfence();
#endif
  });
}

const uint32_t* CpuTableBuilder::elementsOfHalves(const ElementRule& rule) {
  if (elements_.empty() || elementsScale_ != rule.quantisation.scale || elementsCeiling_ != rule.quantisation.ceiling) {
    elements_.resize(kHalves);
    std::transform(halfValues(), halfValues() + kHalves, elements_.begin(), [&](float v) {
      // Converting NaN to an integer is undefined; images hold none.
      return std::isnan(v) ? 0u : glsl::quantise(v, rule.quantisation.scale, rule.quantisation.ceiling);
    });
    elementsScale_ = rule.quantisation.scale;
    elementsCeiling_ = rule.quantisation.ceiling;
  }
  return elements_.data();
}

void CpuTableBuilder::build(const CpuImage& image, const ElementRule& rule, void* table) {
  const auto sum = [&](const auto& element) {
    run(element, image.size, static_cast<typename std::decay_t<decltype(element)>::Pixel*>(table));
  };
  if (const auto* words = std::get_if<const uint32_t*>(&image.texels)) return sum(FixedPoint{{}, *words});
  if (const auto* floats = std::get_if<const float*>(&image.texels)) {
    if (rule.format != TableFormat::uint32) return sum(FloatMinusMean{{}, *floats, meanOf(rule)});
    return sum(FloatToFixed{{}, *floats, rule.quantisation.scale, rule.quantisation.ceiling});
  }
  const auto* halves = std::get<const uint16_t*>(image.texels);
  if (rule.format != TableFormat::uint32)
    sum(HalfMinusMean{{}, halves, meanOf(rule)});
  else if (avx2_)
    sum(HalfToFixed{{}, halves, rule.quantisation.scale, rule.quantisation.ceiling});
  else
    sum(HalfToFixedByTable{{}, halves, elementsOfHalves(rule)});
}

}  // namespace satdof
