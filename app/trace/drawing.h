#pragma once
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/lab/plot.h"
#include "app/trace/player.h"

// A moment of a play, drawn through a Canvas: the same in the window, in SVG and in PNG.
namespace satdof::trace {

// Elements of a buffer in rows, from the top left.
struct Grid {
  std::uint32_t buffer = 0;
  glm::vec2 from{0}, cell{0};
  unsigned columns = 1, first = 0, count = 0;  // `first`: the element at the top left
};

struct Drawn {
  std::vector<Grid> grids;
  glm::vec2 rulerFrom{0}, rulerTo{0};  // the steps from left to right
};

struct DrawOptions {
  float fontSize = 13.0f;
  std::string title = {};
  std::span<const std::string> source = {};  // the lines of the file of the last step; empty: not shown
  bool counters = true;
};

// Draws into [from, to): the memory that the launch uses, shared memory by banks, the lanes of each warp, the network of
// what was computed from what, the ruler with barriers and launches, the source line and the counters.
Drawn drawMoment(lab::Canvas& canvas, const Player& player, const DrawOptions& options, glm::vec2 from,
                 glm::vec2 to);

// The element at a point.
struct Hit {
  std::uint32_t buffer = 0, element = 0;
};
std::optional<Hit> hit(const Drawn& drawn, glm::vec2 point);

// The lines of a source file of the CUDA library, "cuda/scan/tree.cuh"; empty if it is not installed.
std::vector<std::string> sourceLines(const std::string& file);

// A drawing of 1920x1080 pixels on a dark background. `lesson`: text below the title.
std::string svgOf(const Player& player, const std::string& title);
std::string pngOf(const Player& player, const std::string& title);

}  // namespace satdof::trace
