#include "app/lens/aperture/image.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <stdexcept>

namespace satdof {

namespace {

// The place from 0 to `side` where rising sums reach `wanted`, linear between two sums.
template <class SumAt>
double placeOf(int side, double wanted, const SumAt& sumAt) {
  int low = 0, high = side;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (sumAt(middle) <= wanted ? low : high) = middle;
  }
  const double before = sumAt(low), within = sumAt(low + 1) - before;
  return low + (within > 0.0 ? std::clamp((wanted - before) / within, 0.0, 1.0) : 0.5);
}

}  // namespace

ApertureImage::ApertureImage(int side, const std::vector<float>& values) : side_(side), sums_(index(side, side) + 1) {
  const double radius = 0.5 * side;
  double moments = 0.0;
  for (int y = 0; y < side; ++y) {
    double row = 0.0;
    for (int x = 0; x < side; ++x) {
      const glm::dvec2 at = (glm::dvec2(x, y) + 0.5) / radius - 1.0;
      const double squared = glm::dot(at, at);
      const double value =
          squared < 1.0
              ? double(
                    values[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) + static_cast<std::size_t>(x)])
              : 0.0;
      row += value;
      moments += value * (squared + 1.0 / (6.0 * radius * radius));
      sum(x + 1, y + 1) = sum(x + 1, y) + row;
    }
  }
  if (!(sums_.back() > 0.0)) throw std::runtime_error("it is black within its circle");
  spread_ = static_cast<float>(std::sqrt(2.0 * moments / sums_.back()));
  constexpr int kCells = glsl::kApertureCells;
  for (int y = 0; y <= kCells; ++y)
    for (int x = 0; x <= kCells; ++x)
      table_.push_back(static_cast<float>(sumAt(glm::dvec2(x, y) * (double(side) / kCells)) / sums_.back()));
}

double ApertureImage::sumAt(glm::dvec2 at) const {
  const glm::ivec2 low = glm::min(glm::ivec2(at), side_ - 1);
  const glm::dvec2 f = at - glm::dvec2(low);
  return glm::mix(glm::mix(sum(low.x, low.y), sum(low.x + 1, low.y), f.x),
                  glm::mix(sum(low.x, low.y + 1), sum(low.x + 1, low.y + 1), f.x), f.y);
}

glm::vec2 ApertureImage::point(glm::dvec2 square) const {
  const double y = placeOf(side_, square.y * sums_.back(), [&](int i) { return sum(side_, i); });
  const int row = std::min(static_cast<int>(y), side_ - 1);
  const auto ofRow = [&](int i) { return sum(i, row + 1) - sum(i, row); };
  const double x = placeOf(side_, square.x * ofRow(side_), ofRow);
  return glm::vec2(glm::dvec2(x, y) * (2.0 / side_) - 1.0);
}

}  // namespace satdof
