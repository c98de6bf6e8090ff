#pragma once
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/quality/live_comparison.h"

namespace satdof {

struct FrameRequest {
  double timeS = 0.0;                // animation time
  std::optional<glm::vec2> focusAt;  // focus on what is seen there, 0 to 1 from the bottom left
  bool compare = false;              // measure for comparison()
  glm::vec2 cursor{0.5f};            // where the view footprint looks, 0 to 1 from the bottom left
};

// One frame: scene -> table -> lens -> image. See docs for the figure.
class Renderer {
 public:
  Renderer();
  ~Renderer();

  // Draws an image of settings.size pixels. Sizes and devices that changed since the last call are made
  // anew. Writes settings.lens.focusDistanceM when a pick or the autofocus moves it (frames later: nothing
  // waits for the GPU). When a technique cannot be made the last good one stays, and the reason is in
  // message().
  void render(Settings& settings, const FrameRequest& request, Timings& timings);

  // The finished image: GL_RGBA16F, linear light before exposure and tone curve, settings.size pixels.
  const gl::Texture& image() const;

  // Exposure, tone curve, sRGB encoding and debug colours into `framebuffer` (0 is the window), scaled to
  // `size`.
  void present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings);

  // Lines for the panel: which device runs, its state, the last failure. Empty when there is nothing to say.
  std::string state() const;
  std::string message() const;
  // Whether picks or autofocus are still on their way (a headless run waits for them before its last frame).
  bool focusPending() const;
  // How much of an image that is refined over several frames is done, 0 to 1.
  float progress() const;
  // Where that is asked for and one of two techniques is the reference, how near the other is to what there
  // is of it, and the reference's halves to each other; none until that is measured (frames later: nothing
  // waits).
  std::optional<LiveComparison::Result> comparison() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace satdof
