#pragma once
#include <cstdint>
#include <glm/vec4.hpp>
#include <span>
#include <vector>

#include "app/scene/teapots/layout.h"

namespace satdof {

// Children of a node: bit 1 of the child is the half along z, bit 0 the half along x.
inline constexpr uint32_t kFanOut = 4;
// A traversal starts at kRoots nodes, whose kCullThreads children occupy all threads of the workgroup of cull.comp.
inline constexpr uint32_t kRoots = 64, kCullThreads = 256;
// 256 children, 1024, 4096, 16384 teapots: enough for kMaxTeapots.
inline constexpr std::size_t kMaxCullLevels = 4;
static_assert(kRoots * kFanOut == kCullThreads && (kCullThreads << (2 * (kMaxCullLevels - 1))) >= kMaxTeapots);

// A hierarchy of bounding spheres of teapots with their shadows. Level 0 has a node for each teapot; a node of level k
// bounds 4^k neighbouring teapots. The tree is implicit: the children of node i are the existing nodes kFanOut i + c of
// the level below. The spheres hold at any time: teapots turn about a vertical axis through the centres of their
// spheres.
class Hierarchy {
 public:
  // Sorts and bounds the first `count` teapots of layout.h, at most kMaxTeapots. O(n log^2 n).
  void build(int count);

  // The nodes of a level: spheres()[first] to spheres()[first + size - 1].
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
