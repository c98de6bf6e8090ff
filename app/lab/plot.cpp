#include "app/lab/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace satdof::lab {

namespace {

constexpr std::array kPalette = {
    Colour{66, 133, 214}, Colour{230, 126, 34}, Colour{39, 160, 92},  Colour{192, 57, 72},  Colour{142, 95, 190},
    Colour{0, 160, 170},  Colour{205, 160, 20}, Colour{214, 90, 150}, Colour{120, 130, 60}, Colour{110, 120, 140},
    Colour{70, 90, 200},  Colour{160, 100, 60}, Colour{20, 130, 130}, Colour{240, 100, 90},
};
constexpr glm::ivec2 kPlotSize{880, 640};
constexpr int kColumns = 2;
constexpr float kNarrowInFonts = 45.0f;  // narrower plots have the legend below; in font sizes

struct Theme {
  Colour background, frame, grid, minor, text;
};
constexpr Theme kLight{{255, 255, 255}, {120, 120, 120}, {205, 205, 205}, {232, 232, 232}, {30, 30, 30}};
constexpr Theme kDark{{18, 18, 18, 0}, {130, 130, 130}, {75, 75, 75}, {45, 45, 45}, {225, 225, 225}};

// A logarithmic axis: the values [low, high] map to the pixels [start, end].
struct Axis {
  double low = std::numeric_limits<double>::max(), high = 0;
  float start = 0, end = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen() {
    if (high <= low * 1.0001) {
      low /= 2;
      high *= 2;
    }
  }
  float at(double value) const {
    return start + (end - start) * static_cast<float>(std::log(value / low) / std::log(high / low));
  }
  double decades() const { return std::log10(high / low); }
};

struct Tick {
  double value;
  bool labelled;
};

// Returns ticks at 1, 2, ... 9 times powers of ten. Labels 1; on a short axis 1, 2 and 5.
std::vector<Tick> decimalTicks(const Axis& axis) {
  std::vector<Tick> ticks;
  const bool brief = axis.decades() < 2.2;
  const bool crowded = axis.decades() > 7;
  for (double power = std::pow(10.0, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * power;
      if (value < axis.low * 0.9999 || value > axis.high * 1.0001) continue;
      if (crowded && digit > 1) continue;
      ticks.push_back({value, digit == 1 || (brief && (digit == 2 || digit == 5))});
    }
  return ticks;
}

std::vector<Tick> sizeTicks(const Axis& axis, bool powersOfTwo) {
  if (!powersOfTwo) return decimalTicks(axis);
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::ceil(std::log2(axis.low) - 1e-6));
  const int last = static_cast<int>(std::floor(std::log2(axis.high) + 1e-6));
  const int step = last - first > 8 ? 2 : 1;
  for (int i = first; i <= last; ++i) ticks.push_back({std::exp2(i), (last - i) % step == 0});
  return ticks;
}

std::optional<double> shownValue(const Curve& curve, const Point& point, const Curve* baseline,
                                 const PlotOptions& options) {
  const auto& time = point.time(options.timed);
  if (!time || time->medianUs <= 0) return std::nullopt;
  if (options.shown == Shown::time) return time->medianUs;
  return baseline == nullptr ? std::nullopt : speedUp(*baseline, curve, options.timed, point.x);
}

// Returns the label of a tick with as few digits as needed: "10 us", not "10.0 us".
std::string tickText(double value, Shown shown) {
  if (shown != Shown::time) return numberText(value);
  const char* unit = value >= 1e6 ? " s" : value >= 1e3 ? " ms" : value >= 1 ? " us" : " ns";
  const double scale = value >= 1e6 ? 1e-6 : value >= 1e3 ? 1e-3 : value >= 1 ? 1 : 1e3;
  return numberText(std::round(value * scale * 1e6) / 1e6) + unit;
}

double twoDigits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

// Returns a size rounded to two digits, in the units of the axis.
std::string roughSize(double value, bool powersOfTwo) {
  const double unit = powersOfTwo ? sizeUnit(value) : 1;
  return sizeText(twoDigits(value / unit) * unit, powersOfTwo);
}

struct Legend {
  std::vector<glm::vec2> places;  // baseline starts of the entries
  float right = 0, below = 0;     // width or height that the legend takes from the plot
};

// Lays out a legend with entries of these widths in the rectangle [from, to).
Legend legendOf(std::span<const float> widths, float font, float line, glm::vec2 from, glm::vec2 to) {
  Legend legend;
  if (to.x - from.x >= kNarrowInFonts * font) {
    legend.right = std::min(*std::ranges::max_element(widths), 0.45f * (to.x - from.x));
    const float top = from.y + 2.3f * font + 0.5f * line;
    for (std::size_t i = 0; i < widths.size(); ++i)
      legend.places.emplace_back(to.x - legend.right - 0.4f * font, top + static_cast<float>(i) * line);
    return legend;
  }
  const float most = (to.y - from.y) / 3;
  glm::vec2 place(from.x + 0.5f * font, 0);
  for (const float width : widths) {
    if (place.x + width > to.x && !legend.places.empty()) place = {from.x + 0.5f * font, place.y + line};
    if (place.y + line > most) break;  // the tooltip of a curve also shows its name
    legend.places.push_back(place);
    legend.below = place.y + line;
    place.x += width;
  }
  for (glm::vec2& each : legend.places) each.y += to.y - legend.below + 0.6f * font;
  return legend;
}

// Curves of other machines are dashed.
bool isDashed(const Curve& curve) { return curve.published || !curve.machine.empty(); }

// A curve with at least one point to draw.
struct Drawn {
  const Curve* curve;
  Colour colour;
  std::vector<glm::dvec2> values;              // x and shown value of each point
  std::vector<std::array<double, 2>> spreads;  // shownSpread() of each point
};

// Returns the shown values of the fast and the slow samples of a point, whose median is shown as `value`. Both are
// `value` for points without samples.
std::array<double, 2> shownSpread(const Spread& time, double value, Shown shown) {
  if (time.samples < 2 || time.lowUs <= 0) return {value, value};
  if (shown == Shown::time) return {time.lowUs, time.highUs};
  return {value * time.medianUs / time.lowUs, value * time.medianUs / time.highUs};
}

std::vector<Drawn> curvesOf(const ExperimentResult& result, const PlotOptions& options) {
  const Curve* const baseline = baselineOf(result, options);
  std::vector<Drawn> drawn;
  for (std::size_t i = 0; i < result.curves.size(); ++i) {
    Drawn curve{&result.curves[i], kPalette[i % kPalette.size()], {}, {}};
    for (const Point& point : curve.curve->points)
      if (const auto value = shownValue(*curve.curve, point, baseline, options)) {
        curve.values.emplace_back(point.x, *value);
        curve.spreads.push_back(shownSpread(*point.time(options.timed), *value, options.shown));
      }
    if (!curve.values.empty()) drawn.push_back(std::move(curve));
  }
  return drawn;
}

// Draws the machine and the notes at the lower edge. Returns their height.
float drawNotes(Canvas& canvas, const ExperimentResult& result, const PlotOptions& options, glm::vec2 from,
                glm::vec2 to) {
  const float size = 0.75f * options.fontSize, line = 1.3f * size;
  std::vector<std::string> lines;
  auto notes = spreadNotes(result, options.timed);
  if (!options.machine.empty()) notes.insert(notes.begin(), options.machine);
  for (const auto& [text, curves] : notesOf(result)) {
    std::string& note = notes.emplace_back(text);
    for (const std::string& curve : curves) note.append(&curve == curves.data() ? ". " : "; ").append(curve);
  }
  for (const std::string& note : notes)
    for (std::string& part : wrapped(canvas, note, size, to.x - from.x - 2.0f * options.fontSize))
      lines.push_back(std::move(part));
  const auto most = static_cast<std::size_t>(0.3f * (to.y - from.y) / line);
  if (lines.size() > most) lines.resize(most);
  const float height = line * static_cast<float>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    canvas.text({from.x + options.fontSize, to.y - height + line * (static_cast<float>(i) + 0.6f)}, lines[i], size,
                Anchor::left, (options.dark ? kDark : kLight).text);
  return height;
}

// Draws the error bar of a point at `at`.
void drawSpread(Canvas& canvas, const std::array<double, 2>& spread, const Axis& y, glm::vec2 at, Colour colour,
                float thin) {
  if (spread[0] == spread[1]) return;
  const glm::vec2 low(at.x, y.at(spread[0])), high(at.x, y.at(spread[1])), cap(2.5f * thin, 0.0f);
  for (const auto& [a, b] : {std::pair(low, high), {low - cap, low + cap}, {high - cap, high + cap}}) {
    const glm::vec2 ends[] = {a, b};
    canvas.lines(ends, colour, thin, false);
  }
}

// Draws the grid lines and labels of both axes, and the frame. Skips labels that would overlap. `from`, `to`: the whole
// plot.
void drawGrid(Canvas& canvas, const Axis& x, const Axis& y, bool powersOfTwo, const PlotOptions& options,
              glm::vec2 from, glm::vec2 to) {
  const Theme& theme = options.dark ? kDark : kLight;
  const float font = options.fontSize, thin = font / 13.0f;
  float below = to.y;  // y labels must end above this
  for (const Tick& tick : decimalTicks(y)) {
    const float at = y.at(tick.value);
    const glm::vec2 ends[] = {{x.start, at}, {x.end, at}};
    canvas.lines(ends, tick.labelled ? theme.grid : theme.minor, thin, false);
    if (!tick.labelled || at > below) continue;
    canvas.text({x.start - 0.4f * font, at + 0.35f * font}, tickText(tick.value, options.shown), 0.85f * font,
                Anchor::right, theme.text);
    below = at - font;
  }
  float free = from.x;  // x labels must start to the right of this
  for (const Tick& tick : sizeTicks(x, powersOfTwo)) {
    const float at = x.at(tick.value);
    const glm::vec2 ends[] = {{at, y.start}, {at, y.end}};
    canvas.lines(ends, tick.labelled ? theme.grid : theme.minor, thin, false);
    const std::string label = sizeText(tick.value);
    const float half = 0.5f * canvas.textWidth(label, 0.85f * font);
    if (!tick.labelled || at - half < free) continue;
    canvas.text({at, y.start + 1.2f * font}, label, 0.85f * font, Anchor::centre, theme.text);
    free = at + half + 0.5f * font;
  }
  const glm::vec2 frame[] = {{x.start, y.end}, {x.end, y.end}, {x.end, y.start}, {x.start, y.start}, {x.start, y.end}};
  canvas.lines(frame, theme.frame, thin, false);
}

// Returns the legend entry of a curve, with the size from which it is faster than the baseline.
std::string legendLabel(const Curve& curve, const Curve* baseline, Timed timed, bool powersOfTwo) {
  std::string label = curve.name;
  if (&curve != baseline && baseline != nullptr)
    if (const auto crossing = crossover(*baseline, curve, timed))
      label.append(", faster from ").append(roughSize(*crossing, powersOfTwo));
  return label;
}

// Draws a curve, its points and its crossover with the baseline. Appends the points to `plotted`.
void drawCurve(Canvas& canvas, const Drawn& drawn, const Curve* baseline, const Axis& x, const Axis& y,
               const PlotOptions& options, std::vector<PlottedPoint>& plotted) {
  const Curve& curve = *drawn.curve;
  const float thin = options.fontSize / 13.0f;
  std::vector<glm::vec2> path;
  for (const auto& value : drawn.values) path.emplace_back(x.at(value.x), y.at(value.y));
  canvas.lines(path, drawn.colour, 2.0f * thin, isDashed(curve));
  std::size_t shown = 0;
  for (const Point& point : curve.points) {
    if (shown == drawn.values.size() || drawn.values[shown].x != point.x) continue;
    drawSpread(canvas, drawn.spreads[shown], y, path[shown], drawn.colour, thin);
    canvas.circle(path[shown], curve.published ? 3.5f * thin : 2.6f * thin, drawn.colour,
                  curve.published ? 1.4f * thin : 0.0f);
    plotted.push_back({&curve, &point, path[shown++]});
  }
  if (&curve == baseline || baseline == nullptr) return;
  if (const auto cross = crossover(*baseline, curve, options.timed))
    if (const auto time = timeAt(*baseline, options.timed, *cross))
      canvas.circle({x.at(*cross), y.at(options.shown == Shown::time ? *time : 1.0)}, 6.0f * thin, drawn.colour,
                    2.0f * thin);
}

}  // namespace

std::vector<std::string> wrapped(const Canvas& canvas, const std::string& text, float size, float width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (lines.empty() || canvas.textWidth(lines.back() + " " + word, size) > width)
      lines.push_back(word);
    else
      lines.back() += " " + word;
    at = end + 1;
  }
  return lines;
}

const Curve* baselineOf(const ExperimentResult& result, const PlotOptions& options) {
  const auto hasTimes = [&](const Curve& curve) {
    return std::ranges::any_of(curve.points, [&](const Point& point) { return point.time(options.timed).has_value(); });
  };
  const Curve* first = nullptr;
  for (const Curve& curve : result.curves) {
    if (!hasTimes(curve)) continue;
    if (curve.name == options.baseline) return &curve;
    const bool better = first == nullptr || (first->kind != DeviceKind::processor &&
                                             curve.kind == DeviceKind::processor && !curve.published);
    if (better) first = &curve;
  }
  return first;
}

std::vector<PlottedPoint> drawPlot(Canvas& canvas, const ExperimentResult& result, const PlotOptions& options,
                                   glm::vec2 from, glm::vec2 to) {
  const Theme& theme = options.dark ? kDark : kLight;
  const float font = options.fontSize, line = 1.35f * font;
  auto drawn = curvesOf(result, options);
  if (options.titled) {
    canvas.text({from.x + 0.5f * font, from.y + 1.4f * font}, result.title, 1.15f * font, Anchor::left, theme.text);
    to.y -= drawNotes(canvas, result, options, from, to);
  }
  if (drawn.empty()) {
    canvas.text(0.5f * (from + to), "no times yet", font, Anchor::centre, theme.text);
    return {};
  }

  Axis x, y;
  bool powersOfTwo = true;
  for (const Drawn& each : drawn) {
    for (const auto& value : each.values) {
      x.include(value.x);
      y.include(value.y);
      if (!each.curve->published) powersOfTwo &= isPowerOfTwo(value.x);
    }
    for (const auto& spread : each.spreads)
      for (const double end : spread) y.include(end);
  }

  // Legend entries in the order of the line ends: the slowest curve first.
  std::ranges::stable_sort(drawn, [](const Drawn& a, const Drawn& b) { return a.values.back().y > b.values.back().y; });
  const Curve* const baseline = baselineOf(result, options);
  std::vector<std::string> labels;
  std::vector<float> widths;
  for (const Drawn& each : drawn) {
    labels.push_back(legendLabel(*each.curve, baseline, options.timed, powersOfTwo));
    widths.push_back(canvas.textWidth(labels.back(), 0.85f * font) + 2.2f * font);
  }
  const Legend legend = legendOf(widths, font, line, from, to);

  x.widen();
  y.low /= 1.25;
  y.high *= 1.25;
  x.start = from.x + 5.2f * font;
  x.end = to.x - legend.right - 1.2f * font;
  y.start = to.y - legend.below - 3.4f * font;
  y.end = from.y + (options.titled ? 2.3f : 0.6f) * font;

  drawGrid(canvas, x, y, powersOfTwo, options, from, to);
  std::string what = options.timed == Timed::kernel ? "time of the work alone" : "time with launch, copies and waiting";
  if (options.shown == Shown::speedUp && baseline != nullptr) what = "times as fast as " + baseline->name + ", " + what;
  canvas.text({0.5f * (x.start + x.end), to.y - legend.below - 0.6f * font}, result.axis + "; " + what, 0.85f * font,
              Anchor::centre, theme.text);

  const float thin = font / 13.0f;
  std::vector<PlottedPoint> plotted;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Drawn& each = drawn[i];
    drawCurve(canvas, each, baseline, x, y, options, plotted);
    if (i >= legend.places.size() || legend.places[i].y > to.y) continue;
    const glm::vec2 place = legend.places[i], middle(place.x, place.y - 0.3f * font);
    const glm::vec2 sample[] = {middle, middle + glm::vec2(1.2f * font, 0.0f)};
    canvas.lines(sample, each.colour, 2.0f * thin, isDashed(*each.curve));
    canvas.text({place.x + 1.6f * font, place.y}, labels[i], 0.85f * font, Anchor::left, theme.text);
  }
  return plotted;
}

std::size_t plotCount(std::span<const ExperimentResult> results, const PlotOptions& options) {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const auto& each) { return !curvesOf(each, options).empty(); }));
}

glm::ivec2 plotsSize(std::size_t count) {
  const int plots = std::max(1, static_cast<int>(count));
  return kPlotSize * glm::ivec2(std::min(plots, kColumns), (plots + kColumns - 1) / kColumns);
}

void drawPlots(Canvas& canvas, std::span<const ExperimentResult> results, const PlotOptions& options) {
  const glm::vec2 size(plotsSize(plotCount(results, options)));
  canvas.rectangle({0, 0}, size, (options.dark ? kDark : kLight).background);
  int place = 0;
  for (const ExperimentResult& result : results) {
    if (curvesOf(result, options).empty()) continue;
    const glm::vec2 from(kPlotSize * glm::ivec2(place % kColumns, place / kColumns));
    drawPlot(canvas, result, options, from, from + glm::vec2(kPlotSize));
    ++place;
  }
}

}  // namespace satdof::lab
