#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/settings.h"
#include "app/filter/mask_pass.h"

namespace satdof {

// The mask of a filter. A correlation, because the mask is not flipped; the border pixels of the image are replicated:
//   out(x, y) = offset + sum over i, j of weight(i, j) in(clamp(x + i - width / 2), clamp(y + j - height / 2)).
struct FilterMask {
  int width = 1, height = 1;         // odd, at most kMaxMaskSide
  std::vector<float> weights{1.0f};  // weight (i, j) is weights[j * width + i]; row 0 is the bottom row
  float offset = 0.0f;
  // weight (i, j) = x[i] y[j] within kSeparableTolerance; empty if the mask has a higher rank.
  std::vector<float> x = {}, y = {};
  bool separable() const { return !x.empty(); }
};

// The largest difference between a weight and the product of its factors, relative to the largest weight.
inline constexpr double kSeparableTolerance = 1e-6;

// Returns the mask of a row of filterMasks(), or reads the file. `none` is the identity. Throws UsageError as
// parseMask() does, and if the file cannot be read or exceeds 1 MiB.
FilterMask maskOf(const FilterSettings& filter);

// An upper bound of how far from a pixel the filter reads, in pixels. Reads no file.
int maskReachPx(const FilterSettings& filter);

// Whether the mask depends on FilterSettings::radiusPx.
bool hasRadius(const MaskName& mask);

// Returns the filter for an image of `scale` <= 1 times the resolution that is displayed enlarged: with a scaled
// radius; or no filter if the radius rounds to 0 or the mask has a fixed size.
FilterSettings atScale(FilterSettings filter, float scale);

// Parses {"width": 5, "height": 5, "weights": [...], "scale": 1, "offset": 0}. The weights begin with the top row, each
// row from the left; "scale" multiplies them. In place of "weights", "x" and "y" may give the factors of a separable
// mask, y from the top. Throws UsageError for a key that is missing, unknown, of the wrong type, not finite or out of
// range. The message names `origin`, the file.
FilterMask parseMask(std::string_view text, const std::string& origin);

// Sets x and y of a mask of rank one, from its row and its column through the largest weight. Clears them for a higher
// rank.
void separate(FilterMask& mask);

using MaskPass = MaskPassOf<float>;

// The steps of every variant of a filter: one or two passes, then the offset.
struct FilterPlan {
  std::vector<MaskPass> passes;
  float offset = 0.0f;
};

// The plan of a mask. Throws std::runtime_error if the form is separable and the mask is not.
FilterPlan filterPlan(const FilterMask& mask, FilterForm form);

}  // namespace satdof
