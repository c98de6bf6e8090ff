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
#include "app/run/window/renderers.h"
#include "app/run/window/shown_quality.h"
#include "app/run/window/thumbnail.h"
#include "app/ui/session.h"

namespace satdof {

// The image in a window: its quality, when it is drawn again, the memory that it takes. Reports failures in the session.
class WindowImage {
 public:
  // `scripted`: the run has a number of frames. It draws the settings as they are and throws every failure.
  // `inputWaits` tells whether input has arrived that no frame has taken.
  WindowImage(Session& session, bool scripted, std::function<bool()> inputWaits)
      : session_(session),
        scripted_(scripted),
        inputWaits_(std::move(inputWaits)),
        observed_{.settings = imageOf(session.settings)} {}

  // Chooses what the next frame shows. `input`: some has arrived. `held`: a mouse button or a key is down. Returns whether
  // Quality::shown is another one.
  bool choose(bool input, bool held);
  // Whether choose() would choose another quality: now; with time alone.
  bool wouldChoose() const;
  bool willChoose() const;
  // Whether the image must be drawn again. `cursor` in all functions: 0 to 1 from the bottom left.
  bool changed(glm::vec2 cursor) const;

  // Draws the image, or reports why that fails: then it is black until something changes. If a stage throws
  // gl::FrameAbandoned, the last image stays. `alone`: FrameRequest::standalone.
  FrameResult draw(const Settings& settings, float timeS, glm::vec2 cursor, bool alone, Timings& timings);
  // Whether draw() is drawing an image that input may end, with gl::FrameAbandoned.
  bool yields() const;
  // Shows the image in the window.
  void present(Timings& timings);
  // Call when the frame is on the screen: measures the time since draw().
  void finish();

  // The settings of the best image of others, or of these as they are.
  Settings fileSettings(const Settings& settings) const;
  // Ends the reading of the scene's file.
  void cancelLoading() { renderers_.cancelLoading(session_.settings.scene.kind); }
  // Calls take() with the reference if it is shown alone, else with the best image.
  using Take = std::function<void(Renderer&, const Settings&, const CaptureOptions&)>;
  void capture(CaptureOptions options, float timeS, const Take& take);

  // About the seconds that an image of `size` takes to draw; 0: unknown.
  float expectedS(glm::ivec2 size) const;

  // Whether memory of earlier images waits to be freed. tidy() frees it some seconds after the images began to change.
  bool untidy() const { return renderers_.untidy(); }
  void tidy();

  // Of the last draw().
  const FrameResult& result() const { return drawn().result; }
  // Whether the last image shows the file that the scene names.
  bool showsFile() const;
  // What the window shows, in words; so few that the panels below do not jump between one line and two.
  std::string text() const;
  // See Renderer::distanceAt().
  std::optional<float> distanceAt(glm::vec2 cursor, bool waits = false);
  // For thumbnails.
  Renderer& thumbnailRenderer() { return renderers_.ofThumbnail(); }
  // That draws the image.
  Renderer& renderer() { return renderers_.of(wanted().shown, session_.peeks()); }

 private:
  struct Shows {
    Settings settings;  // imageOf() of them
    Quality quality{};
    Zoom zoom{};
    int depthEdits = 0;
    bool operator==(const Shows&) const = default;
  };

  // The last draw().
  struct Drawn {
    std::optional<Shows> shows;   // none before the first
    std::optional<Shows> failed;  // the same, if it failed
    FrameResult result;
    bool first = false;  // of these shows: the autofocus has measured the image before
    int reloads = 0;
    glm::vec2 cursor{0.0f}, centre{0.5f};
  };
  Drawn& drawn() { return drawn_[session_.peeks() ? 1 : 0]; }
  const Drawn& drawn() const { return drawn_[session_.peeks() ? 1 : 0]; }

  // With the zoom and the edits of now.
  Shows showsOf(const Settings& settings, const Quality& quality = {}) const;
  QualitySettings qualitySettings() const;
  QualityInputs qualityInputs() const;
  // What draw() draws: the chosen quality, but no reference while a key shows another image.
  Quality wanted() const;
  Settings flip(const Settings& settings) const;
  Settings shownSettings(Settings settings) const;
  Settings affordable(Settings settings);
  // For images of `size` pixels; none while the whole image is shown.
  std::optional<ZoomRequest> zoomOf(const Settings& settings);
  void drawThumbnail(const Settings& settings, float timeS);
  bool refines() const;
  FrameResult renderOrReport(const Settings& shown, const FrameRequest& request, const Shows& now,
                             Timings& timings);
  FrameResult renderOnWorkingDevices(const Settings& shown, const FrameRequest& request, Timings& timings);
  bool leaveLostDevices();
  void expectTidying();

  Session& session_;
  const bool scripted_;
  std::function<bool()> inputWaits_;
  Renderers renderers_;
  ShownQuality quality_;
  AffordableSize affordable_, affordableZoom_;
  Thumbnail thumbnail_;
  std::array<Drawn, 2> drawn_;          // while a key shows another image: the second
  Shows observed_;                      // in the last choose(), of any quality
  std::optional<Settings> allocated_;   // allocating() the settings of the last draw()
  std::optional<double> yieldsSinceS_;  // in a draw() that input may end
  bool held_ = false;                   // a mouse button or a key is down, as of the last choose()
  bool replaced_ = false;               // since then a capture drew another size
  std::optional<double> drawStartS_;
  double inputS_ = -1e9;  // time of the last input
  Timings untimed_;       // of images for captures alone
};

}  // namespace satdof
