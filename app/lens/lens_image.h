#pragma once

namespace satdof {

// What a lens draws: its image, or a debug view of one stage.
enum class LensImage { blurred, nearCoverage, fill, layers, weights, sprites };

// How a lens draws its near field. A scattered near field hides the bokeh sprites behind it by its coverage.
enum class NearField { gathered, scattered };

}  // namespace satdof
