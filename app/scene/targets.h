#pragma once
#include <array>
#include <utility>

#include "app/device/scene_frame.h"
#include "app/gl/program.h"
#include "app/scene/camera.h"

namespace satdof {

// Clamps `samples` per pixel to the limits of the driver; 0 stands for 4, or 1 on software OpenGL. Needs a current
// context.
int offeredSamples(int samples);

// Colour and depth targets of a scene: multisampled while the scene is drawn, resolved to one sample per pixel by
// finish(). Fragment shaders write both through shaders/scene/output.glsl.
class Targets {
 public:
  // Allocates images of `size` pixels with offeredSamples(samples) per pixel, unless the last call had the same
  // arguments.
  void resize(glm::ivec2 size, int samples);
  glm::ivec2 size() const { return size_; }
  int samples() const { return samples_; }
  // Binds the framebuffer, clears the depth to infinity, and enables reversed depth testing (GL_GREATER, clip z from 0
  // to 1) and culling. Does not clear the colour: the background covers it.
  void begin();
  // Restores the state that begin() changed and resolves the samples: mean colour, and nearest depth or the depth of a
  // lamp in the pixel (shaders/scene/resolve.comp). `pinhole` and the lower bound `nearestM` become SceneFacts.
  SceneFrame finish(const Pinhole& pinhole, float nearestM);
  // Replaces begin() and finish(): draws every pixel once with the current program (colour to output 0, depth to output
  // 1).
  SceneFrame fill(const Pinhole& pinhole, float nearestM, const SceneLook& look);
  // Identifies the contents: begin() and fill() of all targets take a new number.
  std::size_t imageNumber() const { return imageNumber_; }
  // The frame with the current contents.
  SceneFrame frame(const Pinhole& pinhole, float nearestM, const SceneLook& look = {}) const;

  // Copies the resolved colour to opaque().
  void keepOpaque();
  const gl::Texture* opaque() const { return &opaque_; }
  // Binds the framebuffer with its contents, to draw blended surfaces after finish().
  void resume();
  // Clears and binds a layer of blended surfaces, which share the depth buffer of the last image. `front`: the nearer
  // of two.
  void beginLayer(bool front);
  // Resolves the layer.
  BlendedLayer finishLayer(bool front);

 private:
  struct Layer {
    gl::Texture colour, depth, sampledColour, sampledDepth;
    gl::Framebuffer resolved, sampled;
  };
  void enableTests() const;
  static void disableTests();

  std::pair<glm::ivec2, int> requested_{};  // last arguments of resize()
  glm::ivec2 size_{0};
  int samples_ = 0;
  std::size_t imageNumber_ = 0;
  gl::Texture zBuffer_, sampledColour_;  // sampledColour_: only if samples_ > 1
  gl::Texture colour_, depth_;           // one sample per pixel
  gl::Framebuffer sampled_, resolved_;
  gl::Texture opaque_;           // allocated by keepOpaque()
  std::array<Layer, 2> layers_;  // allocated by beginLayer()
  gl::Program resolve_;
};

}  // namespace satdof
