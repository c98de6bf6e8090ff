#pragma once
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"

namespace satdof {

// An image to sum, row 0 at the bottom.
//  - GL_RGBA16F: linear light; uint32 tables quantise it to round(clamp(v, 0, ceiling) * scale), see
//  quantise() in
//    shaders/sat/quantisation.glsl. No NaN.
//  - GL_RGBA32UI: already fixed point, summed as it is modulo 2^32 (uint32 tables only).
struct TableSource {
  const gl::Texture* texture = nullptr;
  float scale = 1.0f;    // a power of two: the product with a half float is exact
  float ceiling = 1.0f;  // scale * ceiling * (largest box area) < 2^32, and scale * ceiling <= 2^23
  glm::vec4 mean{0.0f};  // float32-mean tables: subtracted from every texel, handed on as Table::mean
};

// A finished inclusive summed-area table: element (x, y) is the sum over [0, x] x [0, y].
// Box sum of [x0, x1) x [y0, y1) = T(x1-1, y1-1) - T(x0-1, y1-1) - T(x1-1, y0-1) + T(x0-1, y0-1), T(-1, .) =
// T(., -1) = 0.
struct Table {
  GLuint texture = 0;       // GL_RGBA32UI for uint32, GL_RGBA32F otherwise
  glm::ivec2 size{0};       // of the image; the texture is size.yx when transposed
  bool transposed = false;  // element (x, y) is at texel (y, x)
  TableFormat format = TableFormat::uint32;
  float scale = 1.0f;                  // uint32: sums are in units of 1 / scale. 1 for the others
  glm::vec4 mean{0.0f};                // float32-mean: add mean * area to a box sum. 0 for the others
  const gl::Texture* table = nullptr;  // the same texture, for who sums the table again
};

// Builds one table. Owns its texture and all scratch memory, sized by resize().
class TableBuilder {
 public:
  virtual ~TableBuilder() = default;
  // Allocates for images of `size`. Throws std::runtime_error when that fails.
  virtual void resize(glm::ivec2 size) = 0;
  // Sums `source`, which has the size given to resize(). The view stays valid until the next build or resize.
  virtual Table build(const TableSource& source, Timings& timings) = 0;
  // One line for the panel, such as "interop: direct" or "8 threads"; may be empty.
  virtual std::string state() const { return {}; }
};

// What can run here, and why not.
struct Availability {
  bool available = false;
  std::string reason;  // where not available: one sentence. Where available: what it runs on ("NVIDIA H100
                       // 80GB HBM3")
};

// Needs a current context. The answer is found once and kept.
const Availability& availability(DeviceId device);
const Availability& availability(Scan scan);  // these within the CUDA device
const Availability& availability(Compaction compaction);
const Availability& availability(Sort sort);
const Availability& availability(LensOn on);

// The device that `automatic` stands for here: cuda, else on a real GPU gl-compute, else cpu; any other is
// returned as it is.
DeviceId resolve(DeviceId device);

// Makes the device that `technique` names, for tables of `technique.format`. Throws std::runtime_error with
// the reason when it is not available.
std::unique_ptr<TableBuilder> makeTableBuilder(const Technique& technique);

// Whether a change from one technique to the other needs another device object.
bool needsNewTableBuilder(const Technique& from, const Technique& to);

}  // namespace satdof
