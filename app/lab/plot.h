#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/lab/results.h"

// Plots with logarithmic axes, drawn through a Canvas: the same in a panel, in SVG and in PNG.
namespace satdof::lab {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
};

enum class Anchor { left, centre, right };

// Pixels from the top left, y down.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(glm::vec2 from, glm::vec2 to, Colour colour) = 0;
  virtual void lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) = 0;
  // A disc, or a ring if `width` is not 0.
  virtual void circle(glm::vec2 centre, float radius, Colour colour, float width) = 0;
  // `at` is on the baseline.
  virtual void text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) = 0;
  virtual float textWidth(const std::string& text, float size) const = 0;
};

// `text` in lines of at most `width`, broken at spaces.
std::vector<std::string> wrapped(const Canvas& canvas, const std::string& text, float size, float width);

enum class Shown { time, speedUp };

struct PlotOptions {
  Timed timed = Timed::endToEnd;
  Shown shown = Shown::time;
  std::string baseline = {};  // of speed-ups and crossovers; empty: baselineOf()
  bool dark = false;
  bool titled = true;  // with the title, `machine`, spreadNotes() and notesOf(); else the caller shows them
  std::string machine = {};  // that measured
  float fontSize = 13.0f;
};

// The curve that others are compared with: the first of the processor that has times, else the first with times.
// Null: there are no times.
const Curve* baselineOf(const ExperimentResult& result, const PlotOptions& options);

// A point of a plot, for tooltips.
struct PlottedPoint {
  const Curve* curve = nullptr;
  const Point* point = nullptr;
  glm::vec2 at{0};
};

// Draws title, axes, curves with the spread of their points, crossovers with the baseline and a legend into [from, to). The legend is right of the plot,
// or below a narrow plot. Returns the points.
std::vector<PlottedPoint> drawPlot(Canvas& canvas, const ExperimentResult& result, const PlotOptions& options,
                                   glm::vec2 from, glm::vec2 to);

// Returns the size in pixels of drawPlots().
glm::ivec2 plotsSize(std::size_t count);
// Draws all experiments that have times, in columns, on a background.
void drawPlots(Canvas& canvas, std::span<const ExperimentResult> results, const PlotOptions& options);
// The experiments that drawPlots() draws.
std::size_t plotCount(std::span<const ExperimentResult> results, const PlotOptions& options);

}  // namespace satdof::lab
