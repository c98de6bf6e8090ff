#pragma once
#include <array>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/render/changes.h"
#include "app/render/renderer.h"
#include "app/run/capture.h"
#include "app/run/limits.h"
#include "app/run/window/files/thumbnail.h"
#include "app/run/window/renderers.h"
#include "app/run/window/shown_quality.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the image of a window: chooses its quality, knows when it must be drawn again, and frees memory. Reports
// failures in the session. While a key shows another image (Session::peeks()), that image has its own renderer and
// state.
class WindowImage {
 public:
  // `scripted`: CommandLine::scripted(): draws the settings as they are and throws every failure. `inputWaits`:
  // whether input has arrived that no frame has taken.
  WindowImage(Session& session, bool scripted, std::function<bool()> inputWaits)
      : session_(session),
        scripted_(scripted),
        inputWaits_(std::move(inputWaits)),
        observed_{.settings = imageOf(session.settings)} {}

  // Chooses the quality of the next frame. `input`: input has arrived. `held`: a mouse button or key is down. Returns
  // whether Quality::shown has changed.
  bool choose(bool input, bool held);
  // Whether choose() would choose another quality now; whether it will with time alone.
  bool wouldChoose() const;
  bool willChoose() const;
  // Whether the image must be drawn again. `cursor` in all functions: the mouse, 0 to 1 from the bottom left.
  bool changed(glm::vec2 cursor) const;

  // Draws the image. If that fails, reports why; the window is black then until something changes. If a stage
  // throws FrameAbandoned, the last image stays. `alone`: FrameRequest::standalone.
  FrameResult draw(const Settings& settings, float timeS, glm::vec2 cursor, bool alone, Timings& timings);
  // What may now abandon the image that draw() draws, with FrameAbandoned.
  ShownQuality::EndedBy endedBy() const;
  // Draws the image into the back buffer of the window.
  void present(Timings& timings);
  // Call after the buffers are swapped: measures the time since draw() began.
  void finish();

  // The settings that captures draw: of the best image, or unchanged if quality does not adapt.
  Settings fileSettings(const Settings& settings, bool asShown = false) const;
  // Ends reading the file of the scene.
  void cancelLoading() { renderers_.cancelLoading(session_.settings.scene.kind); }
  // Calls take() with the renderer and settings of the image to capture: the finished reference if it is shown,
  // else the best image.
  using Take = std::function<void(Renderer&, const Settings&, const CaptureOptions&)>;
  void capture(CaptureOptions options, float timeS, const Take& take);

  // Estimated seconds to draw an image of `size` pixels; 0: unknown.
  float expectedS(glm::ivec2 size) const;

  // Whether tidy() will free memory, some seconds after images of another size or lens were allocated.
  bool untidy() const { return renderers_.untidy(); }
  void tidy();

  // The result of the last draw().
  const FrameResult& result() const { return drawn().result; }
  // Whether the last image shows the photograph that the settings name.
  bool showsFile() const;
  // The quality of the image, "Quick at 70 % (box), best at rest"; empty if quality does not adapt. Short enough for
  // one line of a panel.
  std::string text() const;
  // See Renderer::distanceAt().
  std::optional<float> distanceAt(glm::vec2 cursor, bool waits = false);
  Renderer& thumbnailRenderer() { return renderers_.get(Renderers::Kind::thumbnail); }
  // The renderer of the image.
  Renderer& renderer() { return renderers_.get(kindOf(wanted().shown)); }

 private:
  // Everything that the image depends on but time and cursor.
  struct Shows {
    Settings settings;  // after imageOf()
    Quality quality{};
    Zoom zoom{};
    int depthEdits = 0;
    bool operator==(const Shows&) const = default;
  };

  // State of the last draw().
  struct Drawn {
    std::optional<Shows> shows;   // none before the first draw()
    std::optional<Shows> failed;  // equals `shows` if drawing failed
    FrameResult result;
    bool first = false;  // first draw of `shows`: the autofocus has measured an earlier image
    int reloads = 0;     // gl::shaderReloads()
    glm::vec2 cursor{0.0f}, centre{0.5f};
  };
  Renderers::Kind kindOf(Shown shown) const {
    return session_.peeks() ? Renderers::Kind::peek : Renderers::kindOf(shown);
  }
  Drawn& drawn() { return drawn_[session_.peeks() ? 1 : 0]; }
  const Drawn& drawn() const { return drawn_[session_.peeks() ? 1 : 0]; }

  // With the current zoom and depth edits.
  Shows showsOf(const Settings& settings, const Quality& quality = {}) const;
  QualitySettings qualitySettings() const;
  QualityInputs qualityInputs() const;
  // The quality that draw() draws: the chosen one, but not the reference while Session::peeks().
  Quality wanted() const;
  // The settings of the image that a key shows, or unchanged.
  Settings peeked(const Settings& settings) const;
  // The settings of the wanted quality.
  Settings shownSettings(Settings settings) const;
  // The settings with a smaller size if the image needs more memory than is free. Reports that.
  Settings affordable(Settings settings);
  // The part of the image that is drawn; nothing while the whole image is shown.
  std::optional<ZoomRequest> zoomOf(const Settings& settings);
  // Whether the image of these settings has marks that its file lacks.
  bool hasAids(const Settings& settings, bool asShown) const;
  void setShown(const SceneShown& shown);
  void drawThumbnail(const Settings& settings, float timeS);
  // Whether the image needs further samples. Slow samples wait while input arrives.
  bool refines() const;
  FrameResult renderOrReport(const Settings& shown, const FrameRequest& request, const Shows& now, Timings& timings);
  // Renders. If a device fails meanwhile, renders again without it.
  FrameResult renderOnWorkingDevices(const Settings& shown, const FrameRequest& request, Timings& timings);
  // Replaces devices that have failed by automatic ones, and frees their renderers. Returns whether there are any.
  // A scripted run keeps its devices.
  bool replaceFailedDevices();
  void expectTidying();

  Session& session_;
  const bool scripted_;
  std::function<bool()> inputWaits_;
  Renderers renderers_;
  ShownQuality quality_;
  AffordableSize affordable_, affordableZoom_;
  Thumbnail thumbnail_;
  std::array<Drawn, 2> drawn_;          // the second while Session::peeks()
  Shows observed_;                      // in the last choose(), without quality
  std::optional<Settings> allocated_;   // allocating() of the last draw()
  std::optional<double> yieldsSinceS_;  // start of a draw() that input may abandon
  bool held_ = false;                   // a mouse button or a key is down, as of the last choose()
  bool replaced_ = false;               // the renderer holds the image of a capture, or a part of an image
  std::optional<double> drawStartS_;    // of a draw() whose time counts
  double inputS_ = -1e9;                // time of the last input
  Timings untimed_;                     // for images whose times do not count
};

}  // namespace satdof
