#include "app/render/lens_effects.h"

#include "app/gl/transfer.h"
#include "app/lens/aperture/diffraction.h"

namespace satdof {

const gl::Texture& LensDepth::draw(Of of, const gl::Texture& depth, const FocusSurface& surface) {
  gl::Texture& result = results_[static_cast<size_t>(of)];
  if (result.size() != depth.size()) result = gl::Texture(depth.format(), depth.size());
  depth.bind(0);
  glBindImageTexture(0, result.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, result.format());
  block_.bind(0, surface);
  (of == Of::back || of == Of::front ? ofSums_ : program_).dispatch(result.size());
  return result;
}

const gl::Target& LensChannels::channel(int index, glm::ivec2 size) {
  gl::Target& target = channels_[static_cast<size_t>(index)];
  if (target.texture.size() != size) target = gl::Target(size);
  return target;
}

void LensChannels::combine(const LensSettings& lens, const SceneFacts& scene, const gl::Target& output) {
  for (GLuint i = 0; i < 3; ++i) channels_[lens.axialColour != 0.0f ? i : 0].texture.bind(i);
  const int spreadPx = lens.diffraction ? diffractionPx(lens, scene.sensorPx()) : 0;
  if (spreadPx > 0) bindSpread(lens, scene, spreadPx);
  block_.bind(0, Channels{.aperture = apertureOf(lens, scene),
                          .growth = lateralGrowth(lens, scene),
                          .vignetting = drawnVignetting(lens),
                          .spreadPx = spreadPx});
  program_.use();
  gl::drawFullScreen(output.framebuffer.name(), output.texture.size());
}

void LensChannels::bindSpread(const LensSettings& lens, const SceneFacts& scene, int spreadPx) {
  const LensSettings spreads{.fNumber = lens.fNumber,
                             .sensorHeightMm = lens.sensorHeightMm,
                             .anamorphicRatio = lens.anamorphicRatio,
                             .blades = lens.blades,
                             .bladeRotationDegrees = lens.bladeRotationDegrees,
                             .bladeCurvature = lens.bladeCurvature,
                             .apertureImage = lens.apertureImage};
  if (spreadOf_ != spreads || spreadSensorPx_ != scene.sensorPx()) {
    const glm::ivec2 size(2 * spreadPx + 1);
    if (spread_.size() != size) spread_ = gl::Texture(GL_RGBA32F, size);
    gl::upload(spread_, gl::kRgbaFloat, diffraction(spreads, scene).data());
    spreadOf_ = spreads;
    spreadSensorPx_ = scene.sensorPx();
  }
  spread_.bind(3);
}

}  // namespace satdof
