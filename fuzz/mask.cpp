// The mask of a filter as JSON. An accepted mask has finite weights; the product of its factors gives the
// weights.
#include "app/filter/mask.h"

#include <cmath>

#include "app/core/usage_error.h"
#include "fuzz/fuzz.h"

using namespace satdof;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const FilterMask mask = parseMask(fuzz::textOf(data, size), "mask.json");
    fuzz::require(mask.width % 2 == 1 && mask.width <= kMaxMaskSide, "the width is odd and within limits");
    fuzz::require(mask.height % 2 == 1 && mask.height <= kMaxMaskSide, "the height is odd and within limits");
    fuzz::require(mask.weights.size() == static_cast<std::size_t>(mask.width * mask.height), "one weight a pixel");
    fuzz::require(std::isfinite(mask.offset), "the offset is finite");
    float largest = 0;
    for (const float weight : mask.weights) {
      fuzz::require(std::isfinite(weight), "weights are finite");
      largest = std::max(largest, std::abs(weight));
    }
    for (std::size_t i = 0; mask.separable() && i < mask.weights.size(); ++i) {
      const std::size_t x = i % mask.x.size(), y = i / mask.x.size();
      const double product = static_cast<double>(mask.x[x]) * static_cast<double>(mask.y[y]);
      fuzz::require(std::abs(product - mask.weights[i]) <= 2 * kSeparableTolerance * largest + 1e-30,
                    "the product of the factors is the weight");
    }
    (void)filterPlan(mask, FilterForm::automatic);
  } catch (const UsageError& error) {
    fuzz::requireReadable(error.what());
  }
  return 0;
}
