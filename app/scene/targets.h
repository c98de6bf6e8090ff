#pragma once
#include <array>
#include <utility>

#include "app/device/scene_frame.h"
#include "app/gl/program.h"
#include "app/scene/camera.h"

namespace satdof {

// Returns what the driver offers instead of `samples` a pixel; 0 stands for 4, or 1 on software OpenGL. Needs a
// current context.
int offeredSamples(int samples);

// Colour and depth of a scene: several samples a pixel while the scene is drawn, one when it is finished.
// Fragment shaders write both through shaders/scene/output.glsl.
class Targets {
 public:
  // Allocates for images of `size` pixels, with offeredSamples(samples) a pixel, if it did not so before.
  void resize(glm::ivec2 size, int samples);
  glm::ivec2 size() const { return size_; }
  int samples() const { return samples_; }
  // Binds the framebuffer, clears the depth to infinity, and enables reversed depth testing (GL_GREATER, clip
  // z from 0 to 1) and culling. The colour is not cleared: the background covers it.
  void begin();
  // Restores the state that begin() changed and resolves: the colour is the mean of a pixel's samples, the depth is the nearest
  // depth, or the depth of a lamp in the pixel (shaders/scene/resolve.comp). `pinhole` and the smallest distance `nearestM` give the
  // frame's facts.
  SceneFrame finish(const Pinhole& pinhole, float nearestM);
  // In place of begin() and finish(): draws every pixel once with the current program (colour 0, depth 1).
  SceneFrame fill(const Pinhole& pinhole, float nearestM, const SceneLook& look);
  // The number of the image that is held: every begin() and fill() of any targets has another one.
  size_t imageNumber() const { return imageNumber_; }
  // What fill() returned for this image.
  SceneFrame held(const Pinhole& pinhole, float nearestM, const SceneLook& look) const;

  // For surfaces that blend: keeps a copy of the finished colour; binds the framebuffer again, as it was.
  void keepOpaque();
  const gl::Texture* opaque() const { return &opaque_; }
  void resume();
  // Binds the framebuffer of a layer of blended surfaces (front: the second of two), cleared, with the depth buffer of
  // the last image; resolves it.
  void beginLayer(bool front);
  BlendedLayer finishLayer(bool front);

 private:
  struct Layer {
    gl::Texture colour, depth, sampledColour, sampledDepth;
    gl::Framebuffer resolved, sampled;
  };
  void enableTests() const;
  static void disableTests();

  std::pair<glm::ivec2, int> asked_{};  // of resize()
  glm::ivec2 size_{0};
  int samples_ = 0;
  size_t imageNumber_ = 0;
  gl::Texture zBuffer_, sampledColour_;  // the latter only if samples_ > 1
  gl::Texture colour_, depth_;           // one sample a pixel
  gl::Framebuffer sampled_, resolved_;
  gl::Texture opaque_;  // these two are made by the first blended surface
  std::array<Layer, 2> layers_;
  gl::Program resolve_;
};

}  // namespace satdof
