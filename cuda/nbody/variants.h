#pragma once
#include <array>
#include <span>

// The traversals of the gravity tree by name. Also used by builds without CUDA.
namespace satdof {

enum class Traversal { depthFirst, breadthFirst };

struct TraversalInfo {
  Traversal value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
};

inline constexpr std::array kTraversals = {
    TraversalInfo{Traversal::depthFirst, "depth-first",
                  "one stack a warp, for a group of neighbouring bodies"},
    TraversalInfo{Traversal::breadthFirst, "breadth-first",
                  "all groups level by level, one stream compaction a level (Billeter et al. 2009, Horn)"},
};

inline std::span<const TraversalInfo> entries(Traversal) { return kTraversals; }

}  // namespace satdof
