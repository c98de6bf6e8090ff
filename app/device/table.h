#pragma once
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <string>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "shaders/sat/quantisation.h"

namespace satdof {

// An image to sum, row 0 at the bottom.
//  - GL_RGBA16F: linear light, no NaN. uint32 tables quantise it by shaders/sat/quantisation.glsl.
//  - GL_RGBA32UI: fixed point, summed modulo 2^32 (uint32 tables only).
struct TableSource {
  const gl::Texture* texture = nullptr;
  // Only float32-mean tables subtract its mean, which they return as Table::mean.
  Quantisation quantisation = {};
};

// An inclusive summed-area table T: element (x, y) is the sum over [0, x] x [0, y]. The sum over the box [x0, x1) x
// [y0, y1) is T(x1-1, y1-1) - T(x0-1, y1-1) - T(x1-1, y0-1) + T(x0-1, y0-1), where T(-1, .) = T(., -1) = 0.
struct Table {
  const gl::Texture* texture = nullptr;  // GL_RGBA32UI for uint32, else GL_RGBA32F; null: no table
  glm::ivec2 size{0};                    // of the image; the texture has size.yx if transposed
  bool transposed = false;               // element (x, y) is at texel (y, x)
  TableFormat format = TableFormat::uint32;
  float scale = 1.0f;    // of uint32 tables: sums are in units of 1 / scale; 1 for other formats
  glm::vec4 mean{0.0f};  // of float32-mean tables: add mean * area to a box sum; 0 for other formats
};

// Builds tables of images of one size. Owns its textures and scratch memory.
class TableBuilder {
 public:
  virtual ~TableBuilder() = default;
  // Allocates for images of `size`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Returns the table of `source`, which has the size given to resize(). Valid until the next build() or resize().
  virtual Table build(const TableSource& source, Timings& timings) = 0;
  // One line for the panel, such as "interop: direct" or "8 threads"; may be empty.
  virtual std::string state() const { return {}; }
};

using MakeTableBuilder = std::unique_ptr<TableBuilder>(const TableSpec& spec);

// The internal format of a table's texture.
inline GLenum internalFormat(TableFormat format) { return format == TableFormat::uint32 ? GL_RGBA32UI : GL_RGBA32F; }

// Describes the untransposed table of `source` in `texture`.
inline Table describeTable(const gl::Texture& texture, TableFormat format, const TableSource& source) {
  Table table{.texture = &texture, .size = texture.size(), .format = format};
  if (format == TableFormat::uint32) table.scale = source.quantisation.scale;
  if (format == TableFormat::float32Mean) table.mean = source.quantisation.mean;
  return table;
}

}  // namespace satdof
