#include "app/trace/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/core/text/formatted.h"
#include "app/lab/canvases.h"

namespace satdof::trace {

namespace {

using lab::Anchor;
using lab::Canvas;
using lab::Colour;

constexpr Colour kText{225, 225, 225}, kFaint{140, 145, 150}, kGround{24, 26, 29}, kEmpty{40, 43, 47},
    kHeld{62, 68, 76}, kFresh{66, 86, 110}, kRead{70, 150, 245}, kWritten{240, 160, 50}, kAtomic{170, 110, 230},
    kConflict{230, 65, 60}, kLane{80, 190, 120}, kLine{90, 96, 104}, kAggregate{120, 88, 40}, kInclusive{40, 110, 66};
constexpr unsigned kBanks = 32, kTileColumns = 16;
constexpr float kWidestCell = 3.2f, kWidestTileCell = 5.5f;  // in fonts
constexpr float kMinText = 0.5f, kCountersWidth = 16.0f;     // in fonts
const Buffer kRegister{.name = "", .elementBytes = 4};
constexpr float kLeftPart = 0.64f;  // of the width, left of source and counters

Colour colourOf(TileState state) {
  return state == TileState::invalid ? kEmpty : state == TileState::aggregate ? kAggregate : kInclusive;
}

Colour colourOf(StepKind kind) { return kind == StepKind::read ? kRead : kind == StepKind::write ? kWritten : kAtomic; }

// Returns the text, with its end replaced by "..." if it is wider than `width`.
std::string cut(const Canvas& canvas, std::string text, float size, float width) {
  if (canvas.textWidth(text, size) <= width) return text;
  while (!text.empty() && canvas.textWidth(text + "...", size) > width) text.pop_back();
  return text + "...";
}

void line(Canvas& canvas, glm::vec2 from, glm::vec2 to, Colour colour, float width = 1.0f) {
  const std::array points{from, to};
  canvas.lines(points, colour, width, false);
}

class Drawer {
 public:
  Drawer(Canvas& canvas, const Player& player, const DrawOptions& options)
      : canvas_(canvas), player_(player), options_(options), font_(options.fontSize) {}

  Drawn draw(glm::vec2 from, glm::vec2 to) {
    const float gap = 0.5f * font_;
    if (!options_.title.empty()) {
      text({from.x, from.y + font_}, options_.title, kText, to.x - from.x, 1.15f);
      from.y += 1.7f * font_;
    }
    const bool beside = options_.counters || options_.source;
    const float right = options_.source ? (1 - kLeftPart) * (to.x - from.x) : kCountersWidth * font_;
    const glm::vec2 leftTo(beside ? to.x - right : to.x, to.y - 2.4f * font_);
    ruler({from.x, to.y - 1.9f * font_}, to);
    if (beside) sidebar({leftTo.x + 2 * gap, from.y}, {to.x, leftTo.y});
    text({from.x, from.y + font_}, lastStep(), kText, leftTo.x - from.x);
    from.y += 1.6f * font_;
    from.y = blocks(from, leftTo.x - from.x);
    const float height = leftTo.y - from.y;
    from.y = memory(from, leftTo.x - from.x, 0.55f * height);
    from.y = lanes(from, leftTo.x - from.x, 0.15f * height) + gap;
    dataFlow(from, leftTo);
    return std::move(drawn_);
  }

 private:
  void text(glm::vec2 at, const std::string& text, Colour colour, float width, float scale = 1.0f,
            Anchor anchor = Anchor::left) {
    canvas_.text(at, cut(canvas_, text, scale * font_, width), scale * font_, anchor, colour);
  }

  std::string lastStep() const {
    const Step* const step = player_.step();
    return step == nullptr ? "Before the first step" : stepText(player_.trace(), *step);
  }

  // The methods below draw from `from` on, and return the y at which the drawing ends.

  // A cell for each block of the launch, coloured by its progress; a frame around the block of the last step.
  float blocks(glm::vec2 from, float width) {
    const auto all = player_.blocks();
    if (all.size() < 2) return from.y;
    const std::string label = "Blocks: " + std::to_string(all.size()) + ", green: running, grey: done";
    text({from.x, from.y + font_}, label, kFaint, width, 0.85f);
    from.y += 1.3f * font_;
    const float cell = std::min(width / static_cast<float>(all.size()), kWidestCell * font_);
    const Step* const step = player_.step();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const glm::vec2 low = from + glm::vec2(cell * static_cast<float>(i), 0);
      const glm::vec2 high = low + glm::vec2(cell, 0.9f * font_);
      const float gap = cell > 4 ? 0.5f : 0.0f;
      if (step != nullptr && step->block == i) canvas_.rectangle(low - 1.0f, high + 1.0f, kWritten);
      canvas_.rectangle(low + gap, high - gap,
                        all[i] == Progress::waits  ? kEmpty
                        : all[i] == Progress::runs ? kLane
                                                   : kHeld);
      if (cell < 2 * font_) continue;
      canvas_.text({0.5f * (low.x + high.x), high.y - 0.2f * font_}, std::to_string(i), 0.7f * font_, Anchor::centre,
                   kText);
    }
    return from.y + 1.3f * font_;
  }

  // All buffers of the launch.
  float memory(glm::vec2 from, float width, float height) {
    const auto buffers = player_.buffers();
    if (buffers.empty()) return from.y;
    float rows = 0;
    for (const std::uint32_t buffer : buffers) rows += static_cast<float>(rowsOf(buffer));
    const float labels = 1.3f * font_ * static_cast<float>(buffers.size());
    const float rowHeight = std::clamp((height - labels) / rows, 3.0f, 1.25f * font_);
    const auto most =
        static_cast<unsigned>(std::max(1.0f, (height - labels) / rowHeight / static_cast<float>(buffers.size())));
    const bool all = rows * rowHeight <= height - labels + 1;
    for (const std::uint32_t buffer : buffers) {
      const unsigned rowsHere = rowsOf(buffer);
      // Numbers in short buffers stay legible beside long ones.
      const float rowHere = rowsHere <= 2 ? std::max(rowHeight, 1.1f * font_) : rowHeight;
      from.y = grid(buffer, from, width, rowHere, all ? rowsHere : std::min(most, rowsHere));
    }
    return from.y + 0.3f * font_;
  }

  unsigned columnsOf(std::uint32_t buffer) const {
    if (player_.trace().buffers[buffer].space == Space::shared)
      return kBanks * 4 / std::min(kBanks * 4, player_.trace().buffers[buffer].elementBytes);
    if (player_.trace().buffers[buffer].holdsTileWords) return kTileColumns;
    unsigned columns = kBanks;
    while (player_.elements(buffer) > 16 * columns && columns < 256) columns *= 2;
    return columns;
  }
  unsigned rowsOf(std::uint32_t buffer) const {
    const unsigned columns = columnsOf(buffer);
    return std::max(1u, (player_.elements(buffer) + columns - 1) / columns);
  }

  // Returns the elements of the buffer that the last step has accessed so far.
  std::set<std::uint32_t> accessed(std::uint32_t buffer) const {
    std::set<std::uint32_t> found;
    const Step* const step = player_.step();
    if (step == nullptr || !step->isAccess() || step->buffer != buffer) return found;
    const unsigned bytes = player_.trace().buffers[buffer].elementBytes;
    for (const Lane& lane : player_.lanesDone())
      for (std::uint32_t at = lane.offset / bytes; at * bytes < lane.offset + step->bytes; ++at) found.insert(at);
    return found;
  }

  float grid(std::uint32_t index, glm::vec2 from, float width, float rowHeight, unsigned shownRows) {
    const Buffer& buffer = player_.trace().buffers[index];
    const unsigned columns = columnsOf(index), count = player_.elements(index), rows = rowsOf(index);
    const auto touched = accessed(index);
    const Step* const step = player_.step();
    const bool shared = buffer.space == Space::shared;
    std::array<unsigned, kBanks> loads{};
    if (shared)
      for (const std::uint32_t element : touched) ++loads[element * buffer.elementBytes / 4 % kBanks];
    unsigned firstRow = 0;
    if (!touched.empty() && shownRows < rows) firstRow = std::min(*touched.begin() / columns, rows - shownRows);
    std::string label = buffer.name + ": " + std::to_string(count) + (count == 1 ? " element of " : " elements of ") +
                        (shared ? "shared memory, a column a bank" : "global memory");
    if (buffer.holdsTileWords)
      label = buffer.name + ": a word a tile. A: its own sum (aggregate), P: the sum up to its end (inclusive prefix)";
    if (shownRows < rows) label += ", row " + std::to_string(firstRow + 1) + " on";
    std::string warning;
    if (shared && !touched.empty() && step->passes > 1)
      warning = "conflict: " + std::to_string(step->passes) + " words in one bank";
    const float warningWidth = warning.empty() ? 0.0f : canvas_.textWidth(warning, 0.85f * font_) + font_;
    text({from.x, from.y + font_}, label, kFaint, width - warningWidth, 0.85f);
    text({from.x + width, from.y + font_}, warning, kConflict, width, 0.85f, Anchor::right);
    from.y += 1.3f * font_;
    const float widest = (buffer.holdsTileWords ? kWidestTileCell : kWidestCell) * font_;
    const glm::vec2 cell(std::min(width / static_cast<float>(columns), widest), rowHeight);
    const Grid grid{
        index, from, cell, columns, firstRow * columns, std::min(count - firstRow * columns, shownRows * columns)};
    drawn_.grids.push_back(grid);
    const float inset = cell.x > 6 && cell.y > 6 ? 0.5f : 0.0f;
    for (unsigned i = 0; i < grid.count; ++i) {
      const unsigned element = grid.first + i;
      const glm::vec2 low = from + cell * glm::vec2(i % columns, i / columns);
      const auto value = player_.value(index, element);
      const bool now = touched.contains(element);
      const bool conflict = now && shared && loads[element * buffer.elementBytes / 4 % kBanks] > 1;
      const Colour colour = conflict                                      ? kConflict
                            : now                                         ? colourOf(step->kind)
                            : !value                                      ? kEmpty
                            : buffer.holdsTileWords                       ? colourOf(tileStateOf(*value))
                            : player_.writer(index, element) == kNoWriter ? kHeld
                                                                          : kFresh;
      canvas_.rectangle(low + inset, low + cell - inset, colour);
      if (!value || cell.y < 0.8f * font_) continue;
      const bool bright = now && !conflict && step->kind == StepKind::write;
      number(low + 0.5f * cell, valueText(*value, buffer), cell.x, bright);
    }
    return from.y + cell.y * static_cast<float>(shownRows) + 0.3f * font_;
  }

  // A number, as large as it fits into a cell of this width; nothing if it would be too small to read. `bright`: the
  // cell is.
  void number(glm::vec2 centre, const std::string& number, float width, bool bright) {
    const float size = std::min(0.75f * font_, (width - 2) / canvas_.textWidth(number, 1.0f));
    if (size < kMinText * font_) return;
    canvas_.text({centre.x, centre.y + 0.36f * size}, number, size, Anchor::centre, bright ? kGround : kText);
  }

  // A row a warp, a cell a lane.
  float lanes(glm::vec2 from, float width, float height) {
    const unsigned warps = player_.warps();
    const Step* const step = player_.step();
    if (warps == 0 || step == nullptr) return from.y;
    text({from.x, from.y + font_},
         "Lanes, a row a warp, with the word that each read or wrote last; green: in this step", kFaint, width, 0.85f);
    from.y += 1.3f * font_;
    const glm::vec2 cell(std::min(width / kBanks, kWidestCell * font_),
                         std::clamp((height - 1.3f * font_) / static_cast<float>(warps), 3.0f, 1.1f * font_));
    const auto shown = std::min(warps, static_cast<unsigned>(std::max(1.0f, height / cell.y)));
    std::uint32_t active = 0;
    for (const Lane& lane : player_.lanesDone()) active |= 1u << lane.lane;
    if (step->kind == StepKind::lanes && active == 0) active = ~0u;
    for (unsigned warp = 0; warp < shown; ++warp)
      for (unsigned lane = 0; lane < kBanks; ++lane) {
        const bool waits = step->kind == StepKind::barrier;
        const bool lit = !waits && step->warp == warp && (active >> lane & 1) != 0;
        const glm::vec2 low = from + cell * glm::vec2(lane, warp);
        canvas_.rectangle(low + 0.5f, low + cell - 0.5f, lit ? kLane : waits ? kHeld : kEmpty);
        if (const auto word = player_.lastWord(warp, lane); word && cell.y > 0.8f * font_)
          number({low.x + 0.5f * cell.x, low.y + 0.5f * cell.y}, valueText(*word, kRegister), cell.x, lit);
      }
    return from.y + cell.y * static_cast<float>(shown) + 0.3f * font_;
  }

  // The data-flow graph of the buffer with the most edges: elements from left to right, time from top to bottom.
  void dataFlow(glm::vec2 from, glm::vec2 to) {
    const auto edges = player_.edges();
    text({from.x, from.y + font_},
         std::string("What was computed from what: ") + (player_.rows() == player_.trace().counts.launches.size()
                                                             ? "a row a launch"
                                                             : "a row between two barriers"),
         kFaint, to.x - from.x, 0.85f);
    from.y += 1.6f * font_;
    if (to.y - from.y < 2 * font_) return;
    std::vector<std::size_t> counts(player_.trace().buffers.size());
    for (const Edge& edge : edges) ++counts[edge.buffer];
    if (counts.empty() || edges.empty()) return;
    const auto buffer = static_cast<std::uint32_t>(std::ranges::max_element(counts) - counts.begin());
    const auto placeOf = [&](float element, float row) {
      return glm::vec2(
          from.x + (element + 0.5f) *
                       std::min((to.x - from.x) / static_cast<float>(player_.elements(buffer)), kWidestCell * font_),
          from.y + row * (to.y - from.y) / static_cast<float>(player_.rows()));
    };
    const float dot = std::clamp(placeOf(1, 0).x - placeOf(0, 0).x, 1.0f, 0.5f * font_) * 0.4f;
    for (const Edge& edge : edges) {
      if (edge.buffer != buffer) continue;
      const bool now = edge.row == player_.row() || edge.row + 1 == player_.row();
      const auto row = static_cast<float>(edge.row);
      const glm::vec2 end = placeOf(static_cast<float>(edge.to), row + 1);
      line(canvas_, placeOf(static_cast<float>(edge.from), row), end, now ? kWritten : kLine, now ? 1.5f : 1.0f);
      if (dot > 1) canvas_.circle(end, dot, now ? kWritten : kLine, 0);
    }
  }

  void ruler(glm::vec2 from, glm::vec2 to) {
    drawn_.rulerFrom = from;
    drawn_.rulerTo = {to.x, from.y + 0.9f * font_};
    canvas_.rectangle(from, drawn_.rulerTo, kEmpty);
    const float width = to.x - from.x;
    const auto x = [&](std::size_t position) {
      return from.x +
             width * static_cast<float>(position) / static_cast<float>(std::max<std::size_t>(1, player_.end()));
    };
    canvas_.rectangle(from, {x(player_.position()), drawn_.rulerTo.y}, kFresh);
    float last = -10;
    for (const std::size_t barrier : player_.barriers()) {
      if (x(barrier) - last < 2) continue;
      last = x(barrier);
      line(canvas_, {last, from.y + 0.45f * font_}, {last, drawn_.rulerTo.y}, kFaint);
    }
    for (const std::size_t start : player_.launchStarts())
      line(canvas_, {x(start), from.y}, {x(start), drawn_.rulerTo.y}, kText, 1.5f);
    line(canvas_, {x(player_.position()), from.y}, {x(player_.position()), drawn_.rulerTo.y}, kWritten, 2.0f);
    text({from.x, drawn_.rulerTo.y + 0.9f * font_},
         "Step " + std::to_string(player_.position()) + " of " + std::to_string(player_.end()) +
             "; short lines: barriers, long lines: launches. This step: blue is read, orange written, violet "
             "atomic, red in conflict. Dull blue: written before",
         kFaint, width, 0.85f);
  }

  // The counters, and the source lines around the last step.
  void sidebar(glm::vec2 from, glm::vec2 to) {
    const float width = to.x - from.x, row = 1.35f * font_;
    const auto entry = [&](const std::string& label, const std::string& value, Colour colour = kText) {
      from.y += row;
      text(from, label, kFaint, width - canvas_.textWidth(value, font_) - 0.5f * font_);
      canvas_.text({to.x, from.y}, value, font_, Anchor::right, colour);
    };
    if (options_.counters) {
      const Tally& tally = player_.tally();
      const auto& launches = player_.trace().counts.launches;
      if (!launches.empty()) {
        const LaunchInfo& launch = launches[player_.launch()];
        from.y += row;
        text(from,
             "Launch " + std::to_string(player_.launch() + 1) + " of " + std::to_string(launches.size()) + ": " +
                 launch.kernel,
             kText, width);
        entry("blocks x threads", std::to_string(launch.grid.count()) + " x " + std::to_string(launch.block.count()));
      }
      from.y += row;
      text(from, "So far, of warps, in all launches:", kText, width);
      entry("shared memory: accesses", std::to_string(tally.sharedAccesses));
      entry("turns of its banks (passes)", std::to_string(tally.sharedPasses),
            tally.sharedPasses > tally.sharedAccesses ? kConflict : kText);
      entry("global memory: accesses", std::to_string(tally.globalAccesses));
      entry("sectors of 32 bytes", std::to_string(tally.globalSectors));
      entry("barriers", std::to_string(tally.barriers));
      entry("shuffles and votes", std::to_string(tally.laneExchanges));
      entry("atomics", std::to_string(tally.atomics));
      entry("lanes of an access", formatted("%.1f of 32", tally.meanLanes()));
      const Request& request = player_.trace().counts.request;
      if (const ScanTheory& theory = kernelNamed(request.kernel).theory; theory.additionsOf != nullptr)
        entry("additions by theory", std::to_string(std::lround(theory.additionsOf(request.elements))));
      from.y += row;
    }
    const Step* const step = player_.step();
    const auto file = player_.sourceLines();
    if (step == nullptr || !options_.source || file.empty()) return;
    const Source& source = player_.trace().sources[step->source];
    from.y += row;
    text(from, source.file + ":" + std::to_string(source.line), kText, width);
    from.y += 0.5f * font_;
    const auto lines = static_cast<int>((to.y - from.y) / row);
    const int all = static_cast<int>(file.size());
    const int first = std::clamp(source.line - 1 - lines / 2, 0, std::max(0, all - lines));
    for (int i = first; i < std::min(first + lines, all); ++i) {
      const bool here = i == source.line - 1;
      if (here) canvas_.rectangle({from.x, from.y + 0.1f * font_}, {to.x, from.y + row}, kFresh);
      from.y += row;
      text({from.x + 0.3f * font_, from.y - 0.3f * font_}, file[static_cast<std::size_t>(i)], here ? kText : kFaint,
           width - 0.6f * font_, 0.85f);
    }
  }

  Canvas& canvas_;
  const Player& player_;
  const DrawOptions& options_;
  float font_;
  Drawn drawn_;
};

void drawImage(Canvas& canvas, const Show& show, const std::string& text) {
  constexpr glm::vec2 kMargin{40, 30};
  constexpr float kTextSize = 24.0f;
  const auto count = static_cast<float>(show.players().size());
  const float fontSize = show.players().size() == 1 ? 20.0f : 16.0f;
  canvas.rectangle({0, 0}, kImageSize, kGround);
  glm::vec2 from = kMargin;
  const glm::vec2 to = glm::vec2(kImageSize) - kMargin;
  for (const std::string& words : lab::wrapped(canvas, text, kTextSize, to.x - from.x)) {
    from.y += 1.3f * kTextSize;
    canvas.text(from, words, kTextSize, Anchor::left, kText);
  }
  if (!text.empty()) from.y += kTextSize;
  const float width = (to.x - from.x + kMargin.x) / count;
  for (const Player& player : show.players()) {
    drawMoment(
        canvas, player,
        {.fontSize = fontSize, .title = titleOf(player.trace().counts.request), .source = show.players().size() == 1},
        from, {from.x + width - kMargin.x, to.y});
    from.x += width;
  }
}

}  // namespace

std::string titleOf(const Request& request) {
  return request.kernel + (request.whatIf == WhatIf::nothing ? "" : std::string(", ") + rowOf(request.whatIf).name);
}

Drawn drawMoment(lab::Canvas& canvas, const Player& player, const DrawOptions& options, glm::vec2 from, glm::vec2 to) {
  return Drawer(canvas, player, options).draw(from, to);
}

std::optional<Hit> hitTest(const Drawn& drawn, glm::vec2 point) {
  for (const Grid& grid : drawn.grids) {
    const glm::vec2 at = (point - grid.from) / grid.cell;
    if (at.x < 0 || at.y < 0 || at.x >= static_cast<float>(grid.columns)) continue;
    const unsigned index = static_cast<unsigned>(at.y) * grid.columns + static_cast<unsigned>(at.x);
    if (index < grid.count) return Hit{grid.buffer, grid.first + index};
  }
  return {};
}

std::string svgOf(const Show& show, const std::string& text) {
  lab::SvgCanvas canvas(kImageSize);
  drawImage(canvas, show, text);
  return canvas.document();
}

std::string pngOf(const Show& show, const std::string& text) {
  lab::RasterCanvas canvas(kImageSize, 1.0f);
  drawImage(canvas, show, text);
  return canvas.png();
}

std::vector<std::uint8_t> rgbOf(const Show& show, const std::string& text) {
  lab::RasterCanvas canvas(kImageSize, 1.0f);
  drawImage(canvas, show, text);
  return canvas.rgb();
}

}  // namespace satdof::trace
