#pragma once
#include <glm/vec2.hpp>
#include <string>

namespace satdof {

enum class Icon { start, before, play, pause, after, loop, record, curve, key, copy, cross };

// A square button with an icon.
bool iconButton(const char* id, Icon icon, const std::string& help, bool on = false, bool enabled = true);

// Draws the diamond of a field: no keys (grey), keys at other times only (hollow), a key at the playhead (filled), or
// such a key with another value than the settings (half filled).
enum class Diamond { none, elsewhere, here, changed };
void drawDiamond(glm::vec2 at, float radius, Diamond state);

}  // namespace satdof
