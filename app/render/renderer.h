#pragma once
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/quality/live_comparison.h"
#include "app/render/focus.h"

namespace satdof {

struct FrameRequest {
  double timeS = 0.0;                // animation time
  std::optional<glm::vec2> focusAt;  // focus on what is seen there, 0 to 1 from the bottom left
  bool compare = false;              // measure FrameResult::comparison
  glm::vec2 cursor{0.5f};            // where the view footprint looks, 0 to 1 from the bottom left
};

// What one frame found out. Plain values: they stay as they are when the renderer draws again.
struct FrameResult {
  FocusChange focus;          // the frame is drawn with it; applyFocus() keeps it for the next one
  bool focusPending = false;  // a pick or the autofocus has not arrived yet
  float progress = 1.0f;      // of an image that is refined over several frames, 0 to 1
  std::string state;          // which device runs, and its state
  std::string message;        // why a technique could not be made, or why a view is empty; usually empty
  // PSNR and SSIM of the other side against the reference accumulated so far, if requested and one of two
  // sides is the reference. None until the first measurement arrives, some frames later.
  std::optional<LiveComparison::Result> comparison;
};

inline void applyFocus(Settings& settings, const FrameResult& result) {
  applyFocus(settings.lens, result.focus);
}

// One frame: scene -> table -> lens -> image. See docs for the figure.
class Renderer {
 public:
  Renderer();
  ~Renderer();

  // Draws an image of settings.size pixels. Sizes and techniques that changed since the last call are made
  // again. If a technique cannot be made, the last good one stays and FrameResult::message says why. Throws
  // std::runtime_error if there is no good one yet.
  FrameResult render(const Settings& settings, const FrameRequest& request, Timings& timings);

  // The finished image: GL_RGBA16F, linear light before exposure and tone curve, settings.size pixels.
  const gl::Texture& image() const;

  // Exposure, tone curve, sRGB encoding and debug colours into `framebuffer` (0 is the window), scaled to
  // `size`.
  void present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace satdof
