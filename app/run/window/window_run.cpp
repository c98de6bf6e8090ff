#include "app/run/window/window_run.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include "app/core/fields.h"
#include "app/core/files/file_timeout.h"
#include "app/core/system/abandon.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"
#include "app/run/film/film_input.h"
#include "app/run/frame_loop.h"
#include "app/run/limits.h"
#include "app/run/stats_file.h"
#include "app/run/system/portal_dialog.h"
#include "app/run/window/commands.h"
#include "app/run/window/depth/depth_corrector.h"
#include "app/run/window/depth/depth_estimator.h"
#include "app/run/window/ending.h"
#include "app/run/window/events.h"
#include "app/run/window/files/chooser.h"
#include "app/run/window/files/clipboard.h"
#include "app/run/window/files/opening.h"
#include "app/run/window/files/photo_strip.h"
#include "app/run/window/files/recent_images.h"
#include "app/run/window/files/thumbnail_maker.h"
#include "app/run/window/film_frames.h"
#include "app/run/window/glfw_window.h"
#include "app/run/window/histogram_meter.h"
#include "app/run/window/measurements.h"
#include "app/run/window/playback.h"
#include "app/run/window/recording/capture_progress.h"
#include "app/run/window/recording/recorded_focus.h"
#include "app/run/window/recording/recorder.h"
#include "app/run/window/recording/slow_motion.h"
#include "app/run/window/rest.h"
#include "app/run/window/start.h"
#include "app/run/window/state_saver.h"
#include "app/run/window/visible_part.h"
#include "app/run/window/window_image.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"
#include "app/ui/history.h"
#include "app/ui/image/image_mouse.h"
#include "app/ui/image/loupe.h"
#include "app/ui/image/zoom.h"
#include "app/ui/keys.h"
#include "app/ui/timeline/timeline.h"
#include "app/ui/ui.h"

namespace satdof {

namespace {

constexpr double kTitlePeriodS = 0.5;
constexpr double kPollPeriodS = 0.05;  // while a frame is drawn
constexpr double kSavePeriodS = 4.0;
constexpr double kWakeS = 0.1;           // while something is awaited that sends no event
constexpr float kLongestAgeStepS = 1.0;  // a longer frame does not hide a notice before it was seen

// Saves the state of the open window: Xlib calls exit() if the display goes away or another program destroys the
// window.
std::function<void()> atExit;

void callAtExit() {
  if (atExit) std::exchange(atExit, nullptr)();
}

// A window with its panels, from opening to closing.
class WindowRun {
 public:
  WindowRun(GlfwWindow& window, const WindowState& before, const CommandLine& commandLine,
            const Termination& termination, const SaveState& save)
      : commandLine_(commandLine),
        termination_(termination),
        save_(save),
        saver_(save),
        window_(window),
        clipboard_(window_.handle()),
        ui_(window_.handle()),
        session_(firstSession(before, commandLine)),
        loop_(framePlan(commandLine), session_.settings),
        history_(session_),
        undoBefore_(before.undo) {
    if (before.position) window_.moveTo(*before.position);
    place_ = window_.place();
    [[maybe_unused]] static const int registered = std::atexit(callAtExit);
    atExit = [this] { saveWithoutDisplay(); };
    replaceUnavailable(session_, commandLine);
    session_.notices.errors = before.errors;
    if (commandLine.scripted()) return;
    beginInteractive(session_, before, commandLine, window_.size());
    beginFilm();
    if (!opensShot_) openAskedShot();
    showFirstHint(session_, before);
  }

  ~WindowRun() { atExit = nullptr; }
  WindowRun(const WindowRun&) = delete;
  WindowRun& operator=(const WindowRun&) = delete;

  void run() {
    try {
      const AbandonFramesScope mayAbandon([this] { return inputEndsImage() || ended() || progress_.cancels(); });
      drawFrames();
    } catch (const FrameAbandoned&) {  // the window ends
    }
    awaitFiles();
    corrector_.finish(session_, history_);
    if (commandLine_.scripted() && !loop_.done() && !commandLine_.capture.empty())
      std::fprintf(stderr, "satdof: %s is not written: the window was closed before the last frame\n",
                   pathText(commandLine_.capture).c_str());
    if (loop_.done() && !commandLine_.stats.empty())
      writeStats(commandLine_.stats, session_.settings, loop_.result().state, loop_.result().shown.notes, loop_.stats(),
                 loop_.frames(), loop_.warmUpFrames());
  }

  // What the window leaves to the next.
  WindowState state() const { return stateAt(window_.place()); }

 private:
  WindowState stateAt(const WindowPlace& place) const {
    History history = history_;
    corrector_.endUndo(history);
    return stateOf(session_, history, place, image_.result().lacksFile);
  }

  // Begins to save the state for the next start. Returns false while the last save still runs.
  bool save(bool playing) {
    if (!saver_.ready(session_)) return false;
    place_ = window_.place();
    saver_.save(session_, state(), playing);
    return true;
  }

  // Saves the state when the display goes away: nothing can ask the window any more.
  void saveWithoutDisplay() {
    if (saveInTime(save_, stateAt(place_)))
      std::fputs("satdof: the display closed the window; the settings are saved\n", stderr);
  }

  // Whether the user has agreed to end an export by quitting. Says that it runs at the first request.
  bool mayQuit() {
    if (!session_.strip.exporting || std::exchange(toldExport_, true)) return true;
    session_.say("Export all is running: close again to end it");
    return false;
  }

  void drawFrames() {
    while (!quits_ && !ended() && !loop_.done()) {
      glfwPollEvents();
      image_.tidy();
      thumbnailsChanged_ |= thumbnails_.serve(session_.thumbnails);
      if (!window_.hidden() && !rests())
        drawFrame();
      else
        waitForEvent();
    }
  }

  void drawFrame() {
    saved_ = false;
    step();
    if (!recordingWaits_) recorder_.follow(loop_);
    recorder_.finish();
    // If only panels are drawn, slowly, threads that read files get the processor.
    const bool reads = opening_.loading() || film_.busy(session_) || session_.browser.waits();
    if (!rest_.settled() && !(reads && !imageChanged() && !session_.moves())) return;
    glfwWaitEventsTimeout(kWakeS);
    waitsSinceS_ = glfwGetTime();
  }

  // Draws nothing until input arrives or background work ends.
  void waitForEvent() {
    loop_.pause();
    saver_.report(session_);
    saved_ = saved_ || save(false);
    if (saver_.busy() || !recorder_.finish().empty() || hasPendingFileWork() || !saved_ || chooser_.open() ||
        depth_.busy() || corrector_.busy() || image_.untidy() || thumbnails_.busy() ||
        (!window_.hidden() && image_.willChoose()))
      glfwWaitEventsTimeout(kWakeS);
    else
      glfwWaitEvents();
    waitsSinceS_ = glfwGetTime();
  }

  // Waits for images and videos that are still being written.
  void awaitFiles() {
    recorder_.close();
    if (!recorder_.finish().empty()) save(false);
    FileWait wait(endRequests(), glfwGetTime());
    for (std::string file; !(file = recorder_.finish()).empty(); glfwWaitEventsTimeout(kWakeS))
      if (wait.gaveUp(file, recorder_.finishesVideos(), endRequests(), glfwGetTime())) return recorder_.abandon();
  }

  // How often the window was asked to close, by the user or by a signal.
  int endRequests() const { return window_.closeRequests() - refusedCloses_ + termination_.requests(); }

  // Draws one frame, unless input abandons it.
  void step() try {
    loop_.begin(glfwGetTime(), !loop_.beginsRecordedFrame() || takesFrame());
    update();
    if (!loop_.draws(imageChanged())) {
      repaint();
      return endDraw();
    }
    loop_.take(draw(loop_.shown(), loop_.timeS(), loop_.timings()));
    endDraw();
    for (const FrameFile& file : loop_.files())
      if (!write(file)) loop_.stopSequence();
    loop_.end();
  } catch (const FrameAbandoned&) {
    if (ended()) throw;
    loop_.pause();
  }

  // Whether the next frame of a sequence can be read and written.
  bool takesFrame() {
    return !(session_.sequence && session_.sequence->paused) && recorder_.ready() && !film_.busy(session_);
  }

  // Whether input has arrived that the image being drawn gives way to.
  bool inputEndsImage() const {
    using EndedBy = ShownQuality::EndedBy;
    if (image_.endedBy() == EndedBy::nothing) return false;
    if (gl::isSoftwareRenderer()) glFinish();  // computes the queued stage: until then, nothing can end it
    glfwPollEvents();
    switch (image_.endedBy()) {
      case EndedBy::time:
        return true;
      case EndedBy::input:
        return window_.inputWaits();
      case EndedBy::action:
        return window_.actionWaits();
      case EndedBy::nothing:
        break;
    }
    return false;
  }

  // Whether the window was asked to close; while a capture is drawn or all photographs are exported, twice. Also called
  // between the stages of a slow frame: takes events and saves the state now and then.
  bool ended() {
    const double now = glfwGetTime();
    const bool loading = draws_ == 0 || opening_.loading() || image_.result().loading;
    if (!saved_ && !loading && saver_.ageS() > kSavePeriodS) save(true);
    if (now - polledS_ > kPollPeriodS) {
      polledS_ = now;
      glfwPollEvents();
    }
    if (window_.closeRequests() > refusedCloses_ && !mayQuit()) refusedCloses_ = window_.closeRequests();
    return ending_.ends(endRequests(), recorder_.capturing());
  }

  // What happens before a frame is drawn. May change the settings.
  void update() {
    rememberCamera(session_);
    passTime();
    const bool input = takeInput();
    endFirstRest();
    edit();
    followTimeline();
    if (draws_ > 0 && !commandLine_.scripted()) replaceImpossible(session_);
    centreCamera();
    fitToWindow();
    if (ui_.outgrown()) {
      layOutAgain();
      centreCamera();
    }
    beginRecording();
    if (!session_.strip.exporting) toldExport_ = false;
    followZoom();
    const float focusOfA = std::exchange(focusOfA_, session_.settings.lens.focusDistanceM);
    if (!commandLine_.scripted()) followFocus(session_.settings, focusOfA);
    if (!strip_.exports()) history_.observe(session_, glfwGetTime(), window_.holding());
    // While files are read, slow samples wait as for input. A key that peeks at another image keeps the resolution.
    if (image_.choose(input || opening_.loading().has_value(), window_.holding() && !session_.peeks()))
      loop_.timings().restart();
  }

  // Starts the sequence that the session asks for once the frames of a film are read and ffmpeg has told its encoders;
  // ends one that the session ended.
  void beginRecording() {
    const bool begins = session_.sequence && !loop_.sequence();
    if (!session_.sequence) focus_.reset();
    if (begins && draws_ > 0) {
      repaint();
      progress_.keep();
    }
    recordingWaits_ = begins && (film_.busy(session_) || !recorder_.prepared());
    if (!recordingWaits_) recorder_.command(loop_);
    if (begins && film_.busy(session_)) {  // the disk holds the first frames: the frame after them is read
      recordingWaits_ = true;
      loop_.stopSequence();
    }
    if (begins && session_.sequence) followTimeline();  // to the first frame that the disk lacks
  }

  bool imageChanged() { return image_.changed(cursor()); }

  FrameResult draw(const Settings& settings, float timeS, Timings& timings) {
    if (commandLine_.scripted() && commandLine_.shot && animates(*commandLine_.shot, "lens.focusDistanceM"))
      session_.focus.at.reset();
    // In a scene that stands still, another time would restart the reference.
    if (!session_.moves()) timeS = session_.settings.scene.timeS;
    const auto shownText = [this] {
      const FrameResult& last = image_.result();
      return std::tuple(statusText(), last.message, last.atCursor, last.marks, last.progress, session_.drawnTechniques);
    };
    const auto textBefore = shownText();
    drawnTimeS_ = timeS;
    const bool records = loop_.sequence().has_value();
    histogram_.invalidate();
    FrameResult result = records ? recorder_.drawFrame(settings, timeS, cursor(), mayCancel(), timings)
                                 : image_.draw(settings, timeS, cursor(), loop_.writesFrame(), timings);
    drawnTimeS_ = result.shown.timeS.value_or(timeS);
    if (result.framing && !commandLine_.scripted()) {
      if (!strip_.exports()) history_.amendFraming(*result.framing);
      session_.centreCamera = true;
    }
    // The panels describe the image that is shown with them.
    if (shownText() != textBefore || session_.settings != laidOut_ || (records && mayCancel() && progress_.shown()))
      layOutAgain();
    present(timings);
    if (records && mayCancel()) progress_.keep();
    return result;
  }

  // Whether the user sees the progress of a recording and may cancel it.
  bool mayCancel() const { return draws_ > 0 && !commandLine_.scripted(); }

  // Shows the last image again, with panels that update() has changed.
  void repaint() {
    repaintTimings_.beginFrame();
    present(repaintTimings_);
    repaintTimings_.endFrame();
  }

  // What happens after an image is drawn or shown again.
  void endDraw() {
    if (const auto file = strip_.toWrite(session_, image_.showsFile());
        file && pendingWrites().empty() && !strip_.estimates(session_, depth_))
      strip_.wrote(session_, recorder_.write(*file, captureTimeS(), true));
    carryOut(commandTargets_, true);
    thumbnailsChanged_ |= histogram_.serve(session_, image_, glfwGetTime());
    measurements_.advance(session_);
    slowMotion_.advance(session_);
    {
      const auto scope = loop_.timings().cpu("swap");
      glfwSwapBuffers(window_.handle());
    }
    image_.finish();
    if (showsPhoto(session_.settings) && !opening_.loading() && !session_.moves() && histogram_.rested(glfwGetTime()))
      thumbnailsChanged_ |= thumbnails_.drawLook(session_.thumbnails, session_.settings, session_.shown.fileSize,
                                                 image_.thumbnailRenderer());
    ++draws_;
    updateTitle();
    requireNoGlErrors();
  }

  // Writes the image that is shown. Returns false after reporting a failure.
  bool write(const FrameFile& file) {
    if (file.path.empty()) return recorder_.append(captureTimeS());
    return !recorder_.write(file.path, captureTimeS(), file.numbered).empty();
  }

  // Animation time of the image that is shown. In a scene that stands still, the time of the loop goes on.
  float captureTimeS() const { return commandLine_.scripted() ? loop_.timeS() : drawnTimeS_; }

  // Opens the shot of the command line.
  void openAskedShot() {
    opensShot_ = false;
    if (commandLine_.shot)
      openShot(session_, *commandLine_.shot, {.path = commandLine_.shotPath, .text = commandLine_.shotText});
  }

  // Opens the film of the command line. Files of the command line replace the film of the last window.
  void beginFilm() {
    const ImageSettings& film = commandLine_.film;
    auto& last = session_.preferences.film;
    if (!film.file.none() || !commandLine_.settingsPath.empty() || !commandLine_.opened.empty()) last.reset();
    if (!isFilm(film.file.text)) return;
    InputFilm opened = openFilm({film.file, film.depth}, {});
    opened.framesPerSecond = 0;  // the command line has it
    film_.begin(session_, std::move(opened), history_);
  }

  // On the first start, the scene stands still until the image is at its best.
  void endFirstRest() {
    const bool best = draws_ > 0 && image_.result().progress >= 1.0f && !imageChanged() && !opening_.loading() &&
                      !image_.willChoose() && !image_.wouldChoose();
    session_.restsAtFirst = session_.restsAtFirst && !best;
  }

  // Whether nothing is drawn until something changes.
  bool rests() {
    const bool thumbnailsChanged = std::exchange(thumbnailsChanged_, false);
    const WindowNews news{
        .input = window_.changed() || window_.framebufferSize() != session_.settings.size || clipboard_.reading(),
        .image = imageChanged() || image_.wouldChoose() || (strip_.exports() && !session_.estimating) ||
                 film_.busy(session_),
        .panels = measurements_.counting() || session_.input.cursorM != shownCursorM_ || histogram_.waits(session_) ||
                  thumbnailsChanged,
        .work = opening_.loading() || chooser_.answered() || session_.browser.waits() || depth_.hasNews() ||
                corrector_.hasNews(glfwGetTime()),
        .lateAnswers = lateCompletions()};
    return rest_.rests(session_, news, draws_, glfwGetTime());
  }

  // Ages notices, and moves the scene to the time of the loop.
  void passTime() {
    session_.input.frameS = static_cast<float>(loop_.elapsedS());
    session_.input.flipped = session_.input.unblurred = false;
    shownCursorM_ = session_.input.cursorM;
    if (session_.focus.pointM == 0.0f && !session_.focus.at && !image_.result().focusPending)
      session_.focus.pointM = session_.settings.lens.focusDistanceM;
    const double now = glfwGetTime();
    frameS_ = now - std::exchange(updateS_, now);
    const float ageS = std::min(static_cast<float>(frameS_), kLongestAgeStepS);
    for (float* age : {&session_.notices.ageS, &session_.notices.hintAgeS, &session_.focus.markerAgeS}) *age += ageS;
    if (session_.moves()) session_.settings.scene.timeS = loop_.timeS();
  }

  // Sends the events since the last frame to the panels, the keys and the image. Returns whether there were any.
  bool takeInput() {
    const auto events = window_.takeEvents();
    const double now = glfwGetTime();
    session_.input.ageS = now - std::exchange(waitsSinceS_, now);
    // Dear ImGui knows only the panels of the last layout. After the progress was laid out, a click on any other panel
    // would reach the image.
    if (progress_.takeLaidOut()) layOutAgain();
    ui_.begin(events, session_.preferences.uiScale);
    session_.input.mouseAt = ui_.ownsMouse() ? session_.visible.centre() : cursor();
    dispatch(events, window_, ui_, mouse_, session_);
    for (const glm::vec2 at : std::exchange(session_.focus.measuredAt, {}))
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

  // Makes all edits of the frame: of the panels, then of everything else that asks.
  void edit() {
    const float timeS = session_.settings.scene.timeS;
    opening_.beginEdits(session_);
    editPanels();
    serveRequests();
    opening_.endEdits(session_);
    if (opensShot_ && !opening_.loading()) openAskedShot();
    if (session_.settings.scene.timeS != timeS) loop_.setTime(session_.settings.scene.timeS);
  }

  // Sets the time to the playhead, and the animated settings to their values there.
  void followTimeline() {
    playback_.follow(session_, history_, !image_.result().focusPending, frameS_);
    if (!session_.followsShot()) return;
    session_.settings.scene.timeS = static_cast<float>(session_.timeline.timeS);
    loop_.setTime(session_.timeline.timeS);
  }

  // Lays out the panels, which change the session.
  void editPanels() {
    layOut();
    if (draws_ > 0) return;
    layOutAgain();  // Dear ImGui hides panels in their first layout
    const bool placed = commandLine_.given("--split-position") || !commandLine_.settingsPath.empty();
    if (commandLine_.given("--split") && !placed && !commandLine_.scripted()) placeSplit(session_);
    history_ = History(session_, std::move(undoBefore_));
  }

  // Lays out twice: Dear ImGui sizes a panel by its contents in the layout before.
  void layOutAgain() {
    for (int times = 0; times < 2; ++times) {
      ui_.begin({}, session_.preferences.uiScale);
      layOut();
    }
  }

  // Quality and FrameResult::state of the last image.
  std::string statusText() const {
    const std::string quality = image_.text(), &state = image_.result().state;
    return quality + (quality.empty() || state.empty() ? "" : ", ") + state;
  }

  // The photograph or film that is being read; empty if it is shown already.
  std::filesystem::path reading() const {
    const std::filesystem::path shown = photographOf(session_.settings);
    if (const Settings* const opened = opening_.awaited(); opened && photographOf(*opened) != shown)
      return photographOf(*opened);
    if (!image_.result().loading || session_.shown.fileSize != glm::ivec2(0)) return {};
    const auto& film = session_.preferences.film;
    return film ? std::filesystem::path(film->file.text) : shown;
  }

  void layOut() {
    laidOut_ = session_.settings;
    const FrameResult& last = image_.result();
    session_.reading = reading();
    ui_.edit(session_,
             {loop_.timings().stats(), last, statusText(), mouse_.onSplit(session_, window_.mouse(), window_.size()),
              opening_.loading() ? opening_.loading() : last.loading, measurements_.lab(), measurements_.costs(),
              slowMotion_.show(), slowMotion_.lessons()});
  }

  // Takes what other programs, threads and panels have for this frame.
  void serveRequests() {
    if (ui_.takePaste()) clipboard_.read([this](const std::string& text) { ui_.type(text); });
    session_.attempt("settings", [this] {
      if (const auto files = window_.takeDropped(); !files.empty()) opening_.drop(session_, files);
      chooser_.serve(session_);
    });
    carryOut(commandTargets_, false);
    session_.attempt("settings", [this] {
      clipboard_.poll();
      strip_.serve(session_, opening_);
      depth_.serve(session_, opening_, image_.showsFile());
    });
    corrector_.serve(session_, opening_, history_, glfwGetTime());
    try {
      film_.serve(session_, opening_, history_);
    } catch (const std::runtime_error& error) {
      if (session_.sequence)
        recorder_.fail(error.what());
      else
        session_.report("film", error.what());
    }
    if (image_.showsFile()) rememberFiles(session_.preferences.recentImages, shownImage(session_));
  }

  void centreCamera() { cameraCentre_.update(session_, history_, !commandLine_.scripted()); }

  // Gives the image the size of the window.
  void fitToWindow() {
    clampToRanges(session_.settings);
    window_.apply(session_.settings.present);
    session_.settings.size = window_.framebufferSize();
  }

  void followZoom() {
    newFile_.update(session_, image_.showsFile() && !opening_.loading(), strip_.exports());
    if (session_.sequence || commandLine_.scripted()) session_.zoom = {};  // files show the whole image
    keepZoomInside(session_);
  }

  // The mouse, 0 to 1 from the bottom left of the image; the centre until the mouse has moved.
  glm::vec2 cursor() const {
    const glm::vec2 at = window_.mouse() / glm::vec2(window_.size());
    return at.x < 0.0f ? glm::vec2(0.5f) : glm::vec2(at.x, 1.0f - at.y);
  }

  // Draws the image, the loupe and the panels into the window.
  void present(Timings& timings) {
    const bool mouseSeen = window_.mouse().x >= 0.0f;
    session_.input.cursorM = mouseSeen && !ui_.ownsMouse() ? image_.distanceAt(cursor()) : std::nullopt;
    image_.present(timings);
    if (session_.loupe.magnification > 0 && mouseSeen) {
      session_.loupe.colour = loupe_.draw(session_.settings.size, cursor(), session_.loupe.magnification);
      session_.loupe.mark = loupe_.mark();
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
  StateSaver saver_;
  GlfwWindow& window_;
  WindowClipboard clipboard_;
  Ui ui_;
  Session session_;
  FrameLoop loop_;
  History history_;
  std::vector<UndoStep> undoBefore_;  // of the last window; moved into history_ after the first layout
  ImageMouse mouse_;
  Loupe loupe_;
  Measurements measurements_;
  SlowMotion slowMotion_;
  Opening opening_;
  Chooser chooser_;
  StripController strip_;
  FilmFrames film_{!commandLine_.depthCommand.empty()};
  DepthEstimator depth_{!commandLine_.depthCommand.empty()};
  DepthCorrector corrector_;
  ThumbnailMaker thumbnails_;
  HistogramMeter histogram_;
  WindowImage image_{session_, commandLine_.scripted(), [this] {
                       glfwPollEvents();
                       return window_.inputWaits();
                     }};
  CaptureProgress progress_{window_, ui_, session_, mouse_};
  RecordedFocus focus_{session_, image_, film_, progress_, commandLine_.framesPerSecond};
  Recorder recorder_{session_, image_, ui_, commandLine_, progress_, [this] { layOutAgain(); }, focus_};
  Playback playback_;
  const CommandTargets commandTargets_{.session = session_,
                                       .history = history_,
                                       .playback = playback_,
                                       .opening = opening_,
                                       .chooser = chooser_,
                                       .clipboard = clipboard_,
                                       .strip = strip_,
                                       .depth = depth_,
                                       .corrector = corrector_,
                                       .image = image_,
                                       .recorder = recorder_,
                                       .focus = focus_,
                                       .measurements = measurements_,
                                       .slowMotion = slowMotion_,
                                       .dialogParent = [this] { return portalWindow(window_.handle()); },
                                       .captureTimeS = [this] { return captureTimeS(); },
                                       .quit = [this] { quits_ = mayQuit(); }};
  CameraCentre cameraCentre_;
  NewFileWatch newFile_;
  WindowRest rest_;
  Ending ending_;
  Timings repaintTimings_;

  bool quits_ = false, toldExport_ = false;
  int refusedCloses_ = 0;                          // requests to close the window that did not end an export
  bool opensShot_ = !commandLine_.opened.empty();  // the shot of the command line waits for the files to open
  bool recordingWaits_ = false;                    // see beginRecording()
  bool saved_ = false;                             // the state, since the last frame
  bool thumbnailsChanged_ = false;                 // or the histogram, since the last rests()
  WindowPlace place_;                              // as of the last title or save
  long draws_ = 0;
  float drawnTimeS_ = 0.0f;                                 // animation time of the last image
  double updateS_ = 0.0;                                    // time of the last update()
  double frameS_ = 0.0;                                     // seconds between the last two update()
  double waitsSinceS_ = 0.0;                                // since this time, input waits for the next frame
  double polledS_ = 0.0;                                    // time of the last look for events in ended()
  float focusOfA_ = session_.settings.lens.focusDistanceM;  // in the last frame
  std::optional<float> shownCursorM_;                       // FrameInput::cursorM in the last layout
  Settings laidOut_;                                        // settings in the last layOut()
  double titleS_ = 0.0;                                     // time of the last title
  long titleDraws_ = 0;                                     // draws_ then
};

}  // namespace

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
