#include "app/scene/layout.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <numbers>

namespace satdof {

namespace {

// Uniform in [0, 1): PCG-RXS-M-XS of the index and a stream number.
float random(int index, uint32_t stream) {
  uint32_t state = (static_cast<uint32_t>(index) * 31u + stream) * 747796405u + 2891336453u;
  state = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return static_cast<float>(((state >> 22) ^ state) >> 8) / 16777216.0f;
}

struct Glaze {
  glm::vec3 base, ornament;
};
constexpr std::array kGlazes = {
    Glaze{{0.78f, 0.74f, 0.66f}, {0.06f, 0.12f, 0.38f}},  // white with cobalt
    Glaze{{0.05f, 0.22f, 0.24f}, {0.70f, 0.52f, 0.24f}},  // petrol with ochre
    Glaze{{0.52f, 0.09f, 0.05f}, {0.80f, 0.62f, 0.36f}},  // oxblood with sand
    Glaze{{0.20f, 0.36f, 0.22f}, {0.74f, 0.72f, 0.56f}},  // celadon with cream
    Glaze{{0.64f, 0.38f, 0.10f}, {0.22f, 0.07f, 0.03f}},  // honey with umber
    Glaze{{0.06f, 0.08f, 0.22f}, {0.62f, 0.66f, 0.72f}},  // midnight with silver
};

// A fan of rows, row k further back and 1 + 4k/5 wide: the row and the column of a teapot.
struct Place {
  int row, column, columns;
};
Place placeOf(int index) {
  int row = 0;
  for (;; ++row) {
    const int columns = 1 + 4 * row / 5;
    if (index < columns) return {row, index, columns};
    index -= columns;
  }
}

}  // namespace

Teapot teapotAt(int index, double timeS) {
  constexpr float kSpacingM = 0.72f;
  const auto place = placeOf(index);
  const auto jitter = [&](uint32_t stream) { return 0.36f * (random(index, stream) - 0.5f); };
  Teapot teapot;
  teapot.position = {kSpacingM * (float(place.column) - 0.5f * float(place.columns - 1) + jitter(0)), 0.0f,
                     kSpacingM * (1.0f - float(place.row) + jitter(1))};
  const double turnsPerS = 0.02 + 0.03 * random(index, 2);
  const double turns = random(index, 3) + (index % 2 == 0 ? turnsPerS : -turnsPerS) * timeS;
  teapot.angle = static_cast<float>((turns - std::floor(turns)) * 2 * std::numbers::pi);
  const auto& glaze = kGlazes[static_cast<size_t>(index) % kGlazes.size()];
  teapot.glaze = glaze.base;
  teapot.ornament = glaze.ornament;
  return teapot;
}

}  // namespace satdof
