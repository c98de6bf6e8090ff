#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/lab/results.h"

// Plots with logarithmic axes. A Canvas makes them equal in the panel, in SVG and in PNG.
namespace satdof::lab {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
};

enum class Anchor { left, centre, right };

// A drawing surface. Coordinates are pixels from the top left; y points down.
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(glm::vec2 from, glm::vec2 to, Colour colour) = 0;
  virtual void lines(std::span<const glm::vec2> points, Colour colour, float width, bool dashed) = 0;
  // A disc, or a ring if `width` is not 0.
  virtual void circle(glm::vec2 centre, float radius, Colour colour, float width) = 0;
  // `at`: the anchor on the baseline of the text.
  virtual void text(glm::vec2 at, const std::string& text, float size, Anchor anchor, Colour colour) = 0;
  virtual float textWidth(const std::string& text, float size) const = 0;
};

// Breaks `text` at spaces into lines of at most `width`.
std::vector<std::string> wrapped(const Canvas& canvas, const std::string& text, float size, float width);

enum class Shown { time, speedUp };

struct PlotOptions {
  Timed timed = Timed::endToEnd;
  Shown shown = Shown::time;
  std::string baseline = {};  // curve for speed-ups and crossovers; empty: baselineOf()
  bool dark = false;
  bool titled = true;        // draw the title, `machine`, spreadNotes() and notesOf()
  std::string machine = {};  // the machine that measured
  float fontSize = 13.0f;
};

// Returns the curve that others are compared with: options.baseline, else the first measured CPU curve with times, else
// the first curve with times. Null if there are no times.
const Curve* baselineOf(const ExperimentResult& result, const PlotOptions& options);

// A point of a plot, for tooltips.
struct PlottedPoint {
  const Curve* curve = nullptr;
  const Point* point = nullptr;
  glm::vec2 at{0};
};

// Draws title, axes, curves with their spreads, crossovers with the baseline, and a legend into the rectangle [from,
// to). The legend is to the right of the plot, or below a narrow plot. Returns the points.
std::vector<PlottedPoint> drawPlot(Canvas& canvas, const ExperimentResult& result, const PlotOptions& options,
                                   glm::vec2 from, glm::vec2 to);

// Returns the size of drawPlots() in pixels for `count` plots.
glm::ivec2 plotsSize(std::size_t count);
// Draws all experiments that have times, in columns, on a background.
void drawPlots(Canvas& canvas, std::span<const ExperimentResult> results, const PlotOptions& options);
// Returns the number of experiments that drawPlots() draws.
std::size_t plotCount(std::span<const ExperimentResult> results, const PlotOptions& options);

}  // namespace satdof::lab
