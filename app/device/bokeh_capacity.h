#pragma once

namespace satdof {

inline constexpr unsigned kBokehCapacity = 1 << 16;  // sprites

}  // namespace satdof
