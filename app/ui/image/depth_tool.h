#pragma once
#include <array>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/scene/image/depth_brush.h"

namespace satdof {

// A choice of the depth brush: what clicks on a photograph do.
struct BrushRow {
  std::optional<BrushKind> kind;  // none: clicks focus
  const char *name, *help;
};
inline constexpr std::array kBrushes = {
    BrushRow{std::nullopt, "off", "Clicks focus"},
    BrushRow{BrushKind::same, "same depth as here",
             "Click: the surface, as far as its colour reaches, gets the depth under the mouse"},
    BrushRow{BrushKind::nearer, "pull nearer", "Drag"},
    BrushRow{BrushKind::farther, "push farther", "Drag"},
    BrushRow{BrushKind::smooth, "smooth", "Drag"},
    BrushRow{BrushKind::fill, "fill", "Drag: paints the depth where the drag begins"}};

// The depth brush for photographs. Places are 0 to 1 of the photograph, from its bottom left.
struct DepthTool {
  static constexpr float kMin = 0.002f, kMax = 0.25f;  // limits of the radius
  std::optional<BrushKind> kind;                       // none: clicks focus
  BrushKind last = kBrushes[1].kind.value();           // brush that the key starts
  float radius = 0.03f;                                // in widths of the photograph
  float strength = 0.5f, edge = 0.15f;
  std::vector<glm::vec2> places;      // places of the current stroke since the last frame
  bool begins = false, ends = false;  // the stroke begins with the first place; ends with the last place
  int undoable = 0, redoable = 0;     // number of strokes that undo and redo take before other edits
  bool painted = false;               // strokes were made on the shown depth
  int edits = 0;                      // counts changes of the shown depth
};

}  // namespace satdof
