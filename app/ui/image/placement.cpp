#include "app/ui/image/placement.h"

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

namespace satdof {

bool overlap(const Rectangle& a, const Rectangle& b) {
  return glm::all(glm::lessThan(a.from, b.to)) && glm::all(glm::lessThan(b.from, a.to));
}

std::optional<glm::vec2> placedBeside(glm::vec2 size, const Rectangle& keepFree, const Rectangle& within, float gap) {
  const glm::vec2 last = within.to - size;
  if (glm::any(glm::lessThan(last, within.from))) return std::nullopt;
  const glm::vec2 level = glm::clamp(keepFree.from, within.from, last);
  const glm::vec2 before = keepFree.from - gap - size, behind = keepFree.to + gap;
  for (const glm::vec2 from : {glm::vec2(behind.x, level.y), glm::vec2(before.x, level.y), glm::vec2(level.x, behind.y),
                               glm::vec2(level.x, before.y)})
    if (glm::all(glm::greaterThanEqual(from, within.from)) && glm::all(glm::lessThanEqual(from, last))) return from;
  return std::nullopt;
}

}  // namespace satdof
