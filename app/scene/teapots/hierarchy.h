#pragma once
#include <cstdint>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/scene/teapots/layout.h"

namespace satdof {

// Children of a node: two halves along x of two halves along z.
inline constexpr uint32_t kFanOut = 4;
// Nodes at which a traversal starts, and children that it tests first: a workgroup of cull.comp, so every
// step has work for all its threads.
inline constexpr uint32_t kRoots = 64, kCullThreads = 256;
// 256 children, 1024, 4096, 16384 teapots: enough for kMaxTeapots.
inline constexpr size_t kMaxCullLevels = 4;
static_assert(kRoots * kFanOut == kCullThreads &&
              (kCullThreads << (2 * (kMaxCullLevels - 1))) >= kMaxTeapots);

// Bounding spheres of the teapots with their shadows, and of 4, 16, 64 ... teapots that stand together. The
// tree is implicit: the children of node i of level k + 1 are the nodes kFanOut i + c of level k that exist.
// Level 0 is the teapots. The spheres contain a teapot at any time: teapots turn, and their spheres are
// centred on the axis.
class Hierarchy {
 public:
  // Sorts and bounds the first `count` teapots of layout.h, at most kMaxTeapots. O(n log^2 n).
  void build(int count);

  // Children and sphere of the nodes of one level: spheres()[first + i].
  struct Level {
    uint32_t first, size;
  };
  // From the teapots up, until at most kCullThreads nodes are left.
  std::span<const Level> levels() const { return levels_; }
  // Centre and radius in metres.
  std::span<const glm::vec4> spheres() const { return spheres_; }
  // Teapots in the order of level 0.
  std::span<const Teapot> teapots() const { return teapots_; }

 private:
  std::vector<Level> levels_;
  std::vector<glm::vec4> spheres_;
  std::vector<Teapot> teapots_;
};

}  // namespace satdof
