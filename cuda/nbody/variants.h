#pragma once
#include <array>
#include <span>

// The traversals of the gravity tree by name. Also used in builds without CUDA.
namespace satdof {

enum class Traversal { depthFirst, breadthFirst };

struct TraversalInfo {
  Traversal value;
  const char* name;     // as on the command line
  const char* summary;  // what it does and where it comes from
  bool compacts;        // whether a stream compaction is part of it
};

inline constexpr std::array kTraversals = {
    TraversalInfo{Traversal::depthFirst, "depth-first", "one stack per warp, for a group of neighbouring bodies",
                  false},
    TraversalInfo{Traversal::breadthFirst, "breadth-first",
                  "all groups level by level, one stream compaction per level (Billeter et al. 2009, Horn)", true},
};

inline std::span<const TraversalInfo> entries(Traversal) { return kTraversals; }

inline bool compacts(Traversal traversal) {
  for (const TraversalInfo& info : kTraversals)
    if (info.value == traversal) return info.compacts;
  return false;
}

}  // namespace satdof
