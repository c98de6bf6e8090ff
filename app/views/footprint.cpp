#include "app/views/footprint.h"

#include <algorithm>
#include <cmath>

#include "app/core/text/formatted.h"
#include "app/lens/blur_rule.h"
#include "app/lens/thin_lens.h"

namespace satdof {

FootprintView::FootprintView()
    : program_({"common/fullscreen.vert", "views/footprint.frag"}),
      numbers_(GL_RGBA32F, {2, 1}),
      framebuffer_(numbers_),
      reads_(reading_.size()) {}

void FootprintView::draw(const FootprintInputs& inputs, glm::ivec2 at, const gl::Texture& blurred,
                         const gl::Framebuffer& output) {
  const SceneFrame& scene = inputs.scene;
  shape_ = inputs.lens.footprint;
  steps_ = inputs.settings.kernelSteps;
  radius_.bind(0, inputs.lens.rule->values(inputs.settings, scene));
  Cursor cursor{at, static_cast<int>(shape_), steps_};
  scene.colour->bind(0);
  scene.depth->bind(1);
  program_.use();

  if (const auto values = reads_.poll(); !values.empty()) {
    std::ranges::copy(values, reading_.begin());
    arrived_ = true;
  }
  at_ = at;
  if (!inputs.repeats) requested_.reset();
  if (reads_.inFlight() == 0 && requested_ != at) {
    blurred.bind(2);
    cursor.reading = 1;
    cursor_.bind(1, cursor);
    gl::drawFullScreen(framebuffer_.name(), numbers_.size());
    reads_.request(numbers_, {0, 0}, numbers_.size(), 4);
    requested_ = at;
  }
  glBindTextureUnit(2, 0);
  cursor.reading = 0;
  cursor_.bind(1, cursor);
  gl::drawFullScreen(output.name(), scene.size);
}

std::string FootprintView::text() const {
  if (!arrived_) return {};
  const auto [red, green, blue, alpha, radiusPx, inner, outerWeight, areaPx] = reading_;
  const int n = static_cast<int>(inner);
  const char* const lookUps = radiusPx < 0 ? "additions" : "look-ups";
  const std::string shape =
      std::abs(radiusPx) <= glsl::kUntouchedPx ? "untouched"
      : shape_ == Footprint::disc
          ? formatted("disc of %d px radius in %d steps, %d %s", n, steps_, 8 * (2 * steps_ - 1), lookUps)
      : shape_ == Footprint::tent ? formatted("tent of %d to %d px half-height, 18 look-ups", n, n + 1)
                                  : formatted("box of %d to %d px height, 8 look-ups", 2 * n + 1, 2 * n + 3);
  const auto wide = [](float v) { return static_cast<double>(v); };
  return formatted("circle of confusion %.2f px\n%s\n%.1f px of area\nmean %.3f %.3f %.3f", wide(2.0f * radiusPx),
                   shape.c_str(), wide(areaPx), wide(red), wide(green), wide(blue));
}

}  // namespace satdof
