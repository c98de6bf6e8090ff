#pragma once
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/lab/plot.h"
#include "app/trace/show.h"

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
  bool source = true;  // the file of the last step, where it is installed
  bool counters = true;
};

// Draws into [from, to): the memory that the launch uses, shared memory by banks, the lanes of each warp, the network of
// what was computed from what, the ruler with barriers and launches, the source line and the counters.
Drawn drawMoment(lab::Canvas& canvas, const Player& player, const DrawOptions& options, glm::vec2 from,
                 glm::vec2 to);

// "scan/blelloch", or "scan/blelloch, missing-barrier".
std::string titleOf(const Request& request);

// The element at a point.
struct Hit {
  std::uint32_t buffer = 0, element = 0;
};
std::optional<Hit> hit(const Drawn& drawn, glm::vec2 point);

// The players of a show side by side on a dark background, with `text` above them, if any.
inline constexpr glm::ivec2 kPictureSize{1920, 1080};
std::string svgOf(const Show& show, const std::string& text);
std::string pngOf(const Show& show, const std::string& text);
std::vector<std::uint8_t> rgbOf(const Show& show, const std::string& text);  // bottom row first

}  // namespace satdof::trace
