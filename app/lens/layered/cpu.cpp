#include "app/lens/layered/cpu.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/core/reallocate.h"
#include "app/device/cpu/cpu_scatter.h"
#include "app/device/cpu/cpu_table.h"
#include "app/gl/abandon.h"
#include "app/lens/layered/cpu_discs.h"
#include "app/lens/layered/cpu_far.h"
#include "app/lens/layered/cpu_fill.h"
#include "app/lens/layered/cpu_focus.h"
#include "app/lens/layered/plan.h"
#include "shaders/lens/layered/background.h"
#include "shaders/lens/layered/compose.h"
#include "shaders/lens/layered/hidden.h"

namespace satdof {

namespace {

using glsl::kFillLevels;
constexpr int kTilePx = 16;

// Whether the near field hides a tile, and whether no visible pixel gathers from the background there.
enum class Covered : unsigned char { no, yes, unneeded };

class CpuLayered final : public CpuBlur {
 public:
  CpuLayered() : pool_(hardwareThreads()), builder_(hardwareThreads()), scatter_(hardwareThreads()) {}

  void resize(glm::ivec2 size) override {
    size_ = size;
    const size_t pixels = pixelsOf(size);
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
    pyramid_.resize(size);
    farPyramid_.resize(size);
    hiddenPyramid_.resize(size);
    tiles_ = (size + kTilePx - 1) / kTilePx;
    covered_.resize(pixelsOf(tiles_));
  }

  bool draws(const LensInputs& inputs) const override {
    return inputs.scene.opaque == nullptr || inputs.redraw != nullptr;
  }

  std::optional<SceneFrame> secondLayer(const LensInputs& inputs) override {
    const LayeredPlan plan = layeredPlan(inputs.lens, inputs.scene, inputs.redraw != nullptr);
    if (!plan.secondLayer) return {};
    return inputs.redraw->draw({}, inputs.scene.depth);
  }

  void blur(const CpuFrame& frame, const LensInputs& inputs, std::span<glm::vec4> image,
            Timings& timings) override {
    const LayeredPlan plan = layeredPlan(inputs.lens, frame.facts, !frame.behind.depth.empty());
    if (plan.anyNear) {
      scatter(frame, plan.others, near_, timings);
      if (plan.anyForemost) {
        foremost_.resize(near_.size());
        scatter(frame, plan.foremost, foremost_, timings);
      }
      const auto stage = timings.cpu("fill");
      toRadii(frame.depth, plan.lens);
      pyramid_.build(size_, pool_, [&](size_t i) {
        const glm::vec4 layer = plan.secondLayer ? frame.behind.colour[i] : glm::vec4(0.0f);
        const float radius = layer.w > 0.0f ? glsl::signedRadius(plan.lens, frame.behind.depth[i]) : 0.0f;
        return glsl::cellOfPixel(glm::vec3(frame.colour[i]), radii_[i], layer, radius, plan.farCeiling);
      });
    } else {
      toRadii(frame.depth, plan.lens);
    }
    findCovered(plan);
    if (plan.secondLayer)
      for (Layer& layer : middle_) layer.resize(near_.size());
    if (plan.anyHidden) drawHidden(frame, plan, timings);
    if (frame.hasPanes()) takePanes(frame, plan, timings);
    drawBackground(frame, plan, timings);
    if (frame.hasPanes())
      for (Layer& layer : blended_) scatterLayer(layer, plan.scatter, timings);
    for (size_t i = 0; plan.anyMiddle && i < middle_.size(); ++i)
      scatterLayer(middle_[i], plan.middleScatter[i], timings);
    sumInPlace(far_, timings);
    compose(frame, plan, image, timings);
  }

 private:
  void toRadii(std::span<const float> depth, const ThinLens& lens) {
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      for (int y = tile.from.y; y < tile.to.y; ++y)
        for (size_t i = pixelAt({tile.from.x, y}), end = pixelAt({tile.to.x - 1, y}) + 1; i < end; ++i)
          radii_[i] = glsl::signedRadius(lens, depth[i]);
    });
  }

  void sumInPlace(std::vector<glm::uvec4>& words, Timings& timings) {
    const auto stage = timings.cpu("table");
    builder_.build({&words[0].x, size_}, {}, words.data());
  }

  // Writes the table of a scatter.
  void scatter(const CpuFrame& frame, const ScatterRule& rule, std::vector<glm::uvec4>& table,
               Timings& timings) {
    {
      const auto stage = timings.cpu("scatter");
      scatter_.run(frame.colour.data(), frame.depth.data(), rule, &table[0].x);
    }
    sumInPlace(table, timings);
  }

  // Pixels that are all scattered, and the table of their scatter. Empty until an image has a second layer.
  struct Layer {
    std::vector<glm::vec4> light;
    std::vector<float> depth;
    std::vector<glm::uvec4> table;

    void resize(size_t pixels) {
      light.resize(pixels);
      depth.resize(pixels);
      table.resize(pixels);
    }
  };

  void scatterLayer(Layer& layer, const ScatterRule& rule, Timings& timings) {
    {
      const auto stage = timings.cpu("scatter");
      scatter_.run(layer.light.data(), layer.depth.data(), rule, &layer.table[0].x, true);
    }
    sumInPlace(layer.table, timings);
  }

  // The blended surfaces as layers that are scattered. Empty pixels are in focus.
  void takePanes(const CpuFrame& frame, const LayeredPlan& plan, Timings& timings) {
    const auto stage = timings.cpu("background");
    const float focus = glsl::depthOfRadius(plan.lens, 0.0f);
    for (Layer& layer : blended_) layer.resize(near_.size());
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      for (int y = tile.from.y; y < tile.to.y; ++y)
        for (size_t i = pixelAt({tile.from.x, y}), end = pixelAt({tile.to.x - 1, y}) + 1; i < end; ++i)
          for (size_t side = 0; side < blended_.size(); ++side) {
            const CpuPanes& panes = side == 0 ? frame.back : frame.front;
            const glm::vec4 depths = panes.depth[i];
            blended_[side].light[i] = panes.colour[i];
            blended_[side].depth[i] = depths.w > glsl::kLeastOpacity ? depths.x / depths.w : focus;
          }
    });
  }

  // Scatters the hidden near field, and builds the pyramid of its sums.
  void drawHidden(const CpuFrame& frame, const LayeredPlan& plan, Timings& timings) {
    {
      const auto stage = timings.cpu("background");
      hidden_.resize(near_.size());
      hiddenSums_.resize(near_.size());
      forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
        for (int y = tile.from.y; y < tile.to.y; ++y)
          for (int x = tile.from.x; x < tile.to.x; ++x) {
            const size_t i = pixelAt({x, y});
            glsl::HiddenNear pixel{{}, -plan.lens.beta / plan.lens.alpha, {}};
            if (covered_[tile.index] != Covered::unneeded)
              pixel = glsl::hiddenNear(pyramid_, plan.lens, glm::vec2(x, y) + 0.5f, radii_[i],
                                       frame.behind.colour[i], frame.behind.depth[i]);
            hidden_.light[i] = pixel.light;
            hidden_.depth[i] = pixel.depth;
            hiddenSums_[i] = pixel.sums;
          }
      });
      hiddenPyramid_.build(size_, pool_, [&](size_t pixel) { return hiddenSums_[pixel]; });
    }
    scatterLayer(hidden_, plan.scatter, timings);
  }

  // Marks the tiles that the near field hides, and those among them whose background no other tile needs.
  void findCovered(const LayeredPlan& plan) {
    std::ranges::fill(covered_, Covered::no);
    if (!plan.anyNear) return;
    forEachTile([&](const PixelTile& tile) {
      if (pyramid_.allNear(tile, plan.nearPx) && hidden(tile, plan.anyForemost))
        covered_[tile.index] = Covered::yes;
    });
    const float widestPx = std::max(glsl::signedRadius(plan.lens, 0.0f), plan.nearPx);
    const int reach =
        1 + static_cast<int>(widestPx * std::max(1.0f, plan.lens.anamorphicRatio) + 2.0f) / kTilePx;
    for (int y = 0; y < tiles_.y; ++y)
      for (int x = 0; x < tiles_.x; ++x)
        if (coveredAround({x, y}, reach)) covered_[tileAt({x, y})] = Covered::unneeded;
  }

  // Whether the near field covers all pixels of a tile inside a near body: see coverage().
  bool hidden(const PixelTile& tile, bool anyForemost) const {
    for (int y = tile.from.y; y < tile.to.y; ++y)
      for (size_t i = pixelAt({tile.from.x, y}), end = pixelAt({tile.to.x - 1, y}) + 1; i < end; ++i)
        if (static_cast<float>(near_[i].w + (anyForemost ? foremost_[i].w : 0u)) <
            glsl::kInsideTo * glsl::scatterScale())
          return false;
    return true;
  }

  bool coveredAround(glm::ivec2 tile, int reach) const {
    const glm::ivec2 from = glm::max(tile - reach, glm::ivec2(0)), to = glm::min(tile + reach, tiles_ - 1);
    for (int y = from.y; y <= to.y; ++y)
      for (int x = from.x; x <= to.x; ++x)
        if (covered_[tileAt({x, y})] == Covered::no) return false;
    return true;
  }

  // Replaces the frame and the radii by the background and its radii. Writes the image for the far table.
  void drawBackground(const CpuFrame& frame, const LayeredPlan& plan, Timings& timings) {
    const auto stage = timings.cpu("background");
    const glsl::BackgroundRule rule = backgroundRule(plan, frame.hasPanes());
    farPyramid_.build(size_, pool_,
                      [&](size_t pixel) { return glsl::farCellOfPixel(plan.middle, radii_[pixel]); });
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      if (covered_[tile.index] == Covered::unneeded) return clear(tile);
      const float least = leastRadius(radii_, tile);
      const bool fills = !plan.secondLayer && glsl::hiddenPart(least) > 0.0f;
      const int level = fills ? pyramid_.firstLevel(tile, least) : kFillLevels;
      for (int y = tile.from.y; y < tile.to.y; ++y) {
        const size_t first = pixelAt({tile.from.x, y});
        std::array<float, kTilePx> weights;
        for (size_t i = 0; i < static_cast<size_t>(tile.to.x - tile.from.x); ++i)
          weights[i] = glsl::farWeight(plan.lens, plan.middle, radii_[first + i]);
        for (size_t i = 0; i < static_cast<size_t>(tile.to.x - tile.from.x); ++i) {
          const glm::ivec2 p(tile.from.x + static_cast<int>(i), y);
          const float passed = frame.hasPanes() ? passPane(plan.lens, first + i) : 1.0f;
          if (plan.secondLayer && radii_[first + i] < plan.middle.far.y)
            showBehind(frame, rule, first + i, p, weights[i], passed, plan.anyMiddle);
          else if (glsl::hiddenPart(radii_[first + i]) > 0.0f)
            replaceHidden(frame, rule, first + i, p, passed, level);
          else
            keepVisible(frame, rule, first + i, p, weights[i], passed, plan.anyMiddle);
        }
      }
    });
  }

  void clear(const PixelTile& tile) {
    for (int y = tile.from.y; y < tile.to.y; ++y) {
      const size_t first = pixelAt({tile.from.x, y}), count = static_cast<size_t>(tile.to.x - tile.from.x);
      std::ranges::fill(std::span(far_).subspan(first, count), glm::uvec4(0));
      std::ranges::fill(std::span(radii_).subspan(first, count), 0.0f);
      for (Layer& layer : middle_)
        if (!layer.light.empty())
          std::ranges::fill(std::span(layer.light).subspan(first, count), glm::vec4(0.0f));
      if (!blended_[0].light.empty())
        std::ranges::fill(std::span(blended_[0].light).subspan(first, count), glm::vec4(0.0f));
    }
  }

  float leastRadius(std::span<const float> radii, const PixelTile& tile) const {
    float least = 0.0f;
    for (int y = tile.from.y; y < tile.to.y; ++y) {
      const size_t first = pixelAt({tile.from.x, y});
      for (size_t i = 0; i < static_cast<size_t>(tile.to.x - tile.from.x); ++i)
        least = std::min(least, radii[first + i]);
    }
    return least;
  }

  // Takes from the pane of a pixel the part that blurs with the background, and returns the part of the background's light that
  // passes it.
  SATDOF_INLINE float passPane(const ThinLens& lens, size_t pixel) {
    float& opacity = blended_[0].light[pixel].w;
    const float radius = std::abs(glsl::signedRadius(lens, blended_[0].depth[pixel]));
    const float shared = opacity * glsl::sharedOpacity(radius, radii_[pixel]), passed = 1.0f - shared;
    opacity = (opacity - shared) / std::max(passed, 1e-3f);
    return passed;
  }

  // The functions below are backgroundOf() with the part `passed` of the light.

  // For a pixel that the near field may hide. `level`: the first that may fill it.
  SATDOF_INLINE void replaceHidden(const CpuFrame& frame, const glsl::BackgroundRule& rule, size_t pixel,
                                   glm::ivec2 p, float passed, int level) {
    float& radius = radii_[pixel];
    const float hidden = glsl::hiddenPart(radius);
    const Float4 colour = loadVector<Float4>(&frame.colour[pixel]);
    const glsl::Filled filled = pyramid_.fill(p, radius, level);
    Float4 behind = colour;
    behind[3] = -radius;
    behind = loadVector<Float4>(&filled.sum) + behind * (1.0f - filled.part);
    const float behindRadius = std::min(behind[3], -glsl::kFillLimit * radius);
    const float weight = hidden * filled.part * glsl::farWeight(rule.lens, rule.middle, behindRadius);
    storeVector(&far_[pixel], farWords(behind * passed, weight, rule, p));
    storeVector(&frame.colour[pixel], (colour + (behind - colour) * hidden) * passed);
    radius = behindRadius * hidden;
  }

  // For a pixel with a second layer that the background takes in part.
  SATDOF_INLINE void showBehind(const CpuFrame& frame, const glsl::BackgroundRule& rule, size_t pixel,
                                glm::ivec2 p, float weight, float passed, bool anyMiddle) {
    float& radius = radii_[pixel];
    const float hidden = glsl::hiddenPart(radius);
    Float4 colour = loadVector<Float4>(&frame.colour[pixel]);
    Float4 behind = colour, layer = loadVector<Float4>(&frame.behind.colour[pixel]);
    const float layerRadius = glsl::signedRadius(rule.lens, frame.behind.depth[pixel]);
    float there = layer[3], filledPart = 1.0f;
    behind[3] = std::abs(radius);
    layer[3] = std::abs(layerRadius);
    behind += (layer - behind) * there;
    const float hole = rule.anyHidden ? there * glsl::holePart(layerRadius) : 0.0f;
    if (hidden * hole > 0.0f) {
      const glsl::Filled filled = pyramid_.fill(p, layerRadius, glsl::firstHoleLevel(layerRadius));
      Float4 mended = loadVector<Float4>(&filled.sum) + behind * (1.0f - filled.part);
      mended[3] = std::min(mended[3], -glsl::kFillLimit * layerRadius);
      behind += (mended - behind) * hole;
      filledPart = glm::mix(1.0f, filled.part, hole);
      there *= filledPart;
    }
    const float behindRadius = behind[3], shown = hidden * filledPart;
    colour *= passed;
    behind *= passed;
    const float behindWeight = glsl::sharedPart(rule.middle, glsl::kMiddleLayers, radius, shown, there) *
                               glsl::farWeight(rule.lens, rule.middle, behindRadius);
    const float sum = weight + behindWeight;
    const Float4 light = sum > 0.0f ? (colour * weight + behind * behindWeight) * (1.0f / sum) : colour;
    storeVector(&far_[pixel], farWords(light, sum, rule, p));
    if (anyMiddle) setMiddle(rule, pixel, colour, radius, behind, behindRadius, shown, there);
    storeVector(&frame.colour[pixel], colour + (behind - colour) * hidden);
    const glm::vec2 centre = glm::vec2(p) + 0.5f;
    radius = glm::mix(farPyramid_.gatheredRadius(centre, std::max(radius, 0.0f)), behindRadius, hidden);
    radius = farPyramid_.radiusBehind(rule.middle, centre, radius, std::max(layerRadius, 0.0f), there);
  }

  // For any other pixel: the pixel itself.
  SATDOF_INLINE void keepVisible(const CpuFrame& frame, const glsl::BackgroundRule& rule, size_t pixel,
                                 glm::ivec2 p, float weight, float passed, bool anyMiddle) {
    float& radius = radii_[pixel];
    const Float4 colour = loadVector<Float4>(&frame.colour[pixel]) * passed;
    const glm::vec2 centre = glm::vec2(p) + 0.5f;
    if (anyMiddle) setMiddle(rule, pixel, colour, radius, Float4{}, radius, 0.0f, 0.0f);
    radius = farPyramid_.gatheredRadius(centre, std::max(radius, 0.0f));
    radius = farPyramid_.radiusBehind(rule.middle, centre, radius, 0.0f, 0.0f);
    storeVector(&far_[pixel], farWords(colour, weight, rule, p));
    if (passed < 1.0f) storeVector(&frame.colour[pixel], colour);
  }

  // Background::middle of a pixel.
  SATDOF_INLINE void setMiddle(const glsl::BackgroundRule& rule, size_t pixel, Float4 colour, float radius,
                               Float4 behind, float behindRadius, float hidden, float there) {
    for (int i = 0; i < glsl::kMiddleLayers; ++i) {
      const glsl::MiddlePixel drawn = glsl::middlePixel(
          rule.middle, i, {colour[0], colour[1], colour[2]}, radius, {behind[0], behind[1], behind[2]},
          behindRadius, glsl::sharedPart(rule.middle, i, radius, hidden, there));
      Layer& layer = middle_[static_cast<size_t>(i)];
      layer.light[pixel] = drawn.light;
      layer.depth[pixel] = glsl::depthOfRadius(rule.lens, drawn.radius);
    }
  }

  // The words of the far table for light of this weight.
  SATDOF_INLINE static Uint4 farWords(Float4 light, float weight, const glsl::BackgroundRule& rule,
                                      glm::ivec2 p) {
    if (weight <= 0.0f) return Uint4{};
    const float most = rule.ceiling_ * weight;
    light *= weight;
    light = light < most ? light : Float4{} + most;
    light[3] = most;
    return toWords(light * rule.farScale + dithers(p.x, p.y));
  }

  void compose(const CpuFrame& frame, const LayeredPlan& plan, std::span<glm::vec4> image, Timings& timings) {
    const auto stage = timings.cpu("lens");
    const glsl::ComposeRule rule = composeRule(plan, frame.hasPanes(), glsl::kShowImage);
    const bool panes = frame.hasPanes();
    const float widest = *std::ranges::max_element(radii_);
    const Discs discs(size_, plan.scatter.steps, plan.lens.anamorphicRatio, glsl::discIndex(widest) + 1);
    forEachTile([&](const PixelTile& tile) SATDOF_INLINE {
      const bool allNear = plan.anyNear && pyramid_.allNear(tile, plan.nearPx);
      std::optional<FocusTile<kTilePx>> focus;
      if (covered_[tile.index] == Covered::no &&
          FocusTile<kTilePx>::anySoft(plan.focus, radii_, size_, tile.from))
        focus.emplace(plan.focus, frame.colour, radii_, size_, tile.from);
      for (int y = tile.from.y; y < tile.to.y; ++y) {
        std::array<Float4, kTilePx> row;
        std::array<float, kTilePx> inFocus{};
        if (covered_[tile.index] == Covered::no)
          drawRow(frame, rule, discs, tile, y, focus, plan.anyMiddle, row, inFocus);
        else
          row = {};
        for (int x = tile.from.x; x < tile.to.x; ++x) {
          const size_t pixel = pixelAt({x, y});
          Float4 shown = row[static_cast<size_t>(x - tile.from.x)];
          if (panes) {
            const float cover = inFocus[static_cast<size_t>(x - tile.from.x)];
            shown = over(glsl::paneBehindFocus(paneAt(0, rule.lens, {x, y}), blended_[0].light[pixel], cover),
                         shown);
          }
          const Float4 near = plan.anyNear ? scattered(near_[pixel]) : Float4{};
          const Float4 foremost = plan.anyForemost ? scattered(foremost_[pixel]) : Float4{};
          const float all = near[3] + foremost[3];
          const float cover = all > 0.0f ? coverage(rule, {x, y}, all, allNear) : 0.0f;
          float passed = 1.0f;
          if (plan.anyHidden && cover < 1.0f && hidden_.table[pixel].w > 0) {
            const Float4 hidden = scattered(hidden_.table[pixel]);
            const float share =
                glsl::hiddenShare(hiddenPyramid_, rule, glm::vec2(x, y) + 0.5f, hidden[3], 1.0f - cover);
            shown += (hidden * (1.0f / hidden[3]) - shown) * share;
            passed -= share;
          }
          if (foremost[3] > 0.0f) {
            const float first = coverage(rule, {x, y}, foremost[3], allNear);
            shown += (nearColour(foremost, near, first, cover) - shown) * cover;
          } else if (near[3] > 0.0f) {
            shown += (near * (1.0f / near[3]) - shown) * cover;
          }
          passed *= 1.0f - cover;
          if (panes) {
            const glm::vec4 front = paneAt(1, rule.lens, {x, y});
            shown = over(front, shown);
            passed = 1.0f - front.w;
          }
          shown[3] = passed;
          storeVector(&image[pixel], shown);
        }
      }
    });
  }

  // A blurred layer of blended surfaces at pixel p, premultiplied.
  SATDOF_INLINE glm::vec4 paneAt(size_t side, const ThinLens& lens, glm::ivec2 p) const {
    const Layer& layer = blended_[side];
    const size_t pixel = pixelAt(p);
    const glm::vec4 sum = glm::vec4(layer.table[pixel]) * (1.0f / glsl::scatterScale());
    const float r = -std::abs(glsl::signedRadius(lens, layer.depth[pixel]));
    return glsl::blendedLayer(lens, p, size_, sum, layer.light[pixel], r);
  }

  SATDOF_INLINE static Float4 over(const glm::vec4& pane, Float4 behind) {
    return loadVector<Float4>(&pane) + behind * (1.0f - pane.w);
  }

  // The background of row y of a tile: the focus layer over the far field.
  SATDOF_INLINE void drawRow(const CpuFrame& frame, const glsl::ComposeRule& rule, const Discs& discs,
                             const PixelTile& tile, int y, const std::optional<FocusTile<kTilePx>>& focus,
                             bool anyMiddle, std::array<Float4, kTilePx>& row,
                             std::array<float, kTilePx>& inFocus) const {
    const size_t first = pixelAt({tile.from.x, y}), count = static_cast<size_t>(tile.to.x - tile.from.x);
    std::array<glsl::FocusLayer, kTilePx> layers;
    if (focus)
      focus->gather(y - tile.from.y, layers);
    else
      for (size_t i = 0; i < count; ++i)
        layers[i] = glsl::focusAlone(glm::vec3(frame.colour[first + i]), radii_[first + i]);
    std::array<float, kTilePx> shares, radii;
    for (size_t i = 0; i < count; ++i) {
      shares[i] = glsl::farShare(layers[i]);
      radii[i] = glsl::farRadius(layers[i], radii_[first + i]);
    }
    std::array<Float4, kTilePx> sums;
    sumRow(discs, {tile.from.x, y}, std::span(radii).first(count), shares, sums);
    for (size_t i = 0; i < count; ++i) {
      const float cover = inFocus[i] = layers[i].sum.w;
      row[i] = cover > 0.0f ? loadVector<Float4>(&layers[i].sum) * (1.0f / cover)
                            : loadVector<Float4>(&frame.colour[first + i]);
      if (shares[i] <= 0.0f) continue;
      Float4 behind = row[i];
      if (sums[i][3] > 0.0f) behind = sums[i] * (rule.farUnit / sums[i][3]);
      if (anyMiddle) behind = behindFocus(rule, behind, row[i], sums[i][3], radii[i], cover, first + i);
      row[i] += (behind - row[i]) * shares[i];
    }
  }

  // behindFocus() of shaders/lens/layered/compose.glsl at a pixel, with the colour `far` of the far field, its sum of weights,
  // and the colour `other`.
  SATDOF_INLINE Float4 behindFocus(const glsl::ComposeRule& rule, Float4 far, Float4 other, float farWeights,
                                   float radius, float focus, size_t pixel) const {
    const Float4 first = scattered(middle_[0].table[pixel]), second = scattered(middle_[1].table[pixel]);
    if (first[3] + second[3] <= 0.0f) return far;
    const float inDisc =
        farWeights > 0.0f ? glsl::meanWeight(rule, radius, farWeights) / glsl::farWeightAt(rule.lens, radius)
                          : 0.0f;
    const glm::vec3 parts = glsl::shownParts(focus, first[3], second[3], inDisc);
    Float4 sum = far;
    sum[3] = 1.0f;
    sum *= parts.z * std::min(inDisc / glsl::kKnownPart, 1.0f);
    if (first[3] > 0.0f) sum += first * (parts.x / first[3]);
    if (second[3] > 0.0f) sum += second * (parts.y / second[3]);
    other[3] = 1.0f;
    sum += other * std::max(glsl::kKnownPart - sum[3], 0.0f);
    return sum * (1.0f / sum[3]);
  }

  // farSum() of shaders/lens/layered/compose.glsl for the pixels from p on that have a share of the far field.
  SATDOF_INLINE void sumRow(const Discs& discs, glm::ivec2 p, std::span<const float> radii,
                            const std::array<float, kTilePx>& shares,
                            std::array<Float4, kTilePx>& sums) const {
    const SumTable<Uint4> table(far_.data(), size_);
    const SumTable<Uint8> pairs(far_.data(), size_);
    for (size_t i = 0; i < radii.size(); ++i, ++p.x) {
      if (shares[i] <= 0.0f) continue;
      const int n = glsl::discIndex(radii[i]);
      const float outer = glsl::discBlend(radii[i]);
      if (i + 1 < radii.size() && glsl::discIndex(radii[i + 1]) == n && discs.inside(size_, p, 2, n + 1)) {
        const Uint8 inner2 = discs.sumInside(pairs, p, n), outer2 = discs.sumInside(pairs, p, n + 1);
        sums[i] = blended(first(inner2), first(outer2), outer);
        sums[i + 1] = blended(second(inner2), second(outer2), glsl::discBlend(radii[i + 1]));
        ++i, ++p.x;
      } else {
        sums[i] = blended(discs.sum(table, p, n), discs.sum(table, p, n + 1), outer);
      }
    }
  }

  SATDOF_INLINE static Float4 blended(Uint4 inner, Uint4 outer, float blend) {
    return toFloat(inner) * (1.0f - blend) + toFloat(outer) * blend;
  }

  static Float4 scattered(const glm::uvec4& words) {
    return toFloat(loadVector<Uint4>(&words)) * (1.0f / glsl::scatterScale());
  }

  // nearColour() of shaders/lens/layered/compose.glsl, with a foremost layer.
  SATDOF_INLINE static Float4 nearColour(Float4 foremost, Float4 others, float first, float cover) {
    const Float4 colour = foremost * (1.0f / foremost[3]);
    if (others[3] <= 0.0f) return colour;
    return colour + (others * (1.0f / others[3]) - colour) * (std::max(cover - first, 0.0f) / cover);
  }

  // nearCoverage() of pixel p. `allNear`: all pixels around it are near.
  SATDOF_INLINE float coverage(const glsl::ComposeRule& rule, glm::ivec2 p, float scattered,
                               bool allNear) const {
    if (allNear && scattered > glsl::kInsideFrom && !glsl::losesLight(rule, size_))
      return glm::mix(scattered, 1.0f, glm::smoothstep(glsl::kInsideFrom, glsl::kInsideTo, scattered));
    return glsl::nearCoverage(pyramid_, rule, glm::vec2(p) + 0.5f, size_, scattered);
  }

  size_t tileAt(glm::ivec2 tile) const {
    return static_cast<size_t>(tile.y) * static_cast<size_t>(tiles_.x) + static_cast<size_t>(tile.x);
  }
  size_t pixelAt(glm::ivec2 p) const {
    return static_cast<size_t>(p.y) * static_cast<size_t>(size_.x) + static_cast<size_t>(p.x);
  }

  // Calls task(tile) for all tiles of the image, on all threads.
  template <class Task>
  void forEachTile(const Task& task) {
    pool_.forEach((size_.y + kTilePx - 1) / kTilePx, [&](int row) {
      gl::throwIfAbandoned();  // large images take seconds
      vectorised([&]() SATDOF_INLINE {
        glm::ivec2 from(0, row * kTilePx);
        for (; from.x < size_.x; from.x += kTilePx)
          task(PixelTile{from, glm::min(from + kTilePx, size_), tileAt(from / kTilePx)});
      });
    });
  }

  ThreadPool pool_;
  CpuTableBuilder builder_;
  CpuScatter scatter_;
  FillPyramid pyramid_;
  FarPyramid farPyramid_;
  glm::ivec2 size_{0}, tiles_{0};
  std::vector<Covered> covered_;        // of each tile
  std::vector<float> radii_;            // of the scene, then of the background
  std::vector<glm::uvec4> near_, far_;  // images, then their tables; near_: less the foremost layer
  std::vector<glm::uvec4> foremost_;    // empty until an image has a foremost layer
  std::array<Layer, glsl::kMiddleLayers> middle_;
  Layer hidden_;                  // the hidden near field
  std::array<Layer, 2> blended_;  // blended surfaces behind, in front of the focus plane
  std::vector<glm::vec3> hiddenSums_;
  HiddenPyramid hiddenPyramid_;
};

}  // namespace

std::unique_ptr<CpuBlur> makeCpuLayeredBlur(const Technique&) { return std::make_unique<CpuLayered>(); }

}  // namespace satdof
