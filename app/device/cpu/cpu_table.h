#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <variant>
#include <vector>

#include "app/core/settings.h"
#include "app/core/system/thread_pool.h"
#include "shaders/sat/quantisation.h"

// Summed-area tables in main memory, without OpenGL.
namespace satdof {

// An image of four channels, row after row without padding: half floats (as bits), fixed point, or floats.
struct CpuImage {
  std::variant<const uint16_t*, const uint32_t*, const float*> texels;
  glm::ivec2 size{0};
};

// How an image value becomes a table element. Fixed-point values are elements already.
struct ElementRule {
  TableFormat format = TableFormat::uint32;
  Quantisation quantisation = {};  // only float32Mean reads the mean
};

// Writes the inclusive table of an image, size.x * size.y * 4 elements, uint32_t or float by the format of the rule:
// T(x, y) = T(x, y - 1) + sum of row y over [0, x]. The reference for tests: one thread, one value at a time.
void sumTable(const CpuImage& image, const ElementRule& rule, void* table);

// Builds the table of sumTable() on all threads, with AVX2 and F16C if the CPU has them. The image is cut
// into vertical strips, one for each thread. A strip starts each row with the carry of the strip to its left,
// and stays a few rows behind that strip. Cost: reads the image once and writes the table once.
class CpuTableBuilder {
 public:
  enum class Instructions { best, portable };
  // `threads` includes the caller of build().
  explicit CpuTableBuilder(int threads, Instructions instructions = Instructions::best);
  int threads() const { return pool_.threads(); }

  // Allocates scratch memory. build() does not allocate, except a look-up table on a CPU without AVX2.
  void resize(glm::ivec2 size);
  // Writes the table of sumTable(). The image has the size given to resize(). `table` must be aligned to 16
  // bytes; rows aligned to 32 bytes are written faster.
  void build(const CpuImage& image, const ElementRule& rule, void* table);

 private:
  template <class Element>
  void run(const Element& element, glm::ivec2 size, typename Element::Pixel* table);
  const uint32_t* elementsOfHalves(const ElementRule& rule);

  ThreadPool pool_;
  bool avx2_ = false;
  std::vector<uint32_t> elements_;  // without AVX2: the element of every half float for the rule below
  float elementsScale_ = 0.0f, elementsCeiling_ = 0.0f;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> scratch_;  // the last finished row of the table, then the carry of each row
  struct alignas(64) Progress {
    std::atomic<int> rows{0};
  };
  std::vector<Progress> finishedRows_;  // of each strip
};

// Whether this CPU has AVX2 and F16C.
bool hasFastCpuTable();

}  // namespace satdof
