#pragma once
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/lab/plot.h"
#include "app/trace/show.h"

// Draws the state of a Player on a Canvas: alike in the window, in SVG and in PNG.
namespace satdof::trace {

// Where elements of a buffer are drawn: in rows, from the top left.
struct Grid {
  std::uint32_t buffer = 0;
  glm::vec2 from{0}, cell{0};                  // top left corner, and size of a cell
  unsigned columns = 1, first = 0, count = 0;  // `first`: the element at the top left
};

// What drawMoment() has drawn, for the mouse.
struct Drawn {
  std::vector<Grid> grids;
  glm::vec2 rulerFrom{0}, rulerTo{0};  // corners of the ruler of steps
};

struct DrawOptions {
  float fontSize = 13.0f;
  std::string title = {};
  bool source = true;    // the source lines around the last step, if the file is installed
  bool counters = true;  // the tally so far
};

// Draws into [from, to): the blocks of the launch, its buffers (shared memory by banks), the lanes of each warp, the
// data-flow graph, the ruler of steps with barriers and launches, the source lines and the counters.
Drawn drawMoment(lab::Canvas& canvas, const Player& player, const DrawOptions& options, glm::vec2 from, glm::vec2 to);

// "scan/blelloch", or "scan/blelloch, missing-barrier".
std::string titleOf(const Request& request);

// The element at a point; none: there is no element.
struct Hit {
  std::uint32_t buffer = 0, element = 0;
};
std::optional<Hit> hitTest(const Drawn& drawn, glm::vec2 point);

// Images of kImageSize pixels: the players of a show side by side on a dark background, below `text` if there is any.
inline constexpr glm::ivec2 kImageSize{1920, 1080};
std::string svgOf(const Show& show, const std::string& text);
std::string pngOf(const Show& show, const std::string& text);
std::vector<std::uint8_t> rgbOf(const Show& show, const std::string& text);  // bottom row first

}  // namespace satdof::trace
