#pragma once

namespace satdof {

// What a lens draws: its image, or one of its intermediates.
enum class LensImage { blurred, nearCoverage, fill, layers, weights, sprites };

// How a lens draws its near field. A scattered near field also hides the bokeh sprites behind it.
enum class NearField { gathered, scattered };

}  // namespace satdof
