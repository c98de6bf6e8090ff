#include "app/scene/image/depth_brush.h"

#include <algorithm>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "app/core/pixels.h"

namespace satdof {

namespace {

constexpr float kStep = 0.05f;  // change by one dab of full strength, as a fraction of the range of depths

// Square roots of the linear light of a pixel, for comparing colours.
glm::vec3 rootsAt(const Picture& picture, glm::ivec2 p) {
  return glm::sqrt(glm::clamp(lightAt(picture, pixelIndex(picture.size, p)), 0.0f, 1.0f));
}

glm::ivec2 middleOf(const Dab& dab, glm::ivec2 size) {
  return glm::clamp(glm::ivec2(glm::floor(dab.at)), glm::ivec2(0), size - 1);
}

// Weights of the pixels of a rectangle.
struct Weights {
  PixelRectangle rect;
  std::vector<float> values;

  std::size_t index(glm::ivec2 p) const { return pixelIndex(rect.size, p - rect.from); }
  float& at(glm::ivec2 p) { return values[index(p)]; }
};

// Weight by the distance from the centre: 1 at the centre, 0 from the radius on.
float falloff(const Dab& dab, glm::ivec2 p) {
  if (dab.kind == BrushKind::same) return 1.0f;
  const float r = glm::distance(glm::vec2(p) + 0.5f, dab.at) / dab.radiusPx;
  const float rest = std::max(1.0f - r * r, 0.0f);
  return dab.kind == BrushKind::fill ? std::min(2.0f * rest, 1.0f) : rest * rest;
}

// Appends the unseen neighbours of a pixel to `next`.
void appendNeighbours(const Weights& weights, glm::ivec2 p, std::vector<bool>& seen, std::vector<glm::ivec2>& next) {
  for (const glm::ivec2 by : {glm::ivec2(1, 0), glm::ivec2(-1, 0), glm::ivec2(0, 1), glm::ivec2(0, -1)}) {
    const glm::ivec2 q = p + by;
    if (q != glm::clamp(q, weights.rect.from, weights.rect.to() - 1)) continue;
    const std::size_t at = weights.index(q);
    if (seen[at]) continue;
    seen[at] = true;
    next.push_back(q);
  }
}

glm::ivec2 takeLast(std::vector<glm::ivec2>& pixels) {
  const glm::ivec2 last = pixels.back();
  pixels.pop_back();
  return last;
}

// Flood fill from the centre over connected pixels whose colours are like the colour at the centre.
Weights weightsOf(const Dab& dab, const Picture& picture) {
  Weights weights{reachOf(dab, picture.size), {}};
  weights.values.resize(pixelCount(weights.rect.size));
  const glm::ivec2 middle = middleOf(dab, picture.size);
  const glm::vec3 colour = rootsAt(picture, middle);
  std::vector<bool> seen(weights.values.size());
  std::vector<glm::ivec2> next{middle};
  seen[weights.index(middle)] = true;
  while (!next.empty()) {
    const glm::ivec2 p = takeLast(next);
    const float near = falloff(dab, p);
    const float step = dab.edge >= 1.0f ? 0.0f : glm::distance(rootsAt(picture, p), colour) / std::max(dab.edge, 1e-4f);
    if (near <= 0.0f || step >= 1.0f) continue;
    weights.at(p) = near * (dab.kind == BrushKind::same ? 1.0f : 1.0f - glm::smoothstep(0.5f, 1.0f, step));
    appendNeighbours(weights, p, seen, next);
  }
  return weights;
}

// Gives specks inside a filled surface the weight 1: noise in its colours. A speck is a connected part without weight
// of at most 1/20000 of the pixels. O(pixels).
void fillSpecks(Weights& weights) {
  const std::size_t largest = weights.values.size() / 20000;
  std::vector<bool> seen(weights.values.size());
  std::vector<glm::ivec2> next, speck;
  for (int y = weights.rect.from.y; y < weights.rect.to().y; ++y)
    for (int x = weights.rect.from.x; x < weights.rect.to().x; ++x) {
      const glm::ivec2 first(x, y);
      if (seen[weights.index(first)] || weights.at(first) > 0.0f) continue;
      seen[weights.index(first)] = true;
      next = {first};
      speck.clear();
      while (!next.empty()) {
        const glm::ivec2 p = takeLast(next);
        if (weights.at(p) > 0.0f) continue;
        if (speck.size() <= largest) speck.push_back(p);
        appendNeighbours(weights, p, seen, next);
      }
      if (speck.size() <= largest)
        for (const glm::ivec2 p : speck) weights.at(p) = 1.0f;
    }
}

// Mean depth in a box around each pixel of the rectangle, over pixels with a weight above 0. By a summed-area table:
// O(pixels).
std::vector<float> meansOf(const Dab& dab, Weights& weights, glm::ivec2 depthSize, const std::vector<float>& depth) {
  const int reach = std::max(static_cast<int>(dab.radiusPx / 4.0f), 1);
  const glm::ivec2 size = weights.rect.size, tableSize = size + 1;
  struct Sum {
    double depth = 0.0, weight = 0.0;
  };
  std::vector<Sum> table(pixelCount(tableSize));
  const auto sumTo = [&](int x, int y) -> Sum& { return table[pixelIndex(tableSize, {x, y})]; };
  for (int y = 0; y < size.y; ++y) {
    Sum row;
    for (int x = 0; x < size.x; ++x) {
      const glm::ivec2 p = weights.rect.from + glm::ivec2(x, y);
      if (weights.at(p) > 0.0f) row = {row.depth + double{depth[pixelIndex(depthSize, p)]}, row.weight + 1.0};
      const Sum& below = sumTo(x + 1, y);
      sumTo(x + 1, y + 1) = {below.depth + row.depth, below.weight + row.weight};
    }
  }
  std::vector<float> means(weights.values.size());
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const int left = std::max(x - reach, 0), right = std::min(x + reach + 1, size.x);
      const int low = std::max(y - reach, 0), high = std::min(y + reach + 1, size.y);
      const Sum &a = sumTo(left, low), &b = sumTo(right, low), &c = sumTo(left, high), &d = sumTo(right, high);
      const double weight = d.weight - b.weight - c.weight + a.weight;
      if (weight > 0.0)
        means[pixelIndex(size, {x, y})] = static_cast<float>((d.depth - b.depth - c.depth + a.depth) / weight);
    }
  return means;
}

}  // namespace

PixelRectangle reachOf(const Dab& dab, glm::ivec2 size) {
  if (dab.kind == BrushKind::same) return {glm::ivec2(0), size};
  const glm::ivec2 middle = middleOf(dab, size);
  const auto inside = [&](glm::vec2 p) { return glm::clamp(glm::ivec2(p), glm::ivec2(0), size); };
  const glm::ivec2 from = glm::min(inside(glm::floor(dab.at - dab.radiusPx)), middle);
  return {from, glm::max(inside(glm::ceil(dab.at + dab.radiusPx)), middle + 1) - from};
}

void applyDab(const Dab& dab, const Picture& picture, std::vector<float>& depth) {
  const glm::ivec2 size = picture.size;
  Weights weights = weightsOf(dab, picture);
  if (dab.kind == BrushKind::same) fillSpecks(weights);
  const float there = depth[pixelIndex(size, middleOf(dab, size))];
  const float step = kStep * dab.strength * dab.depthRange;
  std::vector<float> means;
  if (dab.kind == BrushKind::smooth) means = meansOf(dab, weights, size, depth);
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    const float weight = weights.values[i];
    if (weight <= 0.0f) continue;
    const auto x = static_cast<int>(i) % weights.rect.size.x, y = static_cast<int>(i) / weights.rect.size.x;
    float& v = depth[pixelIndex(size, weights.rect.from + glm::ivec2(x, y))];
    switch (dab.kind) {
      case BrushKind::same:
        v = glm::mix(v, there, weight);
        break;
      case BrushKind::nearer:
        v = std::min(v + weight * step, 1.0f);
        break;
      case BrushKind::farther:
        v = std::max(v - weight * step, 0.0f);
        break;
      case BrushKind::smooth:
        v = glm::mix(v, means[i], weight * dab.strength);
        break;
      case BrushKind::fill:
        v = glm::mix(v, dab.depth, weight * dab.strength);
        break;
    }
  }
}

}  // namespace satdof
