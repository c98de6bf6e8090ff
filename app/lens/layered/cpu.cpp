#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/core/pixels.h"
#include "app/core/system/abandon.h"
#include "app/core/system/reallocate.h"
#include "app/device/cpu/cpu_scatter.h"
#include "app/device/cpu/cpu_table.h"
#include "app/lens/layered/cpu_discs.h"
#include "app/lens/layered/cpu_focus.h"
#include "app/lens/layered/cpu_pyramids.h"
#include "app/lens/layered/plan.h"
#include "app/lens/run/cpu_graph.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"
#include "shaders/lens/layered/hidden.h"

namespace satdof {

namespace {

constexpr int kTilePx = 16;

// A sum that sumRow() computed before: passes through farSum() of shaders/lens/layered/compose.glsl.
struct DiscSum {
  glm::vec4 sum;
};
SATDOF_INLINE inline glm::vec4 farSum(const DiscSum& made, bool, int, glm::ivec2, glm::ivec2, const glsl::CutDisc&) {
  return made.sum;
}

// Whether the near field hides a whole tile, and whether the background of a hidden tile also reaches no visible pixel.
enum class Covered : unsigned char { no, yes, unneeded };

class CpuLayered final : public CpuBlur {
 public:
  explicit CpuLayered(int threads) : pool_(threads), builder_(threads), scatter_(threads) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    const std::size_t pixels = pixelCount(size);
    reallocate(radii_, pixels);
    reallocate(near_, pixels);
    reallocate(far_, pixels);
    foremost_ = {};
    middle_ = {};
    hidden_ = {};
    blended_ = {};
    hiddenSums_ = {};
    builder_.resize(size);
    scatter_.resize(size);
    fillPyramid_.resize(size);
    farPyramid_.resize(size);
    hiddenPyramid_.resize(size);
    tiles_ = (size + kTilePx - 1) / kTilePx;
    covered_.resize(pixelCount(tiles_));
  }

  void blur(const CpuFrame& frame, std::span<glm::vec4> image, CpuTimings& timings) override {
    const LayeredPlan plan = layeredPlan(frame.lens, frame.facts, !frame.behind.depth.empty());
    if (plan.anyNear) {
      scatter(frame.colour, frame.depth, plan.others, near_, timings);
      if (plan.anyForemost) {
        foremost_.resize(near_.size());
        scatter(frame.colour, frame.depth, plan.foremost, foremost_, timings);
      }
      const auto stage = timings.cpu("fill");
      findRadii(frame.depth, plan.lens);
      fillPyramid_.build(size_, pool_, [&](std::size_t i) {
        const glm::vec4 layer = plan.secondLayer ? frame.behind.colour[i] : glm::vec4(0.0f);
        const float radius = layer.w > 0.0f ? glsl::signedRadius(plan.lens, frame.behind.depth[i]) : 0.0f;
        return glsl::cellOfPixel(glm::vec3(frame.colour[i]), radii_[i], layer, radius, plan.farCeiling);
      });
    } else {
      findRadii(frame.depth, plan.lens);
    }
    findCovered(plan);
    if (plan.secondLayer)
      for (Layer& layer : middle_) layer.resize(near_.size());
    if (plan.anyHidden) drawHidden(frame, plan, timings);
    if (frame.hasBlended()) takeBlended(frame, plan, timings);
    drawBackground(frame, plan, timings);
    if (frame.hasBlended())
      for (Layer& layer : blended_) scatterLayer(layer, plan.scatter, timings);
    for (std::size_t i = 0; plan.anyMiddle && i < middle_.size(); ++i)
      scatterLayer(middle_[i], plan.middleScatter[i], timings);
    sumInPlace(far_, timings);
    compose(frame, plan, image, timings);
  }

 private:
  // Writes radii_.
  void findRadii(std::span<const float> depth, const ThinLens& lens) {
    forEachPixel([&](glm::ivec2, std::size_t i) SATDOF_INLINE { radii_[i] = glsl::signedRadius(lens, depth[i]); });
  }

  // Replaces an image of four words a pixel by its table.
  void sumInPlace(std::vector<glm::uvec4>& words, CpuTimings& timings) {
    const auto stage = timings.cpu("table");
    builder_.build({&words[0].x, size_}, {}, words.data());
  }

  // Scatters an image, and writes the table of the result. `layer`: see CpuScatter::run().
  void scatter(std::span<const glm::vec4> light, std::span<const float> depth, const ScatterRule& rule,
               std::vector<glm::uvec4>& table, CpuTimings& timings, bool layer = false) {
    {
      const auto stage = timings.cpu("scatter");
      scatter_.run(light.data(), depth.data(), rule, &table[0].x, layer);
    }
    sumInPlace(table, timings);
  }

  // A layer that is scattered as a whole, and the table of its scatter. Empty until a frame has the layer.
  struct Layer {
    std::vector<glm::vec4> light;
    std::vector<float> depth;
    std::vector<glm::uvec4> table;

    void resize(std::size_t pixels) {
      light.resize(pixels);
      depth.resize(pixels);
      table.resize(pixels);
    }
  };

  void scatterLayer(Layer& layer, const ScatterRule& rule, CpuTimings& timings) {
    scatter(layer.light, layer.depth, rule, layer.table, timings, true);
  }

  // Copies the blended surfaces to blended_, with their mean depths. Empty pixels get the depth of the focus plane.
  void takeBlended(const CpuFrame& frame, const LayeredPlan& plan, CpuTimings& timings) {
    const auto stage = timings.cpu("background");
    const float focus = glsl::depthOfRadius(plan.lens, 0.0f);
    for (Layer& layer : blended_) layer.resize(near_.size());
    forEachPixel([&](glm::ivec2, std::size_t i) SATDOF_INLINE {
      for (std::size_t side = 0; side < blended_.size(); ++side) {
        const CpuBlended& from = side == 0 ? frame.back : frame.front;
        const glm::vec4 depths = from.depth[i];
        blended_[side].light[i] = from.colour[i];
        blended_[side].depth[i] = depths.w > glsl::kMinOpacity ? depths.x / depths.w : focus;
      }
    });
  }

  // Scatters the hidden near field, and builds the pyramid of its sums.
  void drawHidden(const CpuFrame& frame, const LayeredPlan& plan, CpuTimings& timings) {
    {
      const auto stage = timings.cpu("background");
      hidden_.resize(near_.size());
      hiddenSums_.resize(near_.size());
      forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
        const bool needed = covered_[tile.index] != Covered::unneeded;
        forEachPixelOf(tile, [&](glm::ivec2 p, std::size_t i) SATDOF_INLINE {
          glsl::HiddenNear pixel{{}, -plan.lens.beta / plan.lens.alpha, {}};
          if (needed)
            pixel = glsl::hiddenNear(FillRadii{&fillPyramid_}, plan.lens, glm::vec2(p) + 0.5f, radii_[i],
                                     frame.behind.colour[i], frame.behind.depth[i]);
          hidden_.light[i] = pixel.light;
          hidden_.depth[i] = pixel.depth;
          hiddenSums_[i] = pixel.sums;
        });
      });
      hiddenPyramid_.build(size_, pool_, [&](std::size_t pixel) { return hiddenSums_[pixel]; });
    }
    scatterLayer(hidden_, plan.scatter, timings);
  }

  // Writes covered_. A hidden tile is unneeded if all tiles are hidden that its widest disc reaches.
  void findCovered(const LayeredPlan& plan) {
    std::ranges::fill(covered_, Covered::no);
    if (!plan.anyNear) return;
    forEachTile([&](const PixelTile& tile) {
      if (fillPyramid_.allNear(tile, plan.nearPx) && hidden(tile, plan.anyForemost))
        covered_[tile.index] = Covered::yes;
    });
    const float widestPx = std::max(glsl::signedRadius(plan.lens, 0.0f), plan.nearPx);
    const int reach = 1 + static_cast<int>(widestPx * std::max(1.0f, plan.lens.anamorphicRatio) + 2.0f) / kTilePx;
    for (int y = 0; y < tiles_.y; ++y)
      for (int x = 0; x < tiles_.x; ++x)
        if (coveredAround({x, y}, reach)) covered_[tileAt({x, y})] = Covered::unneeded;
  }

  // Whether the near field hides all pixels of a tile inside a near body: see nearCoverage() in compose.glsl.
  bool hidden(const PixelTile& tile, bool anyForemost) const {
    for (int y = tile.from.y; y < tile.to.y; ++y)
      for (std::size_t i = pixelAt({tile.from.x, y}), end = pixelAt({tile.to.x - 1, y}) + 1; i < end; ++i)
        if (static_cast<float>(near_[i].w + (anyForemost ? foremost_[i].w : 0u)) <
            glsl::kInsideTo * glsl::scatterScale())
          return false;
    return true;
  }

  // Whether all tiles within `reach` tiles are hidden.
  bool coveredAround(glm::ivec2 tile, int reach) const {
    const glm::ivec2 from = glm::max(tile - reach, glm::ivec2(0)), to = glm::min(tile + reach, tiles_ - 1);
    for (int y = from.y; y <= to.y; ++y)
      for (int x = from.x; x <= to.x; ++x)
        if (covered_[tileAt({x, y})] == Covered::no) return false;
    return true;
  }

  // Replaces frame.colour and radii_ by the background and its radii. Writes the image of the far table and the middle
  // layers.
  void drawBackground(const CpuFrame& frame, const LayeredPlan& plan, CpuTimings& timings) {
    const auto stage = timings.cpu("background");
    const glsl::BackgroundRule rule = backgroundRule(plan, frame.hasBlended());
    const bool plain = rule.secondLayer == 0 && rule.anyBlended == 0;
    if (!plan.anyMiddle)
      farPyramid_.build(size_, pool_, [&](std::size_t pixel) { return glsl::farCellOfPixel(radii_[pixel]); });
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      if (covered_[tile.index] == Covered::unneeded) return clear(tile);
      FillBehind fill{&fillPyramid_};
      const float least = leastRadius(tile);
      if (!plan.secondLayer && glsl::hiddenPart(least) > 0.0f) fill.firstLevel = fillPyramid_.firstLevel(tile, least);
      forEachPixelOf(tile, [&](glm::ivec2 p, std::size_t i) SATDOF_INLINE {
        if (plain)
          drawBackground<true>(fill, frame, rule, p, i);
        else
          drawBackground<false>(fill, frame, rule, p, i);
      });
    });
  }

  // Draws the background at pixel p, of index i. kPlain: there is no second layer and no blended surface.
  template <bool kPlain>
  SATDOF_INLINE void drawBackground(const FillBehind& fill, const CpuFrame& frame, glsl::BackgroundRule rule,
                                    glm::ivec2 p, std::size_t i) {
    if (kPlain) rule.secondLayer = rule.anyHidden = rule.anyMiddle = rule.anyBlended = 0;
    glsl::PixelSurfaces surfaces{glm::vec3(frame.colour[i]), radii_[i], {}, 0.0f, {}, 0.0f};
    if (rule.secondLayer != 0) {
      surfaces.second = frame.behind.colour[i];
      surfaces.secondRadius = glsl::signedRadius(rule.lens, frame.behind.depth[i]);
    }
    if (rule.anyBlended != 0) {
      surfaces.blended = blended_[0].light[i];
      surfaces.blendedRadius = std::abs(glsl::signedRadius(rule.lens, blended_[0].depth[i]));
    }
    const glsl::Background drawn =
        glsl::backgroundOf(fill, FillRadii{&fillPyramid_}, MeanLevels{&farPyramid_}, rule, p, surfaces);
    frame.colour[i] = glm::vec4(drawn.colour, 1.0f);
    radii_[i] = drawn.radius;
    far_[i] = drawn.far;
    if (rule.anyBlended != 0) blended_[0].light[i] = drawn.blended;
    if (rule.anyMiddle == 0) return;
    for (std::size_t k = 0; k < middle_.size(); ++k) {
      middle_[k].light[i] = drawn.middle[k].light;
      middle_[k].depth[i] = glsl::depthOfRadius(rule.lens, drawn.middle[k].radius);
    }
  }

  // Writes the values of a tile whose background is unneeded.
  void clear(const PixelTile& tile) {
    forEachPixelOf(tile, [&](glm::ivec2, std::size_t i) {
      far_[i] = glm::uvec4(0);
      radii_[i] = 0.0f;
      for (Layer* layer : {&middle_[0], &middle_[1], &blended_[0]})
        if (!layer->light.empty()) layer->light[i] = glm::vec4(0.0f);
    });
  }

  // The least radius in a tile, at most 0.
  float leastRadius(const PixelTile& tile) const {
    float least = 0.0f;
    forEachPixelOf(tile, [&](glm::ivec2, std::size_t i) { least = std::min(least, radii_[i]); });
    return least;
  }

  void compose(const CpuFrame& frame, const LayeredPlan& plan, std::span<glm::vec4> image, CpuTimings& timings) {
    const auto stage = timings.cpu("lens");
    const glsl::ComposeRule rule = composeRule(plan, frame.hasBlended(), glsl::kShowImage);
    const float widest = *std::ranges::max_element(radii_);
    const Discs discs(size_, plan.scatter.steps, plan.lens.anamorphicRatio, glsl::discIndex(widest) + 1);
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      const FillRadii fillRadii{&fillPyramid_, plan.anyNear && fillPyramid_.allNear(tile, plan.nearPx)};
      const bool seen = covered_[tile.index] == Covered::no;
      std::optional<FocusTile<kTilePx>> focus;
      if (seen && FocusTile<kTilePx>::anySoft(plan.focus, radii_, size_, tile.from))
        focus.emplace(plan.focus, frame.colour, radii_, size_, tile.from);
      for (int y = tile.from.y; y < tile.to.y; ++y) {
        const std::size_t first = pixelAt({tile.from.x, y}), count = static_cast<std::size_t>(tile.to.x - tile.from.x);
        std::array<glsl::FocusLayer, kTilePx> layers{};
        std::array<Float4, kTilePx> sums{};
        if (focus)
          focus->gather(y - tile.from.y, layers);
        else if (seen)
          for (std::size_t i = 0; i < count; ++i)
            layers[i] = glsl::focusAlone(glm::vec3(frame.colour[first + i]), radii_[first + i]);
        if (seen && rule.aperture.catEye > 0.0f)
          sumCutRow(rule, {tile.from.x, y}, std::span(layers).first(count), sums);
        else if (seen)
          sumRow(discs, {tile.from.x, y}, std::span(layers).first(count), sums);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t pixel = first + i;
          const glm::ivec2 p(tile.from.x + static_cast<int>(i), y);
          image[pixel] = glsl::composed(
              fillRadii, MeanLevels{&hiddenPyramid_}, DiscSum{{sums[i][0], sums[i][1], sums[i][2], sums[i][3]}}, false,
              rule, p, size_, glm::vec3(frame.colour[pixel]), radii_[pixel], layers[i], layersAt(rule, p));
        }
      }
    });
  }

  // The layers over the far field at pixel p.
  SATDOF_INLINE glsl::FrontLayers layersAt(const glsl::ComposeRule& rule, glm::ivec2 p) const {
    const std::size_t pixel = pixelAt(p);
    glsl::FrontLayers layers{};
    if (rule.anyMiddle != 0) {
      layers.first = scattered(middle_[0].table[pixel]);
      layers.second = scattered(middle_[1].table[pixel]);
    }
    if (rule.anyNear != 0) layers.near = scattered(near_[pixel]);
    if (rule.anyHidden != 0) layers.hidden = scattered(hidden_.table[pixel]);
    if (rule.anyForemost != 0) layers.foremost = scattered(foremost_[pixel]);
    if (rule.anyBlended != 0) {
      layers.back = blendedAt(0, rule.lens, p);
      layers.ownBack = blended_[0].light[pixel];
      layers.front = blendedAt(1, rule.lens, p);
    }
    return layers;
  }

  // A blurred layer of blended surfaces at pixel p, premultiplied.
  SATDOF_INLINE glm::vec4 blendedAt(std::size_t side, const ThinLens& lens, glm::ivec2 p) const {
    const Layer& layer = blended_[side];
    const std::size_t pixel = pixelAt(p);
    const float r = -std::abs(glsl::signedRadius(lens, layer.depth[pixel]));
    return glsl::blendedLayer(lens, p, size_, scattered(layer.table[pixel]), layer.light[pixel], r);
  }

  // farSum() of shaders/lens/layered/compose.glsl for the pixels from p on. Leaves out pixels that show no far field.
  // Takes two neighbours at once if they have the same discs.
  SATDOF_INLINE void sumRow(const Discs& discs, glm::ivec2 p, std::span<const glsl::FocusLayer> layers,
                            std::array<Float4, kTilePx>& sums) const {
    const SumTable<Uint4> table(far_.data(), size_);
    const SumTable<Uint8> pairs(far_.data(), size_);
    std::array<float, kTilePx> radii;
    for (std::size_t i = 0; i < layers.size(); ++i) radii[i] = glsl::farRadius(layers[i], radii_[pixelAt(p) + i]);
    for (std::size_t i = 0; i < layers.size(); ++i, ++p.x) {
      if (glsl::farShare(layers[i]) <= 0.0f) continue;
      const int n = glsl::discIndex(radii[i]);
      const float outer = glsl::discBlend(radii[i]);
      if (i + 1 < layers.size() && glsl::discIndex(radii[i + 1]) == n && discs.inside(size_, p, 2, n + 1)) {
        const Uint8 inner2 = discs.sumInside(pairs, p, n), outer2 = discs.sumInside(pairs, p, n + 1);
        sums[i] = blended(first(inner2), first(outer2), outer);
        sums[i + 1] = blended(second(inner2), second(outer2), glsl::discBlend(radii[i + 1]));
        ++i, ++p.x;
      } else {
        sums[i] = blended(discs.sum(table, p, n), discs.sum(table, p, n + 1), outer);
      }
    }
  }

  // As sumRow() where a second stop cuts the discs: each pixel has its own.
  SATDOF_INLINE void sumCutRow(const glsl::ComposeRule& rule, glm::ivec2 p, std::span<const glsl::FocusLayer> layers,
                               std::array<Float4, kTilePx>& sums) const {
    const SumTable<Uint4> table(far_.data(), size_);
    for (std::size_t at = 0; at < layers.size(); ++at, ++p.x) {
      if (glsl::farShare(layers[at]) <= 0.0f) continue;
      const float radius = glsl::farRadius(layers[at], radii_[pixelAt(p)]);
      const glsl::CutDisc disc = glsl::cutDisc(rule.aperture, glm::vec2(p) + 0.5f, radius);
      const auto sumOf = [&](int n) SATDOF_INLINE {
        const glm::ivec2 centre = glm::clamp(p - glsl::leaningShift(disc, n), glm::ivec2(0), size_ - 1);
        const auto half = [&](int i) SATDOF_INLINE { return glsl::stairHalf(rule.steps, i, n, disc.ratio); };
        return discSum(table, centre, rule.steps, half);
      };
      const int n = glsl::discIndex(disc.radius);
      sums[at] = blended(sumOf(n), sumOf(n + 1), glsl::discBlend(disc.radius));
    }
  }

  // The sum over a disc of fractional radius from those over two staircase discs.
  SATDOF_INLINE static Float4 blended(Uint4 inner, Uint4 outer, float blend) {
    return toFloat(inner) * (1.0f - blend) + toFloat(outer) * blend;
  }

  // Colour and coverage of an element of the table of a scatter.
  SATDOF_INLINE static glm::vec4 scattered(const glm::uvec4& words) {
    glm::vec4 sum;
    storeVector(&sum, toFloat(loadVector<Uint4>(&words)) * (1.0f / glsl::scatterScale()));
    return sum;
  }

  std::size_t tileAt(glm::ivec2 tile) const { return pixelIndex(tiles_, tile); }
  std::size_t pixelAt(glm::ivec2 p) const { return pixelIndex(size_, p); }

  // Calls task(tile) for all tiles of the image, on all threads.
  template <class Task>
  void forEachTile(const Task& task) {
    pool_.forEach((size_.y + kTilePx - 1) / kTilePx, [&](int row) {
      throwIfAbandoned();  // large images take seconds
      vectorised([&]() SATDOF_INLINE {
        glm::ivec2 from(0, row * kTilePx);
        for (; from.x < size_.x; from.x += kTilePx)
          task(PixelTile{from, glm::min(from + kTilePx, size_), tileAt(from / kTilePx)});
      });
    });
  }

  // Calls task(p, index of p) for all pixels of a tile, row by row.
  template <class Task>
  SATDOF_INLINE void forEachPixelOf(const PixelTile& tile, const Task& task) const {
    for (int y = tile.from.y; y < tile.to.y; ++y) {
      std::size_t i = pixelAt({tile.from.x, y});
      for (int x = tile.from.x; x < tile.to.x; ++x, ++i) task(glm::ivec2(x, y), i);
    }
  }

  // The same for all pixels of the image, on all threads.
  template <class Task>
  void forEachPixel(const Task& task) {
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE { forEachPixelOf(tile, task); });
  }

  ThreadPool pool_;
  CpuTableBuilder builder_;
  CpuScatter scatter_;
  FillPyramid fillPyramid_;
  MeanPyramid farPyramid_, hiddenPyramid_;
  glm::ivec2 size_{0}, tiles_{0};
  std::vector<Covered> covered_;        // by tile
  std::vector<float> radii_;            // of the scene, then of the background
  std::vector<glm::uvec4> near_, far_;  // images, then their tables; near_: without the foremost layer
  std::vector<glm::uvec4> foremost_;    // empty until a frame has a foremost layer
  std::array<Layer, glsl::kMiddleLayers> middle_;
  Layer hidden_;                  // near surfaces of the second layer
  std::array<Layer, 2> blended_;  // blended surfaces behind, in front of the focus plane
  std::vector<glm::vec3> hiddenSums_;
};

}  // namespace

std::unique_ptr<CpuBlur> makeCpuLayeredBlur(int threads) { return std::make_unique<CpuLayered>(threads); }

}  // namespace satdof
