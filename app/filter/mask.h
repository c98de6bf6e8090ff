#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"
#include "app/filter/mask_pass.h"

namespace satdof {

// The mask of a filter. It is not flipped, and the edge of the image is replicated:
//   out(x, y) = offset + sum over i, j of weight(i, j) in(clamp(x + i - width / 2), clamp(y + j - height / 2)).
struct FilterMask {
  int width = 1, height = 1;         // odd, at most kMaxMaskSide
  std::vector<float> weights{1.0f};  // weight (i, j) is weights[j * width + i]; row 0 is the bottom row
  float offset = 0.0f;
  // weight (i, j) = x[i] y[j] within kSeparableTolerance; empty if the mask has a higher rank.
  std::vector<float> x = {}, y = {};
  bool separable() const { return !x.empty(); }
};

// Part of the largest weight by which the product of the factors may differ from a weight.
inline constexpr double kSeparableTolerance = 1e-6;

// Returns the mask of a row of filterMasks(), or reads the file. `none` is the identity. Throws UsageError as
// parseMask() does, and if the file cannot be read or exceeds 1 MiB.
FilterMask maskOf(const FilterSettings& filter);

// Bound on how far from a pixel the filter reads, in pixels. Reads no file.
int maskReachPx(const FilterSettings& filter);

// Whether FilterSettings::radiusPx changes the mask.
bool hasRadius(const MaskName& mask);

// Returns the filter for an image at `scale` times the resolution, at most 1, which is shown enlarged: with a scaled
// radius, or none, if the radius rounds to 0 or the mask has a fixed size.
FilterSettings atScale(FilterSettings filter, float scale);

// Parses {"width": 5, "height": 5, "weights": [...], "scale": 1, "offset": 0}. The weights begin with the top
// row, each row from the left; `scale` multiplies them. Instead of "weights", "x" and "y" may give the factors
// of a separable mask, y from the top. Throws UsageError if something is missing, unknown, of the wrong type,
// not finite or out of range. The message names `origin`, the file.
FilterMask parseMask(std::string_view text, const std::string& origin);

// Finds the factors of a mask of rank one, by its row and its column through the largest weight.
void separate(FilterMask& mask);

using MaskPass = MaskPassOf<float>;

// What every variant of the filter computes: one or two passes, one after the other, then the offset.
struct FilterPlan {
  std::vector<MaskPass> passes;
  float offset = 0.0f;
};

// Throws std::runtime_error if the form is separable and the mask is not.
FilterPlan filterPlan(const FilterMask& mask, FilterForm form);

}  // namespace satdof
