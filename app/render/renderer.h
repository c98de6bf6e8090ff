#pragma once
#include <array>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/core/pixels.h"
#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/gl/objects.h"
#include "app/quality/live_comparison.h"
#include "app/render/focus.h"
#include "app/render/present.h"
#include "app/render/scene_shown.h"
#include "app/scene/registry.h"
#include "app/views/table_reading.h"

namespace satdof {

// A tile of an image that is too large to be drawn as a whole.
struct PartRequest {
  PixelRectangle tile;    // of the whole image
  float nearestM = 0.1f;  // SceneFacts::nearestM of the whole image
};

// The part of a larger image that a window shows.
struct ZoomRequest {
  ImagePart part;  // of settings.size pixels
  // Widest margin drawn around the part; a larger blur lacks light from beyond the margin.
  int maxMarginPx = 0;
};

// Points are 0 to 1 of the shown image, from the bottom left.
struct FrameRequest {
  double timeS = 0.0;                      // animation time
  std::optional<glm::vec2> focusAt;        // a pick: point to focus on
  bool focusInPhotograph = false;          // focusAt is 0 to 1 of the photograph without its bars
  bool compare = false;                    // measure FrameResult::comparison
  bool live = false;                       // SceneView::live
  glm::vec2 cursor{0.5f};                  // point that debug views report
  int samplesPerFrame = 8;                 // of the reference lens
  std::function<bool()> yields = nullptr;  // SceneRedraw::yields
  // Makes the image independent of earlier frames: the autofocus jumps to its target. Waits for the GPU.
  bool standalone = false;
  bool holdFocus = false;  // keeps the focus where the autofocus left it
  glm::vec2 centre{0.5f};  // centre of the visible part of the image
  // Draws only this tile of the image of settings.size pixels, blurred as in the whole image; without overscan.
  std::optional<PartRequest> part = std::nullopt;
  // Draws settings.size pixels of a larger image, blurred as in the whole image.
  std::optional<ZoomRequest> zoom = std::nullopt;
};

// Results of one frame: plain values that later frames do not change.
struct FrameResult {
  // Framing and focus are applied to this frame; applyResult() writes them to the settings of the next frame.
  std::optional<Framing> framing;
  FocusChange focus;
  bool focusPending = false;              // Focus::pending()
  bool isDraft = false;                   // SceneFrame::isDraft
  float progress = 1.0f;                  // of an image that several frames refine, 0 to 1
  std::string state;                      // the devices in use, and their states
  std::string atCursor;                   // lines of a debug view about the pixel at the cursor; usually empty
  std::optional<TableMarks> marks;        // if the view at the cursor shows or reads a table
  bool cursorPending = false;             // atCursor describes an older pixel or image: a later frame brings the lines
  std::array<Technique, 2> techniques{};  // of A and B, resolved; of B only if it is shown
  SceneShown shown;
  std::string message;                  // why a technique could not be made, or why a view is empty; usually empty
  bool lacksFile = false;               // the scene does not show the file that the settings name
  std::optional<LoadStatus> loading{};  // of the scene's file, if live
  // PSNR and SSIM of the other side against the reference accumulated so far, if requested and exactly one side is the
  // reference. None until the first measurement arrives, some frames later.
  std::optional<LiveComparison::Result> comparison;
  // `comparison` is older than this frame: a newer one arrives some frames later.
  bool comparisonPending = false;
};

inline void applyResult(Settings& settings, const FrameResult& result) {
  if (result.framing) applyFraming(settings, *result.framing);
  applyFocus(settings.lens, result.focus);
}

// Draws frames: scene -> table -> lens -> image.
class Renderer {
 public:
  // `scene`: shared with other renderers that draw the same scene; null: a scene of its own.
  explicit Renderer(std::shared_ptr<SharedScene> scene = nullptr);
  ~Renderer();
  // The scene, for the constructor of another renderer.
  const std::shared_ptr<SharedScene>& sharedScene() const;

  // Draws an image of settings.size pixels. Rebuilds what a change of size or technique requires. If a technique cannot
  // be made, the last good one stays and FrameResult::message gives the reason. Throws std::runtime_error if there is
  // no good one yet.
  FrameResult render(const Settings& settings, const FrameRequest& request, Timings& timings);

  // Returns the distance in metres of the surface at `at` (0 to 1 from the bottom left); infinity for the sky. The
  // answer is of an earlier call and frame; none before the first answer. With `waits`, waits for the answer to this
  // call.
  std::optional<float> distanceAt(glm::vec2 at, bool waits = false);

  // The scene of the last frame, before the lens, settings.size pixels. Valid until the next render().
  // Call render() first.
  SceneFrame scene();

  // overscanDivisor() of app/render/overscan.h in the last frame.
  int overscanDivisor() const;

  // The finished image: GL_RGBA16F, linear light before exposure and tone curve, settings.size pixels.
  const gl::Texture& image() const;

  // Replaces image() until the next render() by `rgba`: four floats a pixel, bottom row first.
  void replaceImage(std::span<const float> rgba);

  // Draws image() into `framebuffer` (0 is the window), scaled to `size`, with exposure, tone curve and sRGB encoding.
  // Debug views get only the sRGB encoding. `opacity`: divides the image, which is premultiplied by it; null: opaque.
  void present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings,
               const CrossFade& fade = {}, const gl::Texture* opacity = nullptr);

  // Frees what the last render() did not use, such as the images of B after a comparison.
  void freeUnused();
  // Frees all images: before images of another size are allocated, where memory is short. Call render() before any
  // other function.
  void freeImages();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace satdof
