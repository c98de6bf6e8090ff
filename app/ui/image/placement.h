#pragma once
#include <glm/vec2.hpp>
#include <optional>

// Placement of labels, without drawing.
namespace satdof {

// A rectangle in screen coordinates, y down.
struct Rectangle {
  glm::vec2 from{0.0f}, to{0.0f};
};

bool overlap(const Rectangle& a, const Rectangle& b);

// Returns the upper left corner of a label of `size` with a gap to `keepFree`: to its right, else left, below or above.
// None if the label fits nowhere `within`.
std::optional<glm::vec2> placedBeside(glm::vec2 size, const Rectangle& keepFree, const Rectangle& within, float gap);

}  // namespace satdof
