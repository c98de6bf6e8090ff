#include "app/render/lens_effects.h"

#include "app/lens/aperture/diffraction.h"

namespace satdof {

const gl::Texture& LensDepth::draw(Layer layer, const gl::Texture& depth, const FocusSurface& surface) {
  gl::Texture& result = results_[static_cast<std::size_t>(layer)];
  if (result.size() != depth.size()) result = gl::Texture(depth.format(), depth.size());
  depth.bind(0);
  glBindImageTexture(0, result.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, result.format());
  block_.bind(0, surface);
  const bool blended = layer == Layer::blendedBack || layer == Layer::blendedFront;
  (blended ? blendedProgram_ : program_).dispatch(result.size());
  return result;
}

const gl::Target& LensChannels::drawn(glm::ivec2 size) {
  if (drawn_.texture.size() != size) drawn_ = gl::Target(size);
  return drawn_;
}

void LensChannels::keep(int channel) {
  const gl::Texture& drawn = drawn_.texture;
  if (static_cast<std::size_t>(channel) == kept_.size()) return;
  gl::Texture& kept = kept_[static_cast<std::size_t>(channel)];
  if (kept.size() != drawn.size()) kept = gl::Texture(drawn.format(), drawn.size());
  gl::copyRegion(drawn, glm::ivec2(0), kept);
}

void LensChannels::combine(const LensSettings& lens, const SceneFacts& scene, const gl::Target& output) {
  drawn_.texture.bind(2);
  for (GLuint i = 0; i < 2; ++i) (lens.axialColour != 0.0f ? kept_[i] : drawn_.texture).bind(i);
  const int psfRadiusPx = lens.diffraction ? diffractionPx(lens, scene.sensorPx()) : 0;
  if (psfRadiusPx > 0) bindPsf(lens, scene);
  block_.bind(0, Channels{.aperture = apertureOf(lens, scene),
                          .growth = lateralGrowth(lens, scene),
                          .vignetting = drawnVignetting(lens),
                          .psfRadiusPx = psfRadiusPx});
  const gl::Texture& image = output.texture;
  glBindImageTexture(0, image.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, image.format());
  (psfRadiusPx > 0 ? psfProgram_ : program_).dispatch(image.size());
}

void LensChannels::bindPsf(const LensSettings& lens, const SceneFacts& scene) {
  const LensSettings aperture{.fNumber = lens.fNumber,
                              .sensorHeightMm = lens.sensorHeightMm,
                              .anamorphicRatio = lens.anamorphicRatio,
                              .blades = lens.blades,
                              .bladeRotationDegrees = lens.bladeRotationDegrees,
                              .bladeCurvature = lens.bladeCurvature,
                              .apertureImage = lens.apertureImage};
  if (psfLens_ != aperture || psfSensorPx_ != scene.sensorPx()) {
    const std::vector<glm::vec4> light = diffraction(aperture, scene);
    psf_ = gl::Buffer(static_cast<GLsizeiptr>(light.size() * sizeof(light[0])), light.data());
    psfLens_ = aperture;
    psfSensorPx_ = scene.sensorPx();
  }
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, psf_.name());
}

}  // namespace satdof
