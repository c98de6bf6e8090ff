#include "app/scene/targets.h"

#include <algorithm>
#include <string>

#include "app/gl/software.h"

namespace satdof {

namespace {

std::size_t nextImageNumber() {
  static std::size_t images = 0;
  return ++images;
}

}  // namespace

int offeredSamples(int samples) {
  if (samples == 0) samples = gl::isSoftwareRenderer() ? 1 : 4;
  for (const GLenum limit : {GL_MAX_SAMPLES, GL_MAX_COLOR_TEXTURE_SAMPLES, GL_MAX_DEPTH_TEXTURE_SAMPLES}) {
    GLint offered = 1;
    glGetIntegerv(limit, &offered);
    samples = std::min(samples, offered);
  }
  return std::max(samples, 1);
}

void Targets::resize(glm::ivec2 size, int samples) {
  const std::pair requested(size, samples);
  if (std::exchange(requested_, requested) == requested) return;
  samples = offeredSamples(samples);
  size_ = size;
  zBuffer_ = gl::Texture(GL_DEPTH_COMPONENT32F, size, samples);
  if (colour_.size() != size) {
    colour_ = gl::Texture(GL_RGBA16F, size);
    depth_ = gl::Texture(GL_R32F, size);
  }
  resolved_ = gl::Framebuffer(colour_, depth_, samples > 1 ? nullptr : &zBuffer_);
  sampledColour_ = samples > 1 ? gl::Texture(GL_RGBA16F, size, samples) : gl::Texture();
  sampled_ = samples > 1 ? gl::Framebuffer(sampledColour_, &zBuffer_) : gl::Framebuffer();
  // The driver may give more samples than requested.
  if (samples > 1) glGetNamedFramebufferParameteriv(sampled_.name(), GL_SAMPLES, &samples);
  if (samples > 1 && samples != samples_)
    resolve_ = gl::Program({"scene/resolve.comp"}, {{"SAMPLES", std::to_string(samples)}});
  samples_ = samples;
  imageNumber_ = nextImageNumber();
  opaque_ = {};
  layers_ = {};
}

SceneFrame Targets::fill(const Pinhole& pinhole, float nearestM, const SceneLook& look) {
  imageNumber_ = nextImageNumber();
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  gl::drawFullScreen(resolved_.name(), size_);
  return frame(pinhole, nearestM, look);
}

SceneFrame Targets::frame(const Pinhole& pinhole, float nearestM, const SceneLook& look) const {
  return {{size_, pinhole.focalPx(size_.y), pinhole.nearM, std::max(nearestM, pinhole.nearM)}, &colour_, &depth_, look};
}

void Targets::begin() {
  imageNumber_ = nextImageNumber();
  resume();
  const float infinity = 0.0f;
  glClearNamedFramebufferfv((samples_ > 1 ? sampled_ : resolved_).name(), GL_DEPTH, 0, &infinity);
}

void Targets::resume() {
  glBindFramebuffer(GL_FRAMEBUFFER, (samples_ > 1 ? sampled_ : resolved_).name());
  enableTests();
}

void Targets::enableTests() const {
  glViewport(0, 0, size_.x, size_.y);
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glEnable(GL_CULL_FACE);
  glDisable(GL_BLEND);
}

void Targets::keepOpaque() {
  if (opaque_.size() != size_) opaque_ = gl::Texture(GL_RGBA16F, size_);
  gl::copyColumns(colour_, opaque_);
}

void Targets::beginLayer(bool front) {
  Layer& layer = layers_[front ? 1 : 0];
  if (layer.colour.size() != size_) {
    layer.colour = gl::Texture(GL_RGBA16F, size_);
    layer.depth = gl::Texture(GL_RGBA16F, size_);
    layer.resolved = gl::Framebuffer(layer.colour, layer.depth, samples_ > 1 ? nullptr : &zBuffer_);
    if (samples_ > 1) {
      layer.sampledColour = gl::Texture(GL_RGBA16F, size_, samples_);
      layer.sampledDepth = gl::Texture(GL_RGBA16F, size_, samples_);
      layer.sampled = gl::Framebuffer(layer.sampledColour, layer.sampledDepth, &zBuffer_);
    }
  }
  const GLuint target = (samples_ > 1 ? layer.sampled : layer.resolved).name();
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  const float nothing[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  glClearNamedFramebufferfv(target, GL_COLOR, 0, nothing);
  glClearNamedFramebufferfv(target, GL_COLOR, 1, nothing);
  enableTests();
}

BlendedLayer Targets::finishLayer(bool front) {
  const Layer& layer = layers_[front ? 1 : 0];
  disableTests();
  if (samples_ > 1)
    for (const GLenum attachment : {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1}) {
      glNamedFramebufferReadBuffer(layer.sampled.name(), attachment);
      glNamedFramebufferDrawBuffer(layer.resolved.name(), attachment);
      glBlitNamedFramebuffer(layer.sampled.name(), layer.resolved.name(), 0, 0, size_.x, size_.y, 0, 0, size_.x,
                             size_.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
  return {&layer.colour, &layer.depth};
}

void Targets::disableTests() {
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
}

SceneFrame Targets::finish(const Pinhole& pinhole, float nearestM) {
  disableTests();
  if (samples_ > 1) {
    sampledColour_.bind(0);
    zBuffer_.bind(1);
    for (const GLuint unit : {0u, 1u}) {
      const gl::Texture& target = unit == 0 ? colour_ : depth_;
      glBindImageTexture(unit, target.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, target.format());
    }
    resolve_.dispatch(size_);
  }
  return frame(pinhole, nearestM);
}

}  // namespace satdof
