#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <variant>
#include <vector>

#include "app/core/settings.h"
#include "app/core/thread_pool.h"
#include "shaders/sat/quantisation.h"

// Summed-area tables in memory; nothing here knows OpenGL.
namespace satdof {

// An image of four channels, row after row without padding: half floats (as bits), or fixed point.
struct CpuImage {
  std::variant<const uint16_t*, const uint32_t*> texels;
  glm::ivec2 size{0};
};

// How an image value becomes an element. Fixed-point images are summed as they are.
struct ElementRule {
  TableFormat format = TableFormat::uint32;
  Quantisation quantisation = {};  // the mean is used by float32Mean only
};

// Writes the inclusive table of size.x * size.y * 4 elements, uint32_t or float as the rule's format says:
// T(x, y) = T(x, y - 1) + sum of row y over [0, x]. One thread, one value at a time: the reference.
void sumTable(const CpuImage& image, const ElementRule& rule, void* table);

// The same on all threads with the processor's vector instructions (AVX2 and F16C where it has them).
// The image is cut into upright strips, one a thread. A strip's rows start from the sums that the strip on
// its left has left, so it follows that one a few rows behind. Reads the image once and writes the table
// once, never reading it.
class CpuTableBuilder {
 public:
  enum class Instructions { best, portable };
  // `threads` includes the caller of build().
  explicit CpuTableBuilder(int threads, Instructions instructions = Instructions::best);
  int threads() const { return pool_.threads(); }

  // Sizes the scratch memory. build() allocates nothing.
  void resize(glm::ivec2 size);
  // Writes the table as sumTable() does; `table` is aligned to 16 bytes; rows aligned to 32 are written
  // faster. The image has the size given to resize().
  void build(const CpuImage& image, const ElementRule& rule, void* table);

 private:
  template <class Element>
  void run(const Element& element, glm::ivec2 size, typename Element::Pixel* table);
  const uint32_t* elementsOfHalves(const ElementRule& rule);

  ThreadPool pool_;
  bool avx2_ = false;
  std::vector<uint32_t> elements_;  // without AVX2: of every half, for the last rule
  float elementsScale_ = 0.0f, elementsCeiling_ = 0.0f;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> scratch_;  // the table's last row, then each row's sum so far
  struct alignas(64) Progress {
    std::atomic<int> rows{0};
  };
  std::vector<Progress> finishedRows_;  // of each strip
};

// Whether this processor runs the AVX2 and F16C path.
bool hasFastCpuTable();

}  // namespace satdof
