#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/core/files/file_names.h"
#include "app/core/settings.h"
#include "app/lab/plot.h"
#include "app/render/scene_shown.h"
#include "app/trace/show.h"
#include "app/ui/command.h"
#include "app/ui/image/depth_tool.h"
#include "app/ui/image/histogram.h"
#include "app/ui/photographs/file_browser.h"
#include "app/ui/photographs/strip.h"
#include "app/ui/photographs/thumbnails.h"
#include "app/ui/preferences.h"
#include "app/ui/timeline/timeline_state.h"

namespace satdof {

constexpr float kNoticeS = 3.0f;
constexpr float kSavedNoticeS = 10.0f;  // for the name of a written file
constexpr float kHintS = 6.0f;
constexpr float kFocusMarkerS = 0.9f;

// The part of the image that the window shows. Not a setting: files do not contain it.
struct Zoom {
  float scale = 1.0f;    // relative to the image that fits the window; below 1: the image with its surroundings
  glm::vec2 from{0.0f};  // lower left corner of the part, 0 to 1 of the whole image

  bool active() const { return scale > 1.0f; }
  bool operator==(const Zoom&) const = default;
};

// The window of the laboratory.
struct LabPanel {
  bool shown = false;
  std::size_t experiment = 0;  // index into Laboratory::experiments()
  bool running = false;        // the experiment is measured, between frames
  glm::vec2 laidOutFor{0.0f};  // beginBesidePanels()
  lab::PlotOptions plot;
  bool stored = true;  // shows the stored curves of other machines
};

// The window that plays kernels in slow motion.
struct SlowMotionPanel {
  bool shown = false;
  bool open = false;  // record `request` now
  trace::Request request{.kernel = "scan/blelloch", .elements = 64, .blockSize = 32};
  std::string beside;                 // second kernel; empty: none
  int besideBlockSize = 0;            // threads of a block of `beside`; 0: as in `request`
  std::optional<std::size_t> lesson;  // index into the lessons
  std::size_t stop = 0;               // index into the stops of the lesson
  bool goToStop = false;
  bool playing = false;
  float unitsPerS = 4.0f;
  trace::Unit unit = trace::Unit::instruction;
  int stepBy = 0;              // units to advance in this frame
  std::optional<float> seek;   // position to go to, 0 to 1
  glm::vec2 laidOutFor{0.0f};  // beginBesidePanels()
  bool filming = false;        // a video of the whole play is being written
  float filmed = 0.0f;         // progress of that video, 0 to 1
};

// Returns the result without the curves that the panel hides.
inline lab::ExperimentResult shownResult(lab::ExperimentResult result, const LabPanel& panel) {
  if (!panel.stored) std::erase_if(result.curves, [](const lab::Curve& curve) { return !curve.machine.empty(); });
  return result;
}

// The image of bokeh discs in the Lens panel, with the settings that it depends on.
struct LensDiscs {
  LensSettings lens;
  glm::ivec2 size{0};
  glm::vec2 axisPx{0.0f};
  std::vector<float> lights;
};

// An error on the screen.
struct ErrorReport {
  std::string source;  // the action that failed, such as "capture"
  std::string text;
};

// A letter that was typed while letters are keys of the window.
struct TypedLetter {
  char letter;
  double earliestS;  // earliest time at which it was typed
};

// Where and how the user focuses. Points are 0 to 1 of the window, from the bottom left.
struct FocusTools {
  std::optional<glm::vec2> at;                        // click to focus on
  std::vector<glm::vec2> measuredAt;                  // clicks whose distance useDistance() needs
  std::optional<std::vector<glm::vec3>> sharpPlaces;  // clicked places for focusOnPlane(); none: clicks focus
  std::optional<glm::vec2> point;                     // where the focus was set, 0 to 1 of the photograph
  float pointM = 0.0f;                                // LensSettings::focusDistanceM set there; 0: not known yet
  bool showsRing = false;                             // shows the focus ring
  std::optional<FocusPull> pull;                      // running pull to a focus mark
  glm::vec2 marker{0.0f};                             // where the focus was set last
  float markerAgeS = kFocusMarkerS;
};

// Input of the frame, as far as panels and keys share it.
struct FrameInput {
  float frameS = 0.0f;               // duration of the last frame
  double ageS = 0.0;                 // longest time that the input of this frame has waited
  glm::vec2 mouseAt{0.5f};           // the mouse; beside the image: centre of the visible image
  std::optional<float> cursorM;      // distance of the surface under the mouse; none: unknown
  bool flipped = false;              // a key is held that shows B alone
  bool unblurred = false;            // a key is held that shows the image before depth of field
  std::vector<TypedLetter> letters;  // within a second
  bool askedWhetherText = false;
};

struct LoupeView {
  int magnification = 0;            // 0: no loupe
  std::optional<glm::vec3> colour;  // displayed colour of the pixel under the mouse, 0 to 1
  glm::vec2 mark{0.5f};             // Loupe::mark()
};

// What the window tells its user.
struct Notices {
  std::string text;  // one line, shown for kNoticeS
  float ageS = kNoticeS;
  std::string hint;  // shown for kHintS
  float hintAgeS = kHintS;
  std::vector<ErrorReport> errors;  // shown until the user closes them or the action succeeds
  std::string ofImage;              // message of the image, shown with the errors
  std::string closedOfImage;        // message of the image that the user has closed
};

// The part of the image that no panel covers.
struct VisibleImage {
  float left = 0.0f;    // the panels cover the image left of this
  float bottom = 0.0f;  // the timeline covers the image below this

  glm::vec2 from() const { return {left, bottom}; }
  glm::vec2 centre() const { return 0.5f * (1.0f + from()); }
};

// What the image in the window shows of the scene.
struct ShownImage : SceneShown {
  // Corners of the scene in the image at full size. A photograph may have bars beside it.
  glm::vec2 areaFrom{0.0f}, areaTo{1.0f};
};

// The state shared by the user interface and the frame loop: keys, mouse and panels write it, the loop reads it. Points
// are 0 to 1 of the window, from the bottom left.
struct Session {
  Settings settings;
  Preferences preferences;
  ShownImage shown;
  std::vector<CommandRequest> commands;  // not carried out yet
  FrameInput input;
  Notices notices;
  FocusTools focus;
  Zoom zoom;
  VisibleImage visible;
  LoupeView loupe;
  DepthTool brush;
  FileBrowser browser;
  PhotoStrip strip;
  Thumbnails thumbnails;
  LabPanel lab;
  SlowMotionPanel slow;
  Timeline timeline;
  LensDiscs discs;

  std::vector<std::filesystem::path> ownPresets;  // files of looks
  std::filesystem::path presetFolder;
  std::array<char, 128> presetName{};  // to save a preset as
  std::array<char, 512> fileName{};    // to save settings as
  // The button that deletes this file was pressed once; the next press deletes.
  std::filesystem::path askedToDelete;
  std::filesystem::path askedToReplace;  // likewise, the own preset to replace
  bool showKeys = false;
  // First start: the animation rests until the image is at its best or input comes.
  bool restsAtFirst = false;
  bool centreCamera = false;  // shift the camera such that its target is in the centre of the visible image
  // Name of the edit in this frame for undo, such as "Preset: Crowd"; empty: named by its fields.
  std::string action;
  std::string gesture;                         // name of a drag in the timeline for undo
  bool wantsHistogram = false;                 // a panel shows the histogram
  std::shared_ptr<const Histogram> histogram;  // of the image at rest; null: none yet
  // Frames of the film that is refocused, one for each frame of the timeline; 0: no film.
  int inputFrames = 0;
  std::optional<Sequence> sequence;
  std::string videoMissing;               // why no video can be recorded; empty: it can
  std::optional<std::string> estimating;  // last output lines of the depth command; none: it does not run
  std::filesystem::path reading;          // photograph or film that is being read
  unsigned thumbnail = 0;                 // texture of the whole image while zoomed; 0: none
  // Resolved techniques of A and B in the shown image; none before the first image.
  std::optional<std::pair<Technique, Technique>> drawnTechniques;

  void request(CommandRequest command) { commands.push_back(std::move(command)); }

  // Whether a held key shows another image than the settings describe.
  bool peeks() const { return input.flipped || input.unblurred; }

  const Shot& shot() const { return *timeline.shot; }

  // Whether the playhead gives the animation time.
  bool followsShot() const { return timeline.shown && settings.scene.animate && shown.whyStill.empty(); }

  // Whether the frames of the shot are recorded.
  bool filmsShot() const { return sequence && sequence->ofShot; }

  // Whether time changes the image.
  bool moves() const {
    const bool held = timeline.shown && !timeline.playing && !filmsShot();
    return settings.scene.animate && shown.whyStill.empty() && !held && !restsAtFirst;
  }
  bool paused() const { return !settings.scene.animate && shown.whyStill.empty(); }

  // Position of the split line, 0 to 1; at the edge of the panels if they cover it.
  float shownSplit() const { return std::max(settings.split.position, visible.left); }

  void markFocus(glm::vec2 at) {
    focus.marker = at;
    focus.markerAgeS = 0.0f;
  }
  void say(std::string text, float forS = kNoticeS) {
    notices.text = std::move(text);
    notices.ageS = kNoticeS - forS;
  }
  // Says in which folder a file was saved, for kSavedNoticeS. `what`: "Saved a.png".
  void saySaved(const std::filesystem::path& file) { saySaved(file, "Saved " + file.filename().string()); }
  void saySaved(const std::filesystem::path& file, const std::string& what) {
    say(what + " in " + absolutePath(file).parent_path().string(), kSavedNoticeS);
  }
  // Shows an error. Replaces the last error of `source`.
  void report(const std::string& source, std::string text) {
    forget(source);
    notices.errors.push_back({source, std::move(text)});
  }
  // Reports a std::runtime_error that `act` throws.
  template <class Act>
  void attempt(const std::string& source, const Act& act) {
    try {
      act();
    } catch (const std::runtime_error& error) {
      report(source, error.what());
    }
  }
  void closeErrors() {
    notices.errors.clear();
    if (!notices.ofImage.empty()) notices.closedOfImage = std::exchange(notices.ofImage, {});
  }
  void forget(const std::string& source) {
    std::erase_if(notices.errors, [&](const ErrorReport& error) { return error.source == source; });
  }
};

}  // namespace satdof
