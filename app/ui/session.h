#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/core/file_names.h"
#include "app/core/settings.h"
#include "app/core/shot_edit.h"
#include "app/core/shutter.h"
#include "app/io/exif.h"
#include "app/lab/plot.h"
#include "app/render/scene_shown.h"
#include "app/scene/image/depth_brush.h"
#include "app/scene/scene.h"
#include "app/trace/show.h"
#include "app/ui/ask.h"
#include "app/ui/file_browser.h"
#include "app/ui/histogram.h"
#include "app/ui/strip.h"
#include "app/ui/thumbnails.h"

namespace satdof {

constexpr float kNoticeS = 3.0f;
constexpr float kSavedNoticeS = 10.0f;  // of the name of a written file
constexpr float kHintS = 6.0f;
constexpr float kFocusMarkerS = 0.9f;

// The settings of the Capture panel.
struct CaptureSettings {
  std::string format;                       // name of a CaptureChoice (app/io/codec.h); another: the first
  int quality = 92;                         // of a lossy format
  KeepMetadata keep = KeepMetadata::noGps;  // of a photograph
  bool windowSize = true;                   // of a photograph: its full size
  glm::ivec2 size{3840, 2160};              // unless windowSize
  bool withUi = false;                      // at window size only
  int sequenceFrames = 120;
  float framesPerSecond = 30.0f;
  std::string name;                 // of the files, before their number; empty: captureName()
  std::string folder;               // empty: where the program runs
  bool video = true;                // of a sequence, if ffmpeg is installed; else numbered images
  std::string videoFormat = "mp4";  // one of kVideoFormats
  Shutter shutter;                  // of a film of the timeline

  bool recordsPanels() const { return windowSize && withUi; }
};

// The part of the image that the window shows: no setting, so that no file holds it.
struct Zoom {
  float scale = 1.0f;    // of the image that fits the window; below 1: with its surroundings
  glm::vec2 from{0.0f};  // lower left corner of the part, 0 to 1 of the whole image

  bool active() const { return scale > 1.0f; }
  bool operator==(const Zoom&) const = default;
};

// The window of the laboratory.
struct LabPanel {
  bool shown = false;
  std::size_t experiment = 0;  // index of the table
  bool running = false;        // the experiment runs, between frames
  glm::vec2 laidOutFor{0.0f};  // size of the screen
  lab::PlotOptions plot;
  bool stored = true;  // curves of other machines are shown
};

// The window that plays kernels in slow motion.
struct SlowMotionPanel {
  bool shown = false;
  bool open = false;  // record the choice now
  trace::Request request{.kernel = "scan/blelloch", .elements = 64, .blockSize = 32};
  std::string beside;                 // a second kernel; empty: none
  int besideBlockSize = 0;            // threads of a block of `beside`; 0: as in `request`
  std::optional<std::size_t> lesson;  // index of the lessons
  std::size_t stop = 0;               // of the lesson
  bool goToStop = false;
  bool playing = false;
  float unitsPerS = 4.0f;
  trace::Unit unit = trace::Unit::instruction;
  int stepBy = 0;              // units to go in this frame
  std::optional<float> seek;   // 0 to 1
  glm::vec2 laidOutFor{0.0f};  // size of the screen
  bool filming = false;        // a video of the whole play is written
  float filmed = 0.0f;         // 0 to 1
};

// The result without the curves that the panel hides.
inline lab::ExperimentResult shownResult(lab::ExperimentResult result, const LabPanel& panel) {
  if (!panel.stored)
    std::erase_if(result.curves, [](const lab::Curve& curve) { return !curve.machine.empty(); });
  return result;
}

// A sequence that is being recorded, one image per frame: numbered images or a video.
struct Sequence {
  int frames = 0;
  int written = 0;
  bool video = false;
  bool paused = false;   // no further frame is drawn
  bool ofShot = false;   // the frames of the shot
  long firstOfShot = 0;  // number of the shot's frame that comes first
};

// The shot of the window: how it is shown, played and edited (app/ui/timeline.h).
struct Timeline {
  bool shown = false;
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::shared_ptr<ShotFile> file = std::make_shared<ShotFile>();  // where `shot` was opened or saved
  double timeS = 0.0;                                             // of the playhead
  bool moved = false;                                             // the playhead, in this frame
  bool playing = false;
  bool loops = true;
  bool recordsEdits = false;                       // edits of settings with a track set keys
  std::optional<std::pair<double, double>> range;  // that is played, in seconds; none: the whole shot
  std::set<KeyId> selected;
  std::vector<std::string> keyboardAt;  // the tracks of the row where the keyboard is, in this frame
  bool curves = false;                  // the curves of the values are shown
  bool cameraOpen = false;              // each track of the camera has a row
  std::optional<std::pair<double, double>> view;  // seconds that the rows show; none: the whole shot
  std::optional<float> pullFromM;                 // a pull waits for the click that tells where it ends
  bool pullClicked = false;                       // then
  std::optional<double> filmedFromS;              // where the playhead stood before the film
  std::array<char, 256> fileName{"shot.json"};    // to save the shot in, if no other has it
  std::optional<CameraPathOf> saveAs;             // of another program; none: the shot
};

// A pull of the focus to a mark.
struct FocusPull {
  float fromM = 0, toM = 0, lastM = 0;  // the focus at its start and end, and now
  double atS = 0;                       // since its start
};

// Numbers of the ready-made shots.
struct ReadyNumbers {
  float lengthS = 4.0f;
  float turnDegrees = 360.0f;  // of a turntable
  float pullToM = 0.0f;        // of a rack focus; 0: to the surface that is clicked next
  float dollyFactor = 2.0f;    // of the distance
};

// An image and its depth that were shown, how the numbers of the depth were read, and the look and the focus of a photograph of a strip
// with own looks.
struct RecentImage {
  FilePath file, depth;
  DepthReading reading{};
  std::optional<Settings> left{};
  bool operator==(const RecentImage&) const = default;
};

// The preset that was chosen or saved last.
struct ChosenPreset {
  std::string name;
  Settings settings;
};

// The camera and the lens of a scene as it was left.
struct LeftScene {
  Framing framing;
  bool frame = true;  // SceneSettings::frame: the scene's file is not framed yet
};

// What the window remembers beside the settings.
struct Preferences {
  static constexpr size_t kBookmarks = 6;
  static constexpr size_t kRecentImages = 200;
  static constexpr float kNarrowestPanel = 240.0f, kWidestPanel = 640.0f;
  static constexpr float kSmallestUiScale = 0.6f, kLargestUiScale = 2.5f;
  float panelWidth = 320.0f;  // in pixels of a display without scaling
  float uiScale = 1.0f;
  std::map<std::string, bool> openSections;
  CaptureSettings capture;
  std::array<std::optional<CameraSettings>, kBookmarks> bookmarks;
  std::vector<RecentImage> recentImages;  // newest first
  std::optional<RecentImage> film;        // that the scene `image` shows, as the user names it
  static constexpr size_t kStripPhotos = 2000;
  std::vector<std::string> strip;  // files that were open together; none: more
  std::optional<ChosenPreset> preset;
  std::map<SceneKind, LeftScene> leftScenes;
  static constexpr size_t kFocusMarks = 6;
  std::array<std::optional<float>, kFocusMarks> focusMarks;  // in metres
  float pullS = 1.5f;                                        // duration of a pull to a mark
  ReadyNumbers ready;
  bool hintSeen = false;     // on the first start
  std::string depthCommand;  // that estimates the depth of a photograph; see app/run/system/depth_command.h
  std::string crashTold;     // names of the reports that were there when a window told one
  std::vector<std::string> typed;  // SceneSettings::typed of a window that ended before its file was framed
};

// The picture of discs in the Lens panel, and what it depends on.
struct LensDiscs {
  LensSettings lens;
  glm::ivec2 size{0};
  glm::vec2 axisPx{0.0f};
  std::vector<float> lights;
};

// An error on the screen.
struct ErrorReport {
  std::string source;  // of the action that failed: "capture"
  std::string text;
};

// What clicks on a photograph do.
struct BrushRow {
  std::optional<BrushKind> kind;
  const char *name, *help;
};
inline constexpr std::array kBrushes = {
    BrushRow{std::nullopt, "off", "Clicks focus"},
    BrushRow{BrushKind::same, "same depth as here",
             "Click: the surface, as far as its colour reaches, gets the depth under the mouse"},
    BrushRow{BrushKind::nearer, "pull nearer", "Drag"},
    BrushRow{BrushKind::farther, "push farther", "Drag"},
    BrushRow{BrushKind::smooth, "smooth", "Drag"},
    BrushRow{BrushKind::fill, "fill", "Drag: paints the depth where the drag begins"}};

// The brush for the depth of a photograph. Places are 0 to 1 of the photograph, from its bottom left.
struct DepthTool {
  static constexpr float kSmallest = 0.002f, kLargest = 0.25f;
  std::optional<BrushKind> kind;              // none: clicks focus
  BrushKind last = kBrushes[1].kind.value();  // that the key takes up
  float radius = 0.03f;                       // in widths of the photograph
  float strength = 0.5f, edge = 0.15f;
  std::vector<glm::vec2> places;      // where the stroke of now goes, since the last frame
  bool begins = false, ends = false;  // the first of them; the last of them
  int undoable = 0, redoable = 0;     // strokes
  int edits = 0;                      // of the depth that is shown
};

// A letter that was typed where it is a key of the window.
struct TypedLetter {
  char letter;
  double earliestS;  // when it may have been typed
  // What letters change, as it was before:
  Settings settings;
  std::shared_ptr<const Shot> shot;
  bool showsTimeline, showsRing;
  int loupe;
  std::optional<BrushKind> brush;
  Zoom zoom;
};

// The state shared by the user interface and the frame loop: keys, mouse and panels write it, the loop reads
// it.
struct Session {
  Settings settings;
  Preferences preferences;
  SceneShown shown;                               // of the image
  std::vector<Asked> asks;                        // not carried out yet
  std::vector<std::filesystem::path> ownPresets;  // files of looks
  std::filesystem::path presetFolder;
  std::array<char, 128> presetName{};
  std::array<char, 512> fileName{};
  float frameS = 0.0f;     // duration of the last frame
  double inputAgeS = 0.0;  // that the input of this frame has waited at most
  bool showKeys = false;
  std::vector<TypedLetter> typedLetters;  // within a second
  bool askedWhetherText = false;
  LensDiscs discs;
  bool restsAtFirst = false;  // on the first start, until the image is at its best or somebody does something

  std::string action;   // names the undo of what is set in this frame: "Preset: Crowd"; empty: the fields do
  std::string gesture;  // names the undo of what is dragged in the timeline
  FileBrowser browser;
  PhotoStrip strip;
  DepthTool brush;
  Thumbnails thumbnails;
  std::filesystem::path askedToDelete;   // pressed once; pressed again, it is deleted
  bool flipped = false;                  // while a key is down: B alone is shown
  bool unblurred = false;                // while a key is down: the image before depth of field
  int loupe = 0;                         // magnification at the mouse; 0: none
  std::optional<glm::vec3> loupeColour;  // as displayed, 0 to 1, of the pixel under the mouse
  glm::vec2 loupeMark{0.5f};             // Loupe::mark()
  std::string hint;                      // shown for kHintS
  float hintAgeS = kHintS;
  bool wantsHistogram = false;                 // a panel shows it
  std::shared_ptr<const Histogram> histogram;  // of the image at rest; null: none yet
  std::optional<glm::vec2> focusPoint;         // where the focus was set; 0 to 1 from the bottom left
  float focusPointM = 0.0f;                    // LensSettings::focusDistanceM by it
  std::optional<float> cursorM;                // distance of the surface under the mouse; none: unknown
  LabPanel lab;
  SlowMotionPanel slow;
  Timeline timeline;
  int inputFrames = 0;  // of the film that is refocused, one at each frame of the timeline; 0: none
  std::optional<Sequence> sequence;
  std::string videoMissing;                           // why no video can be recorded; empty: it can
  std::vector<glm::vec2> measuredAt;                  // clicks that useDistance() needs the distance of
  std::optional<glm::vec2> focusAt;                   // 0 to 1 from the image's bottom left
  std::optional<std::vector<glm::vec3>> sharpPlaces;  // of focusOnPlane(), while clicks choose them
  bool showsRing = false;                             // of focus marks
  std::optional<FocusPull> pull;                      // to one of them
  Zoom zoom;
  std::optional<std::string> estimating;  // the last lines of the command; none: it does not run
  std::filesystem::path reading;          // a photograph or film that is read before it is shown
  unsigned thumbnail = 0;                 // texture of the whole image, while it is zoomed; 0: none
  glm::vec2 mouseAt{0.5f};                // 0 to 1 from the bottom left; beside the image: its visible centre

  glm::vec2 focusMarker{0.0f};  // where the focus was set last
  float focusMarkerAgeS = kFocusMarkerS;
  std::string notice;  // one line, shown for kNoticeS
  float noticeAgeS = kNoticeS;
  std::vector<ErrorReport> errors;  // shown until the user closes them or the action succeeds
  std::string message;              // of the image, shown with the errors
  std::string closedMessage;        // of the image: the user closed it
  // As resolved in the image that is shown: of A and B; none before the first.
  std::optional<std::pair<Technique, Technique>> drawnTechniques;
  float visibleLeft = 0.0f;    // 0 to 1: the panels cover the image left of this
  float visibleBottom = 0.0f;  // and the timeline covers it below this
  bool centreCamera = false;   // shift the camera so that the visible part shows its target in the middle

  void ask(Asked asked) { asks.push_back(std::move(asked)); }

  // Whether another image than the one of the settings is shown.
  bool peeks() const { return flipped || unblurred; }

  const Shot& shot() const { return *timeline.shot; }

  // Whether the scene moves by the time of the playhead.
  bool followsShot() const { return timeline.shown && settings.scene.animate && shown.whyStill.empty(); }

  // Whether the frames of the shot are recorded.
  bool filmsShot() const { return sequence && sequence->ofShot; }

  // Whether time changes the image.
  bool moves() const {
    const bool held = timeline.shown && !timeline.playing && !filmsShot();
    return settings.scene.animate && shown.whyStill.empty() && !held && !restsAtFirst;
  }
  bool paused() const { return !settings.scene.animate && shown.whyStill.empty(); }

  // The centre of the part of the image that the panels leave visible, 0 to 1 from the bottom left.
  glm::vec2 visibleCentre() const { return 0.5f * (1.0f + visibleFrom()); }
  glm::vec2 visibleFrom() const { return {visibleLeft, visibleBottom}; }

  // The split line's position, 0 to 1; moved to the edge of the panels if they cover it.
  float shownSplit() const { return std::max(settings.split.position, visibleLeft); }

  void markFocus(glm::vec2 at) {
    focusMarker = at;
    focusMarkerAgeS = 0.0f;
  }
  void say(std::string text, float forS = kNoticeS) {
    notice = std::move(text);
    noticeAgeS = kNoticeS - forS;
  }
  // Says for longer in which folder the file was saved. `what`: "Saved a.png".
  void saySaved(const std::filesystem::path& file) { saySaved(file, "Saved " + file.filename().string()); }
  void saySaved(const std::filesystem::path& file, const std::string& what) {
    say(what + " in " + absolutePath(file).parent_path().string(), kSavedNoticeS);
  }
  // Replaces the error of `source`.
  void report(const std::string& source, std::string text) {
    forget(source);
    errors.push_back({source, std::move(text)});
  }
  // Reports what `act` throws.
  template <class Act>
  void attempt(const std::string& source, const Act& act) {
    try {
      act();
    } catch (const std::runtime_error& error) {
      report(source, error.what());
    }
  }
  void closeErrors() {
    errors.clear();
    if (!message.empty()) closedMessage = std::exchange(message, {});
  }
  void forget(const std::string& source) {
    std::erase_if(errors, [&](const ErrorReport& error) { return error.source == source; });
  }
};

}  // namespace satdof
