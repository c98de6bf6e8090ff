#pragma once
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/core/system/thread_pool.h"
#include "app/device/cpu/compact.h"
#include "app/device/cpu/sort.h"
#include "shaders/bokeh/bokeh.h"

namespace satdof {

// Collects the bokeh sprites of images in main memory: marks the first highlight of each kind in each cell,
// compacts their indices, sorts them by depth and sums the cells.
class CpuBokehSprites {
 public:
  // `threads` includes the caller of collect().
  CpuBokehSprites(int threads, const CpuCompactionInfo& compaction, const CpuSortInfo& sort);

  // Replaces `sprites` by the bokeh sprites of an image, sorted from far to near; sprites of equal depth by row, then
  // column of their first pixels. Returns none if there are more than `capacity`. `colour` (linear light) and `depth`
  // (nearM / z) have size.x
  // * size.y pixels, row 0 at the bottom. Throws std::runtime_error for any other number of pixels. Cost: n reads for n
  //   pixels, and
  // up to 1024 more for each highlight.
  void collect(std::span<const glm::vec4> colour, std::span<const float> depth, glm::ivec2 size, const BokehRule& rule,
               std::size_t capacity, std::vector<BokehSprite>& sprites);

  // Allocates for images of `size`, so that collect() need not.
  void reserve(glm::ivec2 size);

  // Removes the light of the sprites from the image of the last collect(), if it returned sprites.
  void removeLight(std::span<glm::vec4> colour, std::span<const float> depth, const BokehRule& rule);

 private:
  ThreadPool pool_;
  CpuCompactionInfo compaction_;
  CpuSortInfo sort_;
  CpuSortScratch scratch_;
  std::vector<float> radii_;           // of the highlight of each pixel; 0: none
  std::vector<std::uint32_t> firsts_;  // isFirst() of each pixel and parity
  std::vector<char> marked_;           // rows with highlights
  std::vector<std::uint32_t> elements_, depths_;
  std::size_t found_ = 0;
};

}  // namespace satdof
