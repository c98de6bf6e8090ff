#pragma once
#include "library/src/box.h"

// The mean weighted by a tent, in constant time (P. Heckbert, Filtering by repeated integration, SIGGRAPH
// 1986). A tent is a box convolved with a box, so its sum is a second difference of sums of sums. On one
// axis, with P the exclusive prefix sums and Q[k] = P[0] + ... + P[k]:
//   sum over i of (peak - |i - at|) v[i] = Q[at + peak] - 2 Q[at] + Q[at - peak].
// Both axes: Q is the inclusive table of the exclusive table. Compiled as C++ and CUDA C++, see box.h.
namespace satdof::BOX_NAMESPACE {

// Q[k] of a row that its border extends, for any integer k, as a weighted sum of three columns of Q of the
// row itself.
struct Knot {
  std::ptrdiff_t columns[3]{};
  std::int64_t weights[3]{};

  template <class W, class At>
  BOX_FUNCTION W sum(const At& at) const {
    W sum = at(columns[0]) * static_cast<W>(weights[0]);
    for (int i = 1; i < 3; ++i)
      if (weights[i] != 0) sum += at(columns[i]) * static_cast<W>(weights[i]);
    return sum;
  }
};

BOX_FUNCTION Knot knotAt(std::int64_t k, std::int64_t size, Border border) {
  if (k >= 0 && k <= size) return {{static_cast<std::ptrdiff_t>(k)}, {1}};
  const auto end = static_cast<std::ptrdiff_t>(size);
  const std::int64_t beyond = k - size;
  if (border == Border::inside) {
    if (k < 0) return {};
    return {{end, end - 1}, {1 + beyond, -beyond}};
  }
  if (border == Border::clamp) {
    if (k < 0) return {{1}, {k * (k + 1) / 2}};
    const std::int64_t edge = beyond * (beyond + 1) / 2;  // weight of the last pixel
    return {{end, end - 1, end > 1 ? end - 2 : 0}, {1 + beyond + edge, -beyond - 2 * edge, edge}};
  }
  const std::int64_t period = 2 * size, turns = k >= 0 ? k / period : -((period - 1 - k) / period);
  const std::int64_t rest = k - turns * period;
  // The weight of the row's sum, which is Q[size] - Q[size - 1].
  const std::int64_t whole = turns * (period + 1) + period * turns * (turns - 1) + 2 * turns * rest;
  if (rest <= size) return {{end, end - 1, static_cast<std::ptrdiff_t>(rest)}, {whole, -whole, 1}};
  const std::int64_t back = whole + 1 + 2 * (rest - size);
  return {{end, end - 1, static_cast<std::ptrdiff_t>(period - rest - 1)}, {back, -back, 1}};
}

// A tent on one axis: pixel i weighs radius + 1 - |i - at|, where that is positive.
struct TentAxis {
  BOX_FUNCTION static TentAxis around(int at, int radius, int size, Border border) {
    const std::int64_t peak = std::int64_t{radius} + 1;
    const auto side = [&](std::int64_t pixels) {
      const std::int64_t count = border != Border::inside || pixels > radius ? radius : pixels;
      return count * peak - count * (count + 1) / 2;
    };
    return {knotAt(at - peak, size, border), knotAt(at + peak, size, border), at,
            static_cast<double>(side(at) + peak + side(size - 1 - at))};
  }
  template <class W, class At>
  BOX_FUNCTION W sum(const At& at) const {
    return low.template sum<W>(at) + high.template sum<W>(at) - 2 * at(middle);
  }

  Knot low, high;
  std::ptrdiff_t middle;
  double length;  // the sum of the weights
};

// ProductWindow::mean() for a tent, without border handling: the tent of radius split.whole + 2 lies in the
// image. `centre`: the word of Q at the pixel.
template <class T, class W>
BOX_FUNCTION T tentMeanInside(const Table<W>& table, const W* centre, const SplitRadius& split, double unit) {
  const std::ptrdiff_t peak = std::ptrdiff_t{split.whole} + 1;
  const auto sum = [&](std::ptrdiff_t wide, std::ptrdiff_t high) {
    const std::ptrdiff_t column = wide * table.channels, row = high * table.stride;
    const auto along = [&](const W* at) { return at[column] + at[-column] - 2 * at[0]; };
    return along(centre + row) + along(centre - row) - 2 * along(centre);
  };
  const auto whole = static_cast<double>(peak * peak), more = static_cast<double>((peak + 1) * (peak + 1));
  const W plain = sum(peak, peak);
  if (split.fraction == 0.0) return rounded<T>(toDouble<T>(plain) / (whole * whole) * unit);
  const BoxBlend<T, W> blend(split.fraction, whole, more, whole, more);
  return rounded<T>(blend(plain, sum(peak + 1, peak), sum(peak, peak + 1), sum(peak + 1, peak + 1)) * unit);
}

// (ceil(radius) + 1)^4: the sum of the weights of a tent with a whole radius, an upper bound for a fraction.
BOX_FUNCTION double tentWeight(double radius) {
  const double side = (ceil(radius) + 1.0) * (ceil(radius) + 1.0);
  return side * side;
}

}  // namespace satdof::BOX_NAMESPACE
