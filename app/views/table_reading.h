#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string>

#include "app/core/settings.h"

// The elements of a summed-area table at a pixel and at the corners of the boxes that a lens sums for this pixel, and
// their arithmetic. Without OpenGL.
namespace satdof {

// A box [from, to) with its corners. A corner is the sum from the origin to this corner:
//   C---D      sum over the box = D - B - C + A
//   |   |
//   A---B
struct TableBox {
  enum Corner { a, b, c, d };
  glm::ivec2 from{0}, to{0};
  std::array<glm::uvec4, 4> corners{};

  // Returns the end (x, y) of the sum over [0, x) x [0, y) that the corner holds.
  glm::ivec2 at(Corner corner) const {
    return {corner == b || corner == d ? to.x : from.x, corner == c || corner == d ? to.y : from.y};
  }
  int areaPx() const { return (to.x - from.x) * (to.y - from.y); }
  bool operator==(const TableBox&) const = default;
};

// Elements are the four words of a table texel: integers, or the bits of floats.
struct TableReading {
  TableFormat format = TableFormat::uint32;
  float scale = 1.0f;     // Table::scale
  glm::vec4 mean{0.0f};   // Table::mean
  glm::ivec2 pixel{0};    // under the mouse
  glm::uvec4 element{0};  // table at `pixel`: the sum over [0, x] x [0, y]
  float radiusPx = 0.0f;  // radius of the circle of confusion, negative in front of the focus plane
  bool blurs = false;     // the lens sums boxes here; false in focus, or if the lens sums no boxes of its table
  TableBox inner = {}, outer = {};  // the lens adds both by their weights
  float outerWeight = 0.0f;
  // The lens shows the mean of the boxes; else the mean over another shape of the same area.
  bool isMean = true;
  bool operator==(const TableReading&) const = default;

  // The box with the larger weight.
  const TableBox& box() const { return outerWeight > 0.5f ? outer : inner; }
};

// Returns the sum over a box, D - B - C + A: integers modulo 2^32, floats in the order of additions of
// shaders/sat/box_sum.glsl.
glm::uvec4 sumOver(const TableReading& reading, const TableBox& box);
// Returns an element, or a sum over `areaPx` pixels, in linear light.
glm::vec4 lightOf(const TableReading& reading, const glm::uvec4& element, int areaPx);
// Returns the mean of linear light that the lens shows: of both boxes, by their weights.
glm::vec4 meanOf(const TableReading& reading);

// Returns lines whose columns are separated by tabs: the element in fixed point and in linear light, the corners of the
// box, their sum and its mean.
std::string textOf(const TableReading& reading);

// Marks of a table on an image. Points are 0 to 1 of the image, from the bottom left.
struct TableMarks {
  glm::vec2 origin{0.0f};    // origin of the table
  bool marksOrigin = false;  // the image is the table itself
  // Lower left and upper right corner of the pixel under the mouse, and of TableReading::box().
  std::optional<std::array<glm::vec2, 2>> pixel = {}, box = {};
  bool operator==(const TableMarks&) const = default;
};

// Returns the marks on an image of `size` pixels whose lower left corner is the pixel `cornerPx` of the table.
TableMarks marksOf(const std::optional<TableReading>& reading, bool marksOrigin, glm::ivec2 cornerPx, glm::ivec2 size);

}  // namespace satdof
