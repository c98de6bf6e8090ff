#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>

#include "app/core/settings.h"

// What a summed-area table holds at a pixel, and at the corners of the boxes that a lens sums for this pixel. Plain values
// and their arithmetic, without OpenGL.
namespace satdof {

// The corners of a box [from, to). Each holds the sum from the origin to this corner:
//   C---D      sum over the box = D - B - C + A
//   |   |
//   A---B
struct TableBox {
  enum Corner { a, b, c, d };
  glm::ivec2 from{0}, to{0};
  std::array<glm::uvec4, 4> corners{};

  // The pixel right of and above a corner: it ends the sum over [0, x) x [0, y).
  glm::ivec2 at(Corner corner) const {
    return {corner == b || corner == d ? to.x : from.x, corner == c || corner == d ? to.y : from.y};
  }
  int areaPx() const { return (to.x - from.x) * (to.y - from.y); }
  bool operator==(const TableBox&) const = default;
};

// Elements are four words, as in the texture of the table: integers, or the bits of floats.
struct TableReading {
  TableFormat format = TableFormat::uint32;
  float scale = 1.0f;     // Table::scale
  glm::vec4 mean{0.0f};   // Table::mean
  glm::ivec2 pixel{0};    // under the mouse
  glm::uvec4 element{0};  // of the table at `pixel`: the sum over [0, x] x [0, y]
  float radiusPx = 0.0f;  // of the circle of confusion, negative in front of the focus plane
  bool blurs =
      false;  // the lens sums boxes here; else the pixel is in focus, or the lens has no box of its table
  TableBox inner = {}, outer = {};  // the lens adds both by their weights
  float outerWeight = 0.0f;
  bool isMean = true;  // the lens shows the mean of the boxes; else another shape of the same area
  bool operator==(const TableReading&) const = default;

  // The box with the larger weight.
  const TableBox& box() const { return outerWeight > 0.5f ? outer : inner; }
};

// D - B - C + A: modulo 2^32, or in the order of additions of shaders/sat/box_sum.glsl.
glm::uvec4 sumOver(const TableReading& reading, const TableBox& box);
// An element, or a sum over `areaPx` pixels, in linear light.
glm::vec4 lightOf(const TableReading& reading, const glm::uvec4& element, int areaPx);
// The mean of linear light that the lens shows: of both boxes, by their weights.
glm::vec4 meanOf(const TableReading& reading);

// Lines with columns, separated by tabs: the elements in fixed point and in linear light, the corners of the box, their sum
// and its mean.
std::string textOf(const TableReading& reading);

// What the window marks on an image with a table. Points are 0 to 1 from the bottom left of the image.
struct TableMarks {
  glm::vec2 origin{0.0f};    // of the table
  bool marksOrigin = false;  // the table itself is shown
  // Of the pixel under the mouse and of TableReading::box().
  std::optional<std::array<glm::vec2, 2>> pixel = {}, box = {};
  bool operator==(const TableMarks&) const = default;
};

// `cornerPx`: the pixel of the table at the lower left corner of the image, whose size is `size`.
TableMarks marksOf(const std::optional<TableReading>& reading, bool marksOrigin, glm::ivec2 cornerPx,
                   glm::ivec2 size);

}  // namespace satdof
