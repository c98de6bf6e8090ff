#pragma once
#include <glm/vec2.hpp>
#include <optional>

// Where labels go, without drawing them.
namespace satdof {

// In screen coordinates, y down.
struct Rectangle {
  glm::vec2 from{0.0f}, to{0.0f};
};

bool overlap(const Rectangle& a, const Rectangle& b);

// The upper left corner of a label of `size` beside `keepFree` with this gap: right of it, else left, below or above. Empty
// if the label fits nowhere `within`.
std::optional<glm::vec2> placedBeside(glm::vec2 size, const Rectangle& keepFree, const Rectangle& within,
                                      float gap);

}  // namespace satdof
