#include "library/src/filter.h"

#include <algorithm>

namespace satdof::cpu {

RadiusRange rangeOf(const Image<const float>& radius) {
  std::vector<RadiusRange> ofRow(static_cast<std::size_t>(radius.height));
  withPool(radius.rowElements() * ofRow.size(), [&](ThreadPool& pool) {
    pool.forEach(radius.height, [&](int y) {
      RadiusRange range;
      for (int x = 0; x < radius.width; ++x) {
        const float r = radius.row(y)[x];
        if (!(r >= 0.0f)) range.least = r;
        range.most = std::max(range.most, r);
      }
      ofRow[static_cast<std::size_t>(y)] = range;
    });
  });
  RadiusRange all;
  for (const RadiusRange& range : ofRow) {
    if (!(range.least >= 0.0f)) all.least = range.least;
    all.most = std::max(all.most, range.most);
  }
  return all;
}

}  // namespace satdof::cpu
