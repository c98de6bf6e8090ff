#pragma once
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

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

// A part of an image that is too large to be drawn as a whole.
struct PartRequest {
  glm::ivec2 from{0}, size{1};  // pixels of the whole image
  float nearestM = 0.1f;        // SceneFacts::nearestM of the whole image
};

// The part of a larger image that a window shows.
struct ZoomRequest {
  ImagePart part;        // of settings.size pixels
  int mostMarginPx = 0;  // drawn around the part; a blur that reaches farther lacks the light from there
};

struct FrameRequest {
  double timeS = 0.0;                // animation time
  std::optional<glm::vec2> focusAt;  // point to focus on, 0 to 1 from the bottom left
  bool focusInShown =
      false;                // focusAt counts from the shown pixels (SceneLook), without the bars beside them
  bool compare = false;     // measure FrameResult::comparison
  bool live = false;        // SceneView::live
  glm::vec2 cursor{0.5f};   // point that views tell about, 0 to 1 from the bottom left
  int samplesPerFrame = 8;  // of the reference lens
  std::function<bool()> yields = nullptr;  // SceneRedraw::yields
  // The image depends on this frame, not on earlier ones: the autofocus jumps. Waits for the GPU.
  bool alone = false;
  bool holdFocus = false;  // the autofocus stays where it is
  glm::vec2 centre{0.5f};  // of the visible image, 0 to 1 from the bottom left
  // Draws this part of the image of settings.size pixels, as if the whole were drawn: without overscan.
  std::optional<PartRequest> part = std::nullopt;
  // Draws a part of a larger image, with the blur of the whole.
  std::optional<ZoomRequest> zoom = std::nullopt;
};

// Results of one frame: plain values that later frames do not change.
struct FrameResult {
  // Both are applied to this frame; applyResult() keeps them for the next frame.
  std::optional<Framing> framing;
  FocusChange focus;
  bool focusPending = false;        // a pick or the autofocus has not arrived yet
  float progress = 1.0f;            // of an image that several frames refine, 0 to 1
  std::string state;                // which device runs, and its state
  std::string atCursor;             // lines of a view about the pixel at the cursor; usually empty
  std::optional<TableMarks> marks;  // of the view under the cursor, if it shows or reads a table
  bool cursorPending = false;       // `atCursor` is of another pixel or image: a later frame brings the lines
  LensKind lens{};                  // that drew A
  SceneShown shown;
  std::string message;     // why a technique could not be made, or why a view is empty; usually empty
  bool lacksFile = false;  // the scene does not show the file that the settings name
  std::optional<LoadStatus> loading;  // of the scene's file, if live
  // PSNR and SSIM of the other side against the reference accumulated so far, if requested and exactly one
  // side is the reference. None until the first measurement arrives, some frames later.
  std::optional<LiveComparison::Result> comparison;
  bool comparisonPending =
      false;  // `comparison` is older than this frame: a newer one arrives some frames later
};

inline void applyResult(Settings& settings, const FrameResult& result) {
  if (result.framing) applyFraming(settings, *result.framing);
  applyFocus(settings.lens, result.focus);
}

// Draws frames: scene -> table -> lens -> image.
class Renderer {
 public:
  // `scene`: for renderers that draw the same scene; null: its own.
  explicit Renderer(std::shared_ptr<SharedScene> scene = nullptr);
  ~Renderer();
  // For another renderer.
  const std::shared_ptr<SharedScene>& sharedScene() const;

  // Draws an image of settings.size pixels. Rebuilds what changed sizes and techniques require. If a
  // technique cannot be made, the last good one stays and FrameResult::message says why. Throws
  // std::runtime_error if there is no good one yet.
  FrameResult render(const Settings& settings, const FrameRequest& request, Timings& timings);

  // Returns the distance in metres of the surface at `at` (0 to 1 from the bottom left) in the last frame that has
  // arrived: some calls later, so nothing waits, unless it `waits`. Infinity for the sky; none before the first answer.
  std::optional<float> distanceAt(glm::vec2 at, bool waits = false);

  // The scene of the last frame, before the lens, settings.size pixels. Valid until the next render(); call render()
  // first.
  SceneFrame scene();

  // Of the last frame: overscanPart() in app/render/overscan.h.
  int overscanPart() const;

  // The finished image: GL_RGBA16F, linear light before exposure and tone curve, settings.size pixels.
  const gl::Texture& image() const;

  // Puts `rgba`, four floats a pixel, bottom row first, in the place of image() until the next render().
  void replaceImage(std::span<const float> rgba);

  // Draws the image into `framebuffer` (0 is the window), scaled to `size`, with exposure, tone curve and
  // sRGB encoding. Debug views get only the sRGB encoding. `opacity`: of the image, which it divides; null: opaque.
  void present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings,
               const CrossFade& fade = {}, const gl::Texture* opacity = nullptr);

  // Frees what the last render() did not use, such as B after a comparison.
  void freeUnused();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace satdof
