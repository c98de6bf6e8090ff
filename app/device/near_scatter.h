#pragma once
#include <memory>

#include "app/device/scene_frame.h"
#include "app/device/table.h"
#include "shaders/lens/near_scatter.h"

namespace satdof {

// Scatters the light of pixels over their discs ("spreading": Kosloff, Tao and Barsky 2009). All devices compute the
// same integers.
class NearScatter {
 public:
  virtual ~NearScatter() = default;
  // Allocates for images of `size`. Throws std::runtime_error when memory runs out.
  virtual void resize(glm::ivec2 size) = 0;
  // Returns a uint32 table of the size given to resize(). Its elements are premultiplied colour and coverage of the
  // scattered pixels, in units of 2^-24, modulo 2^32. Valid until the next call.
  virtual Table scatter(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) = 0;
};

using MakeNearScatter = std::unique_ptr<NearScatter>(const TableSpec& spec);

}  // namespace satdof
