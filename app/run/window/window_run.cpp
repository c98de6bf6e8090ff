#include "app/run/window/window_run.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include "app/core/answers.h"
#include "app/core/fields.h"
#include "app/core/foreign_text.h"
#include "app/core/formatted.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/gl/abandon.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/gl/software.h"
#include "app/io/codec.h"
#include "app/io/damage.h"
#include "app/run/film/film_focus.h"
#include "app/run/film/film_input.h"
#include "app/run/film/frame_files.h"
#include "app/run/film/video.h"
#include "app/run/frame_loop.h"
#include "app/run/glfw_window.h"
#include "app/run/limits.h"
#include "app/run/remembered.h"
#include "app/run/settings_text.h"
#include "app/run/stats_file.h"
#include "app/run/system/portal_dialog.h"
#include "app/run/window/capture_progress.h"
#include "app/run/window/chooser.h"
#include "app/run/window/clipboard.h"
#include "app/run/window/depth_corrector.h"
#include "app/run/window/depth_maker.h"
#include "app/run/window/events.h"
#include "app/run/window/exchange.h"
#include "app/run/window/film_frames.h"
#include "app/run/window/histogram_meter.h"
#include "app/run/window/measurements.h"
#include "app/run/window/opening.h"
#include "app/run/window/photo_strip.h"
#include "app/run/window/recorder.h"
#include "app/run/window/slow_motion.h"
#include "app/run/window/thumbnail.h"
#include "app/run/window/thumbnail_maker.h"
#include "app/run/window/window_image.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/focus_ring.h"
#include "app/ui/history.h"
#include "app/ui/image_mouse.h"
#include "app/ui/keys.h"
#include "app/ui/loupe.h"
#include "app/ui/ready_shots.h"
#include "app/ui/timeline.h"
#include "app/ui/ui.h"
#include "app/ui/zoom.h"

namespace satdof {

namespace {

// Drawing stops this long, and this many frames, after the last change.
constexpr double kSettleS = 0.7;
constexpr int kSettleFrames = 3;
constexpr double kTitlePeriodS = 0.5;
constexpr double kPollS = 0.05;  // between looks for events during a frame
constexpr double kKeepS = 4.0;   // between two saves of what has changed
constexpr double kTellS = 2.0;   // a longer wait is told
constexpr double kLongestEndS = 10.0;
constexpr double kWakeS = 0.1;       // to look whether time alone changes something
constexpr float kLongestAgeS = 1.0;  // that one frame adds to the age of a notice

FramePlan planOf(const CommandLine& line) {
  return {.frames = line.frames,
          .framesPerSecond = line.framesPerSecond,
          .shot = line.scripted() ? line.shot : std::nullopt,
          .capture = line.capture};
}

Session sessionOf(const WindowState& before, const CommandLine& line) {
  Session session;
  session.settings = before.settings;
  CaptureSettings& capture = session.preferences.capture;
  if (!line.scripted())
    session.preferences = before.preferences;
  else
    capture.withUi = line.withUi;
  if (line.quality > 0) capture.quality = line.quality;
  if (line.keep) capture.keep = *line.keep;
  if (line.bitDepth == 16) {
    const auto all = captureChoices();
    capture.format =
        std::ranges::find(all, 16, [](const NamedChoice& each) { return each.choice->bits; })->choice->name;
  }
  session.timeline.shot = before.shot;
  if (!line.scripted() && line.framesPerSecond > 0 &&
      (line.shot || isFrameName(line.settings().scene.image.file.text)))
    capture.framesPerSecond = line.framesPerSecond;
  session.videoMissing = videoMissing();
  if (!line.sequence.empty()) session.sequence = Sequence{.frames = std::max(line.frames, 1)};
  return session;
}

// Whether an option names the technique of side B.
bool choosesB(const CommandLine& line) {
  return std::ranges::any_of(line.options, [](const auto& option) {
    return option.first.starts_with("--split-") && option.first != "--split-position";
  });
}

// Whether the user has written what computes blur or filter: with options that exclude it, the program ends.
bool choosesVariants(const CommandLine& line) {
  return !line.settingsPath.empty() || line.given("--lens-on") || line.given("--split-lens-on") ||
         line.given("--filter-variant") || line.given("--filter-form");
}

// The file of the photograph or film; empty for another scene.
std::filesystem::path photographOf(const Settings& settings) {
  return showsPhoto(settings) ? shownFile(settings).text : "";
}

constexpr std::size_t index(Ask what) { return static_cast<std::size_t>(what); }

std::string commandLineOf(const Settings& settings) { return "satdof " + optionsText(settings); }

void reloadShaders(Session& session) {
  std::string logs;
  for (const auto& log : gl::reloadAll()) logs += log + "\n";
  session.forget("shaders");
  if (logs.empty()) {
    session.say("Shaders reloaded");
  } else {
    session.report("shaders", logs);
    std::fprintf(stderr, "%s", logs.c_str());
  }
}

// Xlib calls exit() if the display goes away, or if somebody else destroys the window.
std::function<void()> atExit;  // of the open window

void callAtExit() {
  if (atExit) std::exchange(atExit, nullptr)();
}

// The window with its panels.
class WindowRun : public FrameHost {
 public:
  WindowRun(GlfwWindow& window, const WindowState& before, const CommandLine& commandLine,
            const Termination& termination, const SaveState& save)
      : commandLine_(commandLine),
        termination_(termination),
        save_(save),
        window_(window),
        clipboard_(window_.handle()),
        ui_(window_.handle()),
        session_(sessionOf(before, commandLine)),
        loop_(planOf(commandLine), session_.settings),
        history_(session_),
        undoBefore_(before.undo) {
    if (before.position) window_.moveTo(*before.position);
    place_ = window_.place();
    [[maybe_unused]] static const int registered = std::atexit(callAtExit);
    atExit = [this] { saveWithoutDisplay(); };
    replaceLostDevice();
    if (!choosesVariants(commandLine)) replaceImpossible();
    session_.errors = before.errors;
    if (commandLine.scripted()) return;
    tellFit(before.settings.size);
    if (commandLine.given("--split") && !choosesB(commandLine)) makeSidesDiffer(session_.settings);
    session_.centreCamera = commandLine.settingsPath.empty() && before.settings.camera == CameraSettings{};
    if (const auto folder = configFolder(); !folder.empty()) {
      session_.presetFolder = folder / "presets";
      session_.ownPresets = ownPresets(folder);
    }
    forgetMissingPreset(session_);
    if (commandLine.opened.empty() && commandLine.files.empty() && commandLine.settingsPath.empty())
      restoreStrip();
    session_.ask({Ask::openFiles, commandLine.opened});
    if (!commandLine.depthCommand.empty()) session_.preferences.depthCommand = commandLine.depthCommand;
    beginFilm();
    if (!opensShot_) openAskedShot();
    if (before.panelsWereHidden && !session_.settings.present.showUi)
      showHint("Panels are hidden: F2 shows them \u00b7 F1 keys");
    else if (!before.preferences.hintSeen)
      beginFirstStart();
    session_.preferences.hintSeen = true;
  }

  ~WindowRun() override { atExit = nullptr; }
  WindowRun(const WindowRun&) = delete;
  WindowRun& operator=(const WindowRun&) = delete;

  void run() {
    try {
      const gl::MayAbandonFrames mayAbandon(
          [this] { return inputEndsImage() || ended() || progress_.cancels(); });
      drawFrames();
    } catch (const gl::FrameAbandoned&) {  // the window ends
    }
    finishFiles();
    corrector_.finish(session_);
    if (commandLine_.scripted() && !loop_.done() && !commandLine_.capture.empty())
      std::fprintf(stderr, "satdof: %s is not written: the window was closed before the last frame\n",
                   pathText(commandLine_.capture).c_str());
    if (loop_.done() && !commandLine_.stats.empty())
      writeStats(commandLine_.stats, session_.settings, loop_.result().state, loop_.result().shown.notes,
                 loop_.stats(), loop_.frames(), loop_.warmUpFrames());
  }

  WindowState state() const { return stateAt(window_.place()); }

 private:
  WindowState stateAt(const WindowPlace& place) const {
    WindowState state{session_.settings, session_.preferences, session_.errors, place.position,
                      !session_.settings.present.showUi};
    state.settings.size = place.size;
    state.lacksFile = image_.result().lacksFile;
    state.shot = session_.timeline.shot;
    state.undo = history_.steps();
    state.preferences.strip.clear();
    if (const auto& photos = session_.strip.photos; photos.size() <= Preferences::kStripPhotos)
      for (const auto& photo : photos) state.preferences.strip.push_back(photo.file.string());
    return state;
  }

  // Saves the state in the background, for an end that this program does not see. Returns false while it still saves. The
  // settings that time alone has changed are saved at `rest`.
  bool keep(bool rest = true) {
    tellKept();
    if (kept_.waits()) {
      if (glfwGetTime() - keptS_ > kTellS)
        session_.report("session", "the settings are still being saved for the next start: the folder " +
                                       pathText(configFolder()) + " does not answer");
      return false;
    }
    keptS_ = glfwGetTime();
    place_ = window_.place();
    WindowState now = state();
    if (!rest && keptSettings_ && sameButTime(*keptSettings_))
      now.settings = *keptSettings_;
    else
      keptSettings_ = now.settings;
    kept_.ask("saving the settings", [save = save_, now] { return save(now); });
    return true;
  }

  // Tells once what the last keep() has met.
  void tellKept() {
    const auto saved = kept_.take();
    if (!saved) return;
    session_.forget("session");
    if (!saved->news.empty()) session_.report("shot", saved->news);
    if (std::exchange(failure_, saved->failure) == saved->failure) return;
    session_.forget("saving");
    if (!failure_.empty()) session_.report("saving", failure_);
  }

  // Whether nothing but time, and the shot that is played, has changed the settings.
  bool sameButTime(const Settings& before) const {
    const Timeline& timeline = session_.timeline;
    return sameEdits(timeline.shown ? settingsAt(*timeline.shot, before, timeline.timeS) : before,
                     session_.settings);
  }

  void saveWithoutDisplay() {
    if (saveInTime(save_, stateAt(place_)))
      std::fputs("satdof: the display closed the window; the settings are saved\n", stderr);
  }

  void drawFrames() {
    while (!quits_ && !ended() && !loop_.done()) {
      glfwPollEvents();
      image_.tidy();
      measured_ |= thumbnails_.serve(session_.thumbnails);
      if (!window_.hidden() && !still()) {
        rests_ = false;
        step();
        if (!filmWaits_) recorder_.follow(loop_);
        recorder_.finish();
        // The thread that reads files needs the processor more than panels alone.
        // Texts that wait for their end need little.
        const bool reads = opening_.loading() || film_.busy(session_) || session_.browser.waits();
        if (!settled_ && !(reads && !imageChanged() && !session_.moves())) continue;
        glfwWaitEventsTimeout(kWakeS);
      } else {
        loop_.pause();
        tellKept();
        rests_ = rests_ || keep();
        if (kept_.waits() || !recorder_.finish().empty() || awaitsAnswers() || !rests_ || chooser_.open() ||
            depth_.busy() || corrector_.busy() || image_.untidy() || thumbnails_.busy() ||
            (!window_.hidden() && image_.willChoose()))
          glfwWaitEventsTimeout(kWakeS);
        else
          glfwWaitEvents();
      }
      listensS_ = glfwGetTime();
    }
  }

  // Waits for the files, until somebody asks the window to end once more, and for folders that do not answer a while.
  void finishFiles() {
    recorder_.close();
    if (!recorder_.finish().empty()) keep();
    const int asked = endRequests();
    const double beginS = glfwGetTime();
    bool told = false;
    for (std::string what; !(what = recorder_.finish()).empty(); glfwWaitEventsTimeout(kWakeS)) {
      const double waitedS = glfwGetTime() - beginS;
      if (endRequests() > asked || (!recorder_.finishesVideos() && waitedS > kLongestEndS))
        return recorder_.abandon();
      if (waitedS > kTellS && !std::exchange(told, true))
        std::fprintf(stderr, "satdof: ends when %s is written; close or interrupt again to abandon it\n",
                     what.c_str());
    }
  }

  int endRequests() const { return window_.closeRequests() + termination_.requests(); }

  void step() {
    try {
      loop_.step(*this);
    } catch (const gl::FrameAbandoned&) {
      if (ended()) throw;
      loop_.pause();
    }
  }

  // Whether input has arrived that the image being drawn yields to.
  bool inputEndsImage() const {
    if (!image_.yields()) return false;
    if (gl::isSoftwareRenderer()) glFinish();  // it computes a stage much later than it takes the calls
    glfwPollEvents();
    return window_.actionWaits();
  }

  // Whether the window was closed or the program was told to end, twice while a capture is drawn. Takes events that arrive
  // during a slow frame, and saves what was changed before it.
  bool ended() {
    const double now = glfwGetTime();
    const bool loading = draws_ == 0 || opening_.loading() || image_.result().loading;
    if (!rests_ && !loading && now - keptS_ > kKeepS) keep(false);
    if (now - polledS_ > kPollS) {
      polledS_ = now;
      glfwPollEvents();
    }
    const int asked = endRequests();
    if (asked != 1 || !recorder_.capturing()) return asked > 0;
    if (!std::exchange(toldOfCapture_, true))
      std::fputs("satdof: ends when the capture is written; close or interrupt again to abandon it\n",
                 stderr);
    return false;
  }

  // FrameHost, in the order of a frame.
  double nowS() const override { return glfwGetTime(); }

  void update() override {
    rememberCamera(session_);
    passTime();
    const bool input = takeInput();
    endFirstRest();
    edit();
    followTimeline();
    if (draws_ > 0 && !commandLine_.scripted()) replaceImpossible();
    centreCamera();
    fitToWindow();
    if (ui_.outgrown()) {
      layOutAgain();
      centreCamera();
    }
    const bool begins = session_.sequence && !loop_.sequence();
    if (!session_.sequence) focus_ = {};
    if (begins && draws_ > 0) {
      repaint();
      progress_.keep();
    }
    filmWaits_ = begins && film_.busy(session_);
    if (!filmWaits_) recorder_.command(loop_);
    if (begins && film_.busy(session_)) {  // frames are on the disk: the one after them is read
      filmWaits_ = true;
      loop_.stopSequence();
    }
    if (begins && session_.sequence) followTimeline();  // the first frame may not be the first that is drawn
    followZoom();
    const float focusOfA = std::exchange(focusOfA_, session_.settings.lens.focusDistanceM);
    if (!commandLine_.scripted()) followFocus(session_.settings, focusOfA);
    if (!strip_.exports()) history_.observe(session_, glfwGetTime(), window_.holding());
    // A look at another image is no drag: the resolution stays.
    // Slow samples wait for the files, too.
    if (image_.choose(input || opening_.loading().has_value(), window_.holding() && !session_.peeks()))
      loop_.timings().restart();
  }

  bool imageChanged() override { return image_.changed(cursor()); }

  FrameResult draw(const Settings& settings, float timeS, Timings& timings) override {
    if (commandLine_.scripted() && commandLine_.shot && animates(*commandLine_.shot, "lens.focusDistanceM"))
      session_.focusAt.reset();
    // In a scene that stands still time stands still, too: the reference would begin again.
    if (!session_.moves()) timeS = session_.settings.scene.timeS;
    const auto told = [this] {
      const FrameResult& last = image_.result();
      return std::tuple(statusText(), last.message, last.atCursor, last.marks, last.progress,
                        session_.drawnTechniques);
    };
    const auto toldBefore = told();
    drawnTimeS_ = timeS;
    const bool records = loop_.sequence().has_value();
    histogram_.invalidate();
    FrameResult result = records ? drawRecorded(settings, timeS, timings)
                                 : image_.draw(settings, timeS, cursor(), loop_.writesFrame(), timings);
    if (result.framing && !commandLine_.scripted()) {
      if (!strip_.exports()) history_.amendFraming(*result.framing);
      session_.centreCamera = true;
    }
    // The panels describe the image that is shown with them.
    if (told() != toldBefore || session_.settings != laidOut_ ||
        (records && mayCancel() && progress_.shown()))
      layOutAgain();
    present(timings);
    if (records && mayCancel()) progress_.keep();
    return result;
  }

  bool mayCancel() const { return draws_ > 0 && !commandLine_.scripted(); }

  // The user may cancel work for a recording that takes long.
  template <class Work>
  auto cancellable(const char* what, CaptureProgress::Of of, const Work& work) {
    if (!mayCancel()) return work();
    const ShowsProgress shown(progress_, what, 0.0f, of);
    try {
      return work();
    } catch (const gl::FrameAbandoned&) {
      if (progress_.cancelled() && session_.sequence) recorder_.cancel();
      throw;
    } catch (const std::runtime_error& error) {
      recorder_.fail(error.what());
      throw gl::FrameAbandoned();
    }
  }

  FrameResult drawRecorded(Settings settings, float timeS, Timings& timings) {
    std::optional<float> focusM;
    if (session_.settings.lens.autofocus) {
      focusM = cancellable("the focus", CaptureProgress::Of::drawing, [&] { return recordedFocusM(timeS); });
      settings.lens.focusDistanceM = *focusM;
      settings.lens.autofocus = false;
    }
    FrameResult result = cancellable("the recording", CaptureProgress::Of::longWork,
                                     [&] { return image_.draw(settings, timeS, cursor(), true, timings); });
    if (focusM) result.focus.focusDistanceM = focusM;
    return result;
  }

  // The focus of the frame that is recorded: of the shot, or of now.
  float recordedFocusM(float timeS) {
    const Sequence& sequence = *session_.sequence;
    if (sequence.ofShot) return shotFocusM(focus_, sequence.firstOfShot + sequence.written, false);
    const float asked = commandLine_.framesPerSecond;
    return focus_.at(sequence.written, asked > 0 ? asked : frameRate(session_), [&](long) {
      return focus_.measure(image_.thumbnailRenderer(), session_.settings, timeS, centreShown(session_));
    });
  }

  // Of a frame of the shot, from 0 on. `always`: the autofocus is on in all of it.
  float shotFocusM(FilmFocus& focus, long frame, bool always) {
    const long first = focus.next(), total = frame + 1 - first;
    return focus.at(frame, frameRate(session_), [&](long at) {
      progress_.drawn(static_cast<float>(at - first) / static_cast<float>(total),
                      static_cast<float>(at + 1 - first) / static_cast<float>(total));
      return findShotFocus(focus, at, always);
    });
  }
  FilmFocus::Found findShotFocus(const FilmFocus& focus, long frame, bool always) {
    Settings at = shotFrame(frame, true);
    at.lens.autofocus |= always;
    const double timeS = frameTimeS(session_.shot(), frame, frameRate(session_));
    const bool isPhoto = sceneRow(at.scene.kind).showsPhotographs();
    return focus.measure(image_.thumbnailRenderer(), at,
                         session_.followsShot() ? timeS : static_cast<double>(at.scene.timeS),
                         isPhoto ? session_.visibleCentre() : glm::vec2(0.5f));
  }
  Settings shotFrame(long frame, bool loads) {
    const Shot& shot = session_.shot();
    const double timeS = frameTimeS(shot, frame, frameRate(session_));
    return settingsAt(
        shot, film_.at(settingsAt(shot, session_.settings, timeS), frame, loads, gl::throwIfAbandoned),
        timeS);
  }
  // With the focus of the film.
  Settings filmed(long frame) {
    Settings settings = shotFrame(frame, false);
    if (settings.lens.autofocus)
      settings.lens.focusDistanceM =
          focus_.at(frame, frameRate(session_), [this](long at) { return findShotFocus(focus_, at, false); });
    return settings;
  }

  // Shows the image with the panels of now.
  void repaint() override {
    repaintTimings_.beginFrame();
    present(repaintTimings_);
    repaintTimings_.endFrame();
  }

  void endDraw() override {
    if (const auto file = strip_.toWrite(session_, image_.showsFile()); file && filesBeingStored().empty())
      strip_.wrote(session_, recorder_.write(*file, captureTimeS(), true));
    carryOut(true);
    measured_ |= histogram_.serve(session_, image_, glfwGetTime());
    measurements_.advance(session_);
    slowMotion_.advance(session_);
    {
      const auto scope = loop_.timings().cpu("swap");
      glfwSwapBuffers(window_.handle());
    }
    image_.finish();
    if (showsPhoto(session_.settings) && !opening_.loading() && !session_.moves() &&
        histogram_.rested(glfwGetTime()))
      measured_ |= thumbnails_.drawLook(session_.thumbnails, session_.settings, session_.shown.fileSize,
                                        image_.thumbnailRenderer());
    ++draws_;
    updateTitle();
    requireNoGlErrors();
  }

  // Sets the keys that the autofocus of the shot follows.
  void setFocusKeys() {
    Shot shot = session_.shot();
    const float rate = frameRate(session_);
    std::vector<float> focusM(std::max(static_cast<std::size_t>(framesOf(shot, rate)),
                                       static_cast<std::size_t>(session_.inputFrames)));
    progress_.keep();
    const ShowsProgress shown(progress_, "the focus", 0.0f);
    try {
      FilmFocus focus;
      shotFocusM(focus, std::ssize(focusM) - 1, true);
      std::ranges::generate(focusM, [&, frame = 0L]() mutable { return shotFocusM(focus, frame++, true); });
    } catch (const gl::FrameAbandoned&) {
      if (!progress_.cancelled()) throw;
      return session_.say("Keys of the autofocus cancelled");
    }
    std::erase_if(shot.tracks, [](const Track& track) {
      return track.field == "lens.focusDistanceM" || track.field == "lens.autofocus";
    });
    shot.tracks.push_back(focusTrack(focusM, rate));
    if (changeShot(session_, std::move(shot), "Keys of the autofocus"))
      session_.settings.lens.autofocus = false;
  }

  bool write(const std::filesystem::path& path, bool numbered) override {
    return !recorder_.write(path, captureTimeS(), numbered).empty();
  }
  bool ready() override {
    return !(session_.sequence && session_.sequence->paused) && recorder_.ready() && !film_.busy(session_);
  }
  bool append() override { return recorder_.append(captureTimeS()); }

  // Of the image that is shown. In a scene that stands still, the time of the loop goes on.
  float captureTimeS() const { return commandLine_.scripted() ? loop_.timeS() : drawnTimeS_; }

  void openAskedShot() {
    opensShot_ = false;
    if (commandLine_.shot)
      openShot(session_, *commandLine_.shot, {.path = commandLine_.shotPath, .text = commandLine_.shotText});
  }

  void restoreStrip() try {
    if (session_.preferences.strip.empty() || !showsPhoto(session_.settings)) return;
    const FilePath shown = shownFile(session_.settings);
    session_.strip = answered(
        shown.text, [shown, files = session_.preferences.strip, recent = session_.preferences.recentImages] {
          return stripBefore(files, shown, recent);
        });
  } catch (const NoAnswer&) {  // the photograph that is shown tells that
  }

  void beginFilm() {
    const ImageSettings& film = commandLine_.film;
    auto& last = session_.preferences.film;
    if (!film.file.none() || !commandLine_.settingsPath.empty() || !commandLine_.opened.empty()) last.reset();
    if (!isFilm(film.file.text)) return;
    InputFilm opened = openFilm({film.file, film.depth}, {});
    opened.framesPerSecond = 0;  // the command line has it
    film_.begin(session_, std::move(opened), history_);
  }

  void showHint(const std::string& text) {
    session_.hint = text;
    session_.hintAgeS = 0.0f;
  }

  void beginFirstStart() {
    showHint(startHint(session_.settings));
    session_.restsAtFirst = true;
  }

  // Ends the rest of the first start once the image gets no better.
  void endFirstRest() {
    // Slow samples wait while the mouse moves: the image is not at its best then.
    const bool best = draws_ > 0 && image_.result().progress >= 1.0f && !imageChanged() &&
                      !opening_.loading() && !image_.willChoose() && !image_.wouldChoose();
    session_.restsAtFirst = session_.restsAtFirst && !best;
  }

  void tellFit(glm::ivec2 wanted) {
    const glm::ivec2 is = window_.size();
    const auto text = [](glm::ivec2 size) { return std::to_string(size.x) + " x " + std::to_string(size.y); };
    if (commandLine_.given("--size") && (is.x < wanted.x || is.y < wanted.y))
      session_.say("Size: " + text(is) + ". " + text(wanted) + " is larger than the screen");
  }

  // A remembered device may be missing today; a device of the command line must be available.
  void replaceLostDevice() {
    auto& device = session_.settings.technique.device;
    const bool asked = !commandLine_.settingsPath.empty() || commandLine_.given("--device");
    if (asked || availability(device).available) return;
    session_.say(std::string(name(device)) + ": " + availability(device).reason);
    device = DeviceId::automatic;
  }

  void replaceImpossible() {
    const std::string replaced = satdof::replaceImpossible(session_.settings);
    if (!replaced.empty()) session_.say(replaced);
  }

  // Whether the next frame would look like the last one.
  bool still() {
    const bool changes =
        window_.changed() || session_.settings != lastSettings_ ||
        window_.framebufferSize() != session_.settings.size || imageChanged() || opening_.loading() ||
        chooser_.answered() || session_.browser.waits() || depth_.hasNews() ||
        corrector_.hasNews(glfwGetTime()) || strip_.exports() || film_.busy(session_) ||
        clipboard_.reading() || session_.moves() || session_.sequence || session_.lab.running ||
        measurements_.counting() || session_.slow.playing || session_.timeline.playing || session_.pull ||
        session_.slow.filming || (session_.slow.shown && session_.slow.open) || !session_.asks.empty() ||
        session_.cursorM != shownCursorM_ || session_.focusMarkerAgeS < kFocusMarkerS ||
        image_.wouldChoose() || histogram_.waits(session_) || measured_ ||
        std::exchange(answers_, lateAnswers()) != lateAnswers() ||
        std::exchange(errors_, session_.errors.size()) != session_.errors.size();
    measured_ = false;
    if (changes) {
      lastChangeS_ = glfwGetTime();
      lastChangeDraw_ = draws_;
    }
    lastSettings_ = session_.settings;
    settled_ = glfwGetTime() - lastChangeS_ > kSettleS && draws_ - lastChangeDraw_ > kSettleFrames;
    return settled_ && session_.noticeAgeS >= kNoticeS && session_.hintAgeS >= kHintS;
  }

  void passTime() {
    session_.frameS = static_cast<float>(loop_.elapsedS());
    session_.flipped = session_.unblurred = false;
    shownCursorM_ = session_.cursorM;
    if (session_.focusPointM == 0.0f && !session_.focusAt && !image_.result().focusPending)
      session_.focusPointM = session_.settings.lens.focusDistanceM;
    const double now = glfwGetTime();
    stepS_ = now - std::exchange(updateS_, now);
    const float ageS = std::min(static_cast<float>(stepS_), kLongestAgeS);
    for (float* age : {&session_.noticeAgeS, &session_.hintAgeS, &session_.focusMarkerAgeS}) *age += ageS;
    if (session_.moves()) session_.settings.scene.timeS = loop_.timeS();
  }

  // Returns whether there was any.
  bool takeInput() {
    const auto events = window_.takeEvents();
    const double now = glfwGetTime();
    session_.inputAgeS = now - std::exchange(listensS_, now);
    // Dear ImGui knows the panels of the last layout: without them, a click on a panel would be one on the image.
    if (progress_.takeLaidOut()) layOutAgain();
    ui_.begin(events, session_.preferences.uiScale);
    session_.mouseAt = ui_.ownsMouse() ? session_.visibleCentre() : cursor();
    dispatch(events, window_, ui_, mouse_, session_);
    for (const glm::vec2 at : std::exchange(session_.measuredAt, {}))
      if (const auto distanceM = image_.distanceAt(at, true)) useDistance(session_, at, *distanceM);
    clampToRanges(session_.settings);
    session_.settings.size = window_.framebufferSize();
    using Kind = InputEvent::Kind;
    if (std::ranges::any_of(events, [](const InputEvent& event) {
          return event.kind == Kind::key || event.kind == Kind::press || event.kind == Kind::scroll;
        }))
      session_.restsAtFirst = false;
    return !events.empty();
  }

  // Takes a stroke of the brush back, else an edit; or repeats it.
  void travel(bool back) {
    const DepthTool& brush = session_.brush;
    if (brush.kind && (back ? brush.undoable : brush.redoable) > 0) return corrector_.travel(back);
    opening_.end(session_);  // no file to open in the background
    const std::string change = back ? history_.undo(session_) : history_.redo(session_);
    opening_.begin(session_);
    const std::string done = back ? "Undo: " : "Redo: ", none = back ? "Nothing to undo" : "Nothing to redo";
    session_.say(change.empty() ? none : done + change);
    followed_ = session_.settings;  // no edit to record
  }

  // Makes all edits of the frame.
  void edit() {
    const float timeS = session_.settings.scene.timeS;
    opening_.begin(session_);
    editPanels();
    serveRequests();
    opening_.end(session_);
    if (opensShot_ && !opening_.loading()) openAskedShot();
    if (session_.settings.scene.timeS != timeS) loop_.setTime(session_.settings.scene.timeS);
  }

  // Plays the shot in step with the clock, however long a frame takes.
  void followTimeline() {
    Timeline& timeline = session_.timeline;
    if (std::exchange(shotBefore_, timeline.shot) == timeline.shot && !timeline.moved)
      recordEdits(session_, followed_);
    finishRackFocus(session_, !image_.result().focusPending);
    advancePull(session_, std::exchange(pulled_, session_.pull.has_value()) ? stepS_ : 0.0);
    advancePlayhead(session_, std::exchange(played_, timeline.playing) ? stepS_ : 0.0);
    if (std::exchange(timeline.moved, false)) history_.amendShot(session_);
    shotBefore_ = timeline.shot;
    followed_ = session_.settings;
    if (!session_.followsShot()) return;
    session_.settings.scene.timeS = static_cast<float>(timeline.timeS);
    loop_.setTime(timeline.timeS);
  }

  // Draws the panels, which change the session.
  void editPanels() {
    layOut();
    if (draws_ > 0) return;
    layOutAgain();  // panels are hidden while their size is unknown
    const bool placed = commandLine_.given("--split-position") || !commandLine_.settingsPath.empty();
    if (commandLine_.given("--split") && !placed && !commandLine_.scripted()) placeSplit(session_);
    history_ = History(session_, std::move(undoBefore_));
  }

  // Dear ImGui gives panels the size of their contents in the layout before.
  void layOutAgain() {
    for (int times = 0; times < 2; ++times) {
      ui_.begin({}, session_.preferences.uiScale);
      layOut();
    }
  }

  // What the last image is and how it was drawn.
  std::string statusText() const {
    const std::string quality = image_.text(), &state = image_.result().state;
    return quality + (quality.empty() || state.empty() ? "" : ", ") + state;
  }

  // The photograph or film that is read, unless it is shown already.
  std::filesystem::path reading() const {
    const std::filesystem::path shown = photographOf(session_.settings);
    if (const Settings* const opened = opening_.opened(); opened && photographOf(*opened) != shown)
      return photographOf(*opened);
    if (!image_.result().loading || session_.shown.fileSize != glm::ivec2(0)) return {};
    const auto& film = session_.preferences.film;
    return film ? std::filesystem::path(film->file.text) : shown;
  }

  void layOut() {
    laidOut_ = session_.settings;
    const FrameResult& last = image_.result();
    session_.reading = reading();
    ui_.edit(session_, {loop_.timings().stats(), last, statusText(),
                        mouse_.onSplit(session_, window_.mouse(), window_.size()),
                        opening_.loading() ? opening_.loading() : last.loading, measurements_.lab(),
                        measurements_.costs(), slowMotion_.show(), slowMotion_.lessons()});
  }

  // Carries out what is asked, in the order of asking: before the image is drawn or, if `drawn`, of that image.
  void carryOut(bool drawn) {
    struct Row {
      Ask what;
      void (*act)(WindowRun& run, const Asked& asked);
    };
    static constexpr Row kRows[] = {
        {Ask::quit, [](auto& run, auto&) { run.quits_ = true; }},
        {Ask::reloadShaders, [](auto& run, auto&) { reloadShaders(run.session_); }},
        {Ask::undo, [](auto& run, auto&) { run.travel(true); }},
        {Ask::redo, [](auto& run, auto&) { run.travel(false); }},
        {Ask::cancelLoading,
         [](auto& run, auto&) {
           run.opening_.loading() ? run.opening_.cancel(run.session_) : run.image_.cancelLoading();
         }},
        {Ask::open, [](auto& run, auto& asked) { run.choose(DialogFor::opening, asked.name); }},
        {Ask::openFiles, [](auto& run, auto& asked) { run.open(asked.files); }},
        {Ask::loadSettings, [](auto& run, auto& asked) { run.loadSettings(asked.files[0]); }},
        {Ask::saveSettings, [](auto& run, auto& asked) { saveSettings(run.session_, asked.files[0]); }},
        {Ask::saveSettingsAs, [](auto& run, auto&) { run.choose(DialogFor::savingSettings); }},
        {Ask::deletePreset, [](auto& run, auto& asked) { deletePreset(run.session_, asked.files[0]); }},
        {Ask::useLens, [](auto& run, auto& asked) { useLens(run.session_, asked.name); }},
        {Ask::saveShot, [](auto& run, auto& asked) { saveShot(run.session_, asked.files[0]); }},
        {Ask::copyJson, [](auto& run, auto&) { run.copy(settingsToJson, "Settings copied as JSON"); }},
        {Ask::copyOptions,
         [](auto& run, auto&) { run.copy(commandLineOf, "Settings copied as a command line"); }},
        {Ask::copyLook, [](auto& run, auto&) { run.copy(lookToJson, "Look copied"); }},
        {Ask::paste, [](auto& run, auto&) { run.paste(pasteSettings); }},
        {Ask::pasteLook, [](auto& run, auto&) { run.paste(pasteLook); }},
        {Ask::stepPhotos, [](auto& run, auto& asked) { run.strip_.step(run.session_.strip, asked.number); }},
        {Ask::planExport, [](auto& run, auto&) { StripServer::plan(run.session_); }},
        {Ask::exportPhotos, [](auto& run, auto&) { run.strip_.exportAll(run.session_); }},
        {Ask::cancelExport, [](auto& run, auto&) { run.strip_.cancel(run.session_); }},
        {Ask::estimateDepth, [](auto& run, auto&) { run.depth_.estimate(run.session_); }},
        {Ask::cancelEstimate, [](auto& run, auto&) { run.depth_.cancel(); }},
        {Ask::resetDepth, [](auto& run, auto&) { run.corrector_.reset(); }},
        {Ask::saveImageAs, [](auto& run, auto&) { run.choose(DialogFor::savingImage); }},
        {Ask::saveImage, [](auto& run, auto& asked) { run.saveImage(asked.files); }},
        {Ask::setFocusKeys, [](auto& run, auto&) { run.setFocusKeys(); }},
        {Ask::saveLab, [](auto& run, auto& asked) { run.measurements_.save(run.session_, asked.name); }},
        {Ask::saveSlowMotion, [](auto& run, auto& asked) { run.slowMotion_.save(run.session_, asked.name); }},
    };
    static_assert(
        std::ranges::all_of(kRows, [](const Row& row) { return &row == kRows + index(row.what); }) &&
        std::size(kRows) == 1 + index(Ask::saveSlowMotion));
    auto& asks = session_.asks;
    const auto isDue = [&](const Asked& asked) { return (asked.what >= Ask::saveImage) == drawn; };
    for (auto next = asks.begin(); (next = std::ranges::find_if(asks, isDue)) != asks.end();) {
      const Asked asked = std::move(*next);
      asks.erase(next);
      session_.attempt("settings", [&] { kRows[index(asked.what)].act(*this, asked); });  // may ask for more
    }
  }

  void choose(DialogFor what, const std::string& field = {}) {
    chooser_.choose(session_, what, portalWindow(window_.handle()), field);
  }
  void loadSettings(const std::filesystem::path& file) {
    opening_.find(session_, file, [file, own = isOwnPreset(session_, file)](const Settings& asked) {
      return useOfSettings(file, asked, own);
    });
  }
  void saveImage(const std::vector<std::filesystem::path>& file) {
    const PhotoStrip& strip = session_.strip;
    if (!opening_.loading() && !image_.result().loading) {
      if (!strip.lacksImage()) return recorder_.saveImage(file, captureTimeS());
      return session_.say("Not saved: " + strip.unread.filename().string() + " cannot be read");
    }
    const std::string name = session_.reading.filename().string();
    session_.say("Not saved: " + (name.empty() ? "a file of the scene" : name) + " is still being read");
  }
  void open(const std::vector<std::filesystem::path>& files) { chooser_.open(session_, opening_, files); }
  void copy(std::string (*text)(const Settings&), const char* notice) {
    clipboard_.copy(text(session_.settings));
    session_.say(notice);
  }
  void paste(void (*use)(Session&, const std::string&)) {
    clipboard_.read([this, use](const std::string& text) { use(session_, text); });
  }

  // Serves what the panels, other programs and threads ask for.
  void serveRequests() {
    if (ui_.takePaste()) clipboard_.read([this](const std::string& text) { ui_.type(text); });
    session_.attempt("settings", [this] {
      if (const auto files = window_.takeDropped(); !files.empty()) opening_.drop(session_, files);
      chooser_.serve(session_);
    });
    carryOut(false);
    session_.attempt("settings", [this] {
      clipboard_.poll();
      strip_.serve(session_, opening_);
      depth_.serve(session_, opening_);
    });
    corrector_.serve(session_, opening_, glfwGetTime());
    try {
      film_.serve(session_, opening_, history_);
    } catch (const std::runtime_error& error) {
      if (session_.sequence)
        recorder_.fail(error.what());
      else
        session_.report("film", error.what());
    }
    if (image_.showsFile() && !session_.preferences.film)
      rememberFiles(session_.preferences.recentImages, shownImage(session_));
  }

  // Shifts the camera to the middle of the visible image, if that is asked for, or if it was there before the panels or
  // the window changed their size.
  void centreCamera() {
    const PresentSettings& present = session_.settings.present;
    CameraSettings& camera = session_.settings.camera;
    // A photograph always fits beside the panels.
    const bool isPhoto = sceneRow(session_.settings.scene.kind).showsPhotographs();
    // A film of the scene has no panels, unless they are recorded, too. The timeline shows what is filmed.
    const bool films = !isPhoto && (session_.timeline.shown || session_.filmsShot()) &&
                       !session_.preferences.capture.recordsPanels();
    const glm::vec2 middle = films     ? glm::vec2(0.0f)
                             : isPhoto ? 0.5f * session_.visibleFrom()
                                       : glm::vec2(0.5f * session_.visibleLeft, 0.0f);
    const bool follows =
        (isPhoto || (present.showUi && glm::vec2(camera.shiftX, camera.shiftY) == middle_)) &&
        !commandLine_.scripted();
    if (std::exchange(session_.centreCamera, false) || follows) {
      camera.shiftX = middle.x;
      camera.shiftY = middle.y;
      history_.amendShift(middle);
    }
    if (present.showUi && (!films || follows)) middle_ = middle;
  }

  void fitToWindow() {
    clampToRanges(session_.settings);
    window_.apply(session_.settings.present);
    session_.settings.size = window_.framebufferSize();
  }

  // Another file or scene is seen as a whole, and so is what is recorded.
  void followZoom() {
    const auto files = std::pair(session_.settings.scene.kind, shownFiles(session_.settings));
    const bool other = std::exchange(zoomedFiles_, files) != files;
    if (other && session_.inputFrames == 0) session_.focusPoint.reset();
    fileTold_ = fileTold_ && !other;
    if (image_.showsFile() && !opening_.loading() && !std::exchange(fileTold_, true)) tellOfFile();
    if ((other && session_.inputFrames == 0) || session_.sequence || commandLine_.scripted())
      session_.zoom = {};
    keepZoomInside(session_);
  }

  // What the photograph lacks.
  void tellOfFile() {
    if (session_.shown.lacksDepth && session_.preferences.depthCommand.empty())
      showHint(
          "This photograph has no depth: all of it is in focus. Drop its depth on the window, let a program "
          "estimate it (section Scene), or paint it: W");
    std::string told = damageOf(session_.shown.notes);
    const ImageSettings& image = session_.settings.scene.image;
    if (told.empty() && session_.shown.guessesDepth && image.meaning == DepthMeaning::automatic)
      told = std::string("its depth is taken for ") + shownName(depthMeaning(image).value_or(image.meaning)) +
             ", a guess: \"Depth means\" below View changes it";
    if (told.empty() || strip_.exports()) return;
    const bool fresh = session_.noticeAgeS < kNoticeS && !session_.notice.empty();
    session_.say(
        (fresh ? session_.notice : photographOf(session_.settings).filename().string()) + ": " + told,
        kSavedNoticeS);
  }

  // 0 to 1 from the bottom left of the image; the centre until the mouse has moved.
  glm::vec2 cursor() const {
    const glm::vec2 at = window_.mouse() / glm::vec2(window_.size());
    return at.x < 0.0f ? glm::vec2(0.5f) : glm::vec2(at.x, 1.0f - at.y);
  }

  // Shows the image, the loupe and the panels.
  void present(Timings& timings) {
    const bool mouseSeen = window_.mouse().x >= 0.0f;
    session_.cursorM = mouseSeen && !ui_.ownsMouse() ? image_.distanceAt(cursor()) : std::nullopt;
    image_.present(timings);
    if (session_.loupe > 0 && mouseSeen) {
      session_.loupeColour = loupe_.draw(session_.settings.size, cursor(), session_.loupe);
      session_.loupeMark = loupe_.mark();
    }
    const auto scope = timings.gpu("ui");
    ui_.paint(0);
  }

  void updateTitle() {
    const double now = glfwGetTime();
    if (now - titleS_ < kTitlePeriodS) return;
    requireContext();
    place_ = window_.place();
    const auto fps = static_cast<double>(draws_ - titleDraws_) / (now - titleS_);
    const std::string title = session_.moves()    ? formatted("satdof: %.0f fps", fps)
                              : session_.paused() ? "satdof: paused"
                                                  : "satdof";
    glfwSetWindowTitle(window_.handle(), title.c_str());
    titleS_ = now;
    titleDraws_ = draws_;
  }

  const CommandLine& commandLine_;
  const Termination& termination_;
  const SaveState& save_;
  GlfwWindow& window_;
  WindowClipboard clipboard_;
  Ui ui_;
  Session session_;
  FrameLoop loop_;
  History history_;
  std::vector<UndoStep> undoBefore_;  // until the first layout
  ImageMouse mouse_;
  Loupe loupe_;
  Measurements measurements_;
  SlowMotion slowMotion_;
  Opening opening_;
  Chooser chooser_;
  StripServer strip_;
  FilmFrames film_{!commandLine_.depthCommand.empty()};
  bool filmWaits_ = false;                         // a recording, for its first frame
  bool opensShot_ = !commandLine_.opened.empty();  // of the command line, once its files are open
  DepthMaker depth_{!commandLine_.depthCommand.empty()};
  DepthCorrector corrector_;
  ThumbnailMaker thumbnails_;
  HistogramMeter histogram_;
  bool quits_ = false;
  bool fileTold_ = false;  // what the photograph lacks
  bool measured_ = false;  // a thumbnail or the histogram, since the last still()
  WindowImage image_{session_, commandLine_.scripted(), [this] {
                       glfwPollEvents();
                       return window_.inputWaits();
                     }};
  CaptureProgress progress_{window_, ui_, session_, mouse_};
  Recorder recorder_{session_,
                     image_,
                     ui_,
                     commandLine_,
                     progress_,
                     [this] { layOutAgain(); },
                     [this](long frame) { return filmed(frame); }};
  FilmFocus focus_;  // of what is recorded
  Timings repaintTimings_;
  glm::vec2 middle_{-1.0f};  // shift of the camera to the middle beside the panels; -1: unknown
  std::optional<float> shownCursorM_;
  std::pair<SceneKind, std::vector<FilePath>> zoomedFiles_;  // in the last followZoom()
  double updateS_ = 0.0;                                     // time of the last update()
  double listensS_ = 0.0;                                    // time since which input has waited
  double stepS_ = 0.0;                                       // since the one before
  std::shared_ptr<const Shot> shotBefore_;                   // in the last update()
  float focusOfA_ = session_.settings.lens.focusDistanceM;   // in the last frame
  Settings followed_;                                        // then
  bool played_ = false;                                      // the shot, in the last update()
  bool pulled_ = false;                                      // the focus to a mark, then
  double polledS_ = 0.0;                                     // time of the last look for events in ended()
  bool toldOfCapture_ = false;
  WindowPlace place_;   // as of the last look
  double keptS_ = 0.0;  // time of the last keep()
  bool rests_ = false;
  std::optional<Settings> keptSettings_;  // in the last keep()
  Inquiry<Saved> kept_;
  std::string failure_;     // of the last keep()
  std::size_t errors_ = 0;  // of the session in the last still()
  int answers_ = 0;         // lateAnswers() in the last still()
  long draws_ = 0;
  float drawnTimeS_ = 0.0f;
  Settings laidOut_;       // before the last layOut()
  Settings lastSettings_;  // in the last still()
  double lastChangeS_ = 0.0;
  bool settled_ = false;  // nothing changes but the age of a notice or a hint, as of the last still()
  long lastChangeDraw_ = 0;
  double titleS_ = 0.0;
  long titleDraws_ = 0;
};

}  // namespace

bool saveInTime(const SaveState& save, const WindowState& state) {
  constexpr std::chrono::seconds kMost(10);
  Inquiry<Saved> saves;
  saves.ask("", [save, state] { return save(state); });
  if (saves.take(kMost)) return true;
  std::fprintf(stderr, "satdof: cannot save the settings for the next start: the folder %s does not answer\n",
               pathText(configFolder()).c_str());
  return false;
}

void drawWindow(WindowState& state, const CommandLine& commandLine, const Termination& termination,
                const SaveState& save) {
  GlfwWindow window(state.settings.size, commandLine.debugContext());
  std::optional<WindowRun> run;
  whileContextLasts([&] { run.emplace(window, state, commandLine, termination, save); });
  try {
    whileContextLasts([&] { run->run(); });
  } catch (const std::exception&) {
    state = run->state();
    throw;
  }
  state = run->state();
}

}  // namespace satdof
