#include "app/run/window/window_image.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "app/core/system/abandon.h"
#include "app/device/device.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/lens/depth_of_field.h"
#include "app/render/resolve.h"
#include "app/render/why_not.h"
#include "app/run/available.h"
#include "app/run/film/frame_files.h"
#include "app/run/small_settings.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/image/zoom.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr double kInputS = 0.3;  // so long after input, no slow sample delays the panels

// The settings without those that change from frame to frame and allocate nothing.
Settings allocating(Settings settings) {
  settings.camera = {};
  settings.lens.focusDistanceM = {};
  settings.scene.timeS = {};
  return settings;
}

// The settings that show side B alone; with A, if B shows their difference.
Settings flipped(Settings settings) {
  const bool needsA = viewOf(settings.split.b.view).source == ViewSource::difference;
  if (!needsA) settings = settingsOfB(settings);
  settings.split.enabled = needsA;
  settings.split.position = 0.0f;
  return settings;
}

// The settings of the image before depth of field.
Settings unblurred(Settings settings) {
  settings.technique.view = View::sharp;
  settings.split.enabled = false;
  return settings;
}

bool showsCursor(const Settings& settings) {
  return viewOf(settings.technique.view).readsTable ||
         (settings.split.enabled && viewOf(settings.split.b.view).readsTable);
}

bool dependsOnCentre(const Settings& settings) {
  const auto hasHalves = [](const Technique& technique) { return viewOf(technique.view).leftHalf != nullptr; };
  return settings.lens.autofocus || hasHalves(settings.technique) ||
         (settings.split.enabled && hasHalves(settings.split.b));
}

// Returns the settings without marks over the finished image. Of a photograph, without the comparison: side A alone.
Settings withoutAids(Settings settings) {
  for (Technique* const side : {&settings.technique, &settings.split.b})
    if (viewOf(side->view).blended) side->view = Technique().view;
  settings.split.enabled &= !showsPhoto(settings);
  return settings;
}

}  // namespace

WindowImage::Shows WindowImage::showsOf(const Settings& settings, const Quality& quality) const {
  return {imageOf(settings), quality, session_.zoom, session_.brush.edits};
}

QualitySettings WindowImage::qualitySettings() const {
  const QualitySettings& asked = session_.settings.quality;
  return scripted_ ? QualitySettings{asked.adaptive && session_.sequence, false, false} : asked;
}

QualityInputs WindowImage::qualityInputs() const {
  const Settings& settings = session_.settings;
  // The reference fades in over the chosen image, which is not drawn while Session::peeks().
  const Quality& chosen = quality_.chosen();
  const bool mayBegin = !session_.peeks() && drawn_[0].shows == showsOf(settings, chosen);
  return {.nowS = glfwGetTime(),
          .loading = result().loading.has_value(),
          .waiting = result().focusPending,
          .mayConverge = !result().loading && !session_.moves() && !session_.sequence && !session_.lab.running &&
                         whyNot(settings, "quality.converge").empty() && (mayBegin || chosen.shown == Shown::reference),
          .onlyBestLens = !sceneRow(settings.scene.kind).capabilities.fasterLens,
          .zoom = std::max(session_.zoom.scale, 1.0f)};
}

bool WindowImage::choose(bool input, bool held) {
  if (input) inputS_ = glfwGetTime();
  held_ = held;
  const Shown was = quality_.chosen().shown;
  // A capture has replaced the image. Drawing it again may take long: as after a change, quick images come first.
  const bool restarts =
      replaced_ && (was == Shown::reference || (was == Shown::best && !session_.sequence && !scripted_));
  const Shows now = showsOf(session_.settings);
  const bool changed = restarts || session_.timeline.playing || now != observed_;
  observed_ = now;
  return quality_.choose(changed, held, session_.sequence.has_value(), qualitySettings(), qualityInputs());
}

bool WindowImage::wouldChoose() const {
  return advance(quality_.state(), qualitySettings(), qualityInputs()).chosen != quality_.chosen();
}

bool WindowImage::willChoose() const { return willChange(quality_.state(), qualitySettings(), qualityInputs()); }

Quality WindowImage::wanted() const {
  const Quality& chosen = quality_.chosen();
  return session_.peeks() && chosen.shown == Shown::reference ? Quality{Shown::best} : chosen;
}

Settings WindowImage::peeked(const Settings& settings) const {
  return session_.input.flipped ? flipped(settings) : session_.input.unblurred ? unblurred(settings) : settings;
}

Settings WindowImage::shownSettings(Settings settings) const {
  settings = peeked(settings);
  const Quality chosen = wanted();
  // At rest the focus is fixed: it differs a little between images of different sizes and would keep moving.
  settings.lens.autofocus &= session_.moves() || scripted_ || !quality_.rests();
  if (chosen.shown == Shown::best) return bestSettings(settings);
  if (chosen.shown == Shown::reference) return referenceSettings(settings);
  if (qualitySettings().adaptive) settings = quickSettings(settings, chosen.step);
  return atScale(settings, chosen.scale);
}

bool WindowImage::changed(glm::vec2 cursor) const {
  const Drawn& last = drawn();
  const bool settled = !scripted_ && last.shows == showsOf(peeked(session_.settings), wanted());
  return !settled || (last.first && session_.settings.lens.autofocus) || (replaced_ && !session_.peeks()) ||
         session_.focus.at || last.result.focusPending || last.result.isDraft || last.result.loading || refines() ||
         last.result.comparisonPending || last.result.cursorPending || session_.sequence ||
         last.reloads != gl::shaderReloads() || (showsCursor(session_.settings) && last.cursor != cursor) ||
         (dependsOnCentre(session_.settings) && last.centre != centreShown(session_));
}

bool WindowImage::refines() const {
  const bool answers = quality_.slow() && glfwGetTime() - inputS_ < kInputS;
  return result().progress < 1.0f && !answers;
}

FrameResult WindowImage::draw(const Settings& settings, float timeS, glm::vec2 cursor, bool alone, Timings& timings) {
  const auto pick = std::exchange(session_.focus.at, std::nullopt);
  const Settings shown = affordable(withSurroundings(shownSettings(settings), session_.zoom));
  const Settings allocates = allocating(shown);
  Drawn& last = drawn();
  const Shows now = showsOf(peeked(settings), wanted());
  const bool sameScale = last.shows && last.shows->zoom.scale == now.zoom.scale;
  if (allocates != allocated_ || last.result.loading || !sameScale) expectTidying();
  allocated_ = allocates;
  // Only times of equal images count: the first image of other settings compiles and allocates, too.
  const bool steady = !session_.peeks() && sameScale && last.shows->quality == now.quality &&
                      last.shows->settings.technique == now.settings.technique &&
                      last.shows->settings.size == now.settings.size;
  drawStartS_ = steady ? std::optional(glfwGetTime()) : std::nullopt;
  // Later samples only refine the image, and abandoning them would lose all.
  const bool yields =
      !scripted_ && !session_.sequence && !session_.peeks() && last.shows && last.shows != now && quality_.yields();
  yieldsSinceS_ = yields ? std::optional(glfwGetTime()) : std::nullopt;
  FrameResult result;
  if (last.failed != now || last.reloads != gl::shaderReloads())
    result = renderOrReport(shown,
                            {.timeS = timeS,
                             .focusAt = pick,
                             .compare = true,
                             .live = !scripted_ && !session_.sequence,
                             .cursor = cursor,
                             .samplesPerFrame = quality_.samples(),
                             .yields = scripted_ ? nullptr : inputWaits_,
                             .standalone = alone,
                             .holdFocus = held_,
                             .centre = centreShown(session_),
                             .zoom = zoomOf(shown)},
                            now, timings);
  yieldsSinceS_.reset();
  last.first = last.shows != now;
  last.shows = now;
  if (!session_.peeks()) replaced_ = false;
  applyResult(last.shows->settings, result);
  if (pick && result.shown.lacksDepth)
    session_.say(session_.estimating ? "The depth of this photograph is still being estimated"
                                     : "This photograph has no depth to focus on: see Scene");
  else if (!shown.lens.autofocus && result.focus.focusDistanceM >= kInfinityM)
    session_.say("Focus: infinity. This point shows no surface");
  if (result.framing) applyFraming(observed_.settings, *result.framing);  // no motion
  last.reloads = gl::shaderReloads();
  last.cursor = cursor;
  last.centre = centreShown(session_);
  if (const auto& film = session_.preferences.film; film && session_.inputFrames > 0) {
    ImageSettings named;
    named.file = film->file;
    named.depth = film->depth;
    for (std::string& note : result.shown.notes) note = ofFilm(note, shown.scene.image, named);
  }
  last.result = result;
  setShown(result.shown);
  auto& techniques = session_.drawnTechniques;
  if (!session_.peeks() && !last.failed)
    techniques = {result.techniques[0], result.techniques[1]};
  else if (techniques && session_.input.flipped && !last.failed)
    techniques->second = result.techniques[0];
  drawThumbnail(settings, timeS);
  return result;
}

void WindowImage::setShown(const SceneShown& shown) {
  session_.shown = ShownImage{shown};
  if (shown.fileSize == glm::ivec2(0)) return;
  // The rounded area of a quick image, which is smaller, would move a zoomed image.
  const glm::ivec2 whole = wholeSize(session_.zoom, session_.settings.size);
  const PixelRectangle area = fittedPhotograph(shown.fileSize, whole, session_.settings.camera);
  session_.shown.areaFrom = glm::vec2(area.from) / glm::vec2(whole);
  session_.shown.areaTo = glm::vec2(area.to()) / glm::vec2(whole);
}

std::optional<ZoomRequest> WindowImage::zoomOf(const Settings& settings) {
  const Zoom& zoom = session_.zoom;
  if (!zoom.active()) return std::nullopt;
  const ImagePart part{firstPixel(zoom, settings.size), wholeSize(zoom, settings.size)};
  // Blur reaches into the part from outside: draw a margin of half the height on each side, less if memory is short.
  Settings drawn = settings;
  drawn.size += settings.size.y;
  affordableZoom_.check(drawn);
  const glm::ivec2 room = (affordableZoom_.size() - settings.size) / 2;
  return ZoomRequest{part, std::max(std::min(room.x, room.y), 0)};
}

void WindowImage::drawThumbnail(const Settings& settings, float timeS) {
  session_.thumbnail = 0;
  if (!session_.zoom.active()) return;
  constexpr float kLongestSidePx = 320.0f;
  Settings small = sharpSettings(settings, settings.size, kLongestSidePx);
  small.scene.timeS = timeS;
  try {
    session_.thumbnail = thumbnail_.draw(thumbnailRenderer(), small, result().loading.has_value(), untimed_);
  } catch (const std::runtime_error&) {  // drawing the image reports it
  }
}

ShownQuality::EndedBy WindowImage::endedBy() const {
  if (!yieldsSinceS_) return ShownQuality::EndedBy::nothing;
  return quality_.endedBy(static_cast<float>(glfwGetTime() - *yieldsSinceS_));
}

FrameResult WindowImage::renderOrReport(const Settings& shown, const FrameRequest& request, const Shows& now,
                                        Timings& timings) {
  try {
    FrameResult result = renderOnWorkingDevices(shown, request, timings);
    drawn().failed.reset();
    if (!drawStartS_) requireGlSuccess();  // the first image of other settings allocates
    session_.forget("image");
    return result;
  } catch (const FrameAbandoned&) {
    replaced_ = replaced_ || quality_.chosen().shown == Shown::quick;  // the quick image is incomplete
    if (yieldsSinceS_) quality_.yielded(static_cast<float>(glfwGetTime() - *yieldsSinceS_));
    yieldsSinceS_.reset();
    drawStartS_.reset();
    session_.focus.at = request.focusAt;
    throw;
  } catch (const std::runtime_error& error) {
    if (scripted_ || (!drawn_[0].shows && !drawn_[1].shows)) throw;
    session_.report("image", error.what());
    renderers_.discard(kindOf(wanted().shown));
    drawn().failed = now;
    return {};
  }
}

FrameResult WindowImage::renderOnWorkingDevices(const Settings& shown, const FrameRequest& request, Timings& timings) {
  try {
    FrameResult result = renderer().render(shown, request, timings);
    const bool fails = !result.message.empty() && result.message != drawn().result.message;
    if (!fails || !replaceFailedDevices()) return result;
  } catch (const std::runtime_error&) {
    if (!replaceFailedDevices()) throw;
  }
  return renderer().render(withAvailable(shown), request, timings);
}

bool WindowImage::replaceFailedDevices() {
  if (scripted_) return false;
  const std::string reason = noticeLostDevices();
  if (reason.empty()) return false;
  renderers_.discardAll();
  drawn_[session_.peeks() ? 0 : 1] = {};
  session_.settings = withAvailable(session_.settings);
  session_.report("device", reason);
  std::fprintf(stderr, "satdof: %s\n", reason.c_str());
  return true;
}

Settings WindowImage::affordable(Settings settings) {
  if (const auto lacking = affordable_.check(settings)) {
    if (lacking->empty())
      session_.forget("memory");
    else if (scripted_)
      throw std::runtime_error(*lacking);
    else
      session_.report("memory", *lacking);
  }
  settings.size = affordable_.size();
  return settings;
}

void WindowImage::present(Timings& timings) {
  if (drawn().failed) {
    const float black[] = {0.0f, 0.0f, 0.0f, 1.0f};
    glClearNamedFramebufferfv(0, GL_COLOR, 0, black);
    return;
  }
  const Settings settings = peeked(session_.settings);
  const Renderer* const under =
      wanted().shown == Shown::reference ? renderers_.made(Renderers::kindOf(quality_.under())) : nullptr;
  const bool canFade = under != nullptr && under->image().size() == settings.size;
  renderer().present(0, settings.size, settings, timings,
                     {canFade ? &under->image() : nullptr, canFade ? fadeOf(result().progress) : 1.0f});
}

void WindowImage::finish() {
  if (drawStartS_) quality_.measured(static_cast<float>(glfwGetTime() - *std::exchange(drawStartS_, std::nullopt)));
}

float WindowImage::expectedS(glm::ivec2 size) const {
  const glm::vec2 growth = glm::vec2(size) / (quality_.chosen().scale * glm::vec2(session_.settings.size));
  return quality_.drawS() * growth.x * growth.y;
}

bool WindowImage::hasAids(const Settings& settings, bool asShown) const {
  return !asShown && !scripted_ && withoutAids(settings) != settings;
}

Settings WindowImage::fileSettings(const Settings& settings, bool asShown) const {
  const Settings shown = asShown || scripted_ ? peeked(settings) : withoutAids(peeked(settings));
  return qualitySettings().adaptive ? bestSettings(shown) : shown;
}

void WindowImage::capture(CaptureOptions options, float timeS, const Take& take) {
  expectTidying();
  const bool redraw = options.redraw;
  const bool asShown = options.drawOver != nullptr;
  // The file shows the whole image, without marks.
  options.redraw |= session_.zoom != Zoom{} || hasAids(peeked(session_.settings), asShown);
  replaced_ =
      replaced_ || options.redraw || (options.size != glm::ivec2(0) && options.size != renderer().image().size());
  options.centre = centreShown(session_);
  Settings settings = fileSettings(session_.settings, asShown);
  const bool converged = wanted().shown == Shown::reference && result().progress == 1.0f;
  if (!qualitySettings().adaptive && !converged && quality_.chosen().scale == 1.0f) {
    options.progress = result().progress;
    take(renderers_.get(kindOf(Shown::quick)), settings, options);
  } else if (converged) {
    const Settings shown = shownSettings(session_.settings);
    take(renderer(), asShown || scripted_ ? shown : withoutAids(shown), options);
  } else {
    settings.lens.autofocus = false;
    Renderer& best = renderers_.get(kindOf(Shown::best));
    if (quality_.chosen().shown == Shown::quick) {
      while (
          best.render(settings, {.timeS = timeS, .focusAt = {}, .centre = centreShown(session_)}, untimed_).progress <
          1.0f) {
      }
      options.redraw = redraw;
    }
    take(best, settings, options);
  }
}

void WindowImage::expectTidying() {
  if (!scripted_) renderers_.expectTidying(glfwGetTime());
}

void WindowImage::tidy() {
  // Keep the image of Session::peeks() while the key would show the same image again.
  const auto isDrawn = [&](const Settings& other) { return drawn_[1].shows->settings == imageOf(other); };
  const bool keepsPeek =
      session_.peeks() ||
      (drawn_[1].shows && (isDrawn(flipped(session_.settings)) || isDrawn(unblurred(session_.settings))));
  if (!keepsPeek) drawn_[1] = {};
  std::vector<Renderers::Kind> used{Renderers::kindOf(quality_.chosen().shown)};
  if (keepsPeek) used.push_back(Renderers::Kind::peek);
  if (session_.zoom.active()) used.push_back(Renderers::Kind::thumbnail);
  renderers_.tidy(glfwGetTime(), used, session_.settings.size);
}

bool WindowImage::showsFile() const {
  const SceneSettings& scene = session_.settings.scene;
  const Drawn& last = drawn();
  return last.shows && showsPhoto(session_.settings) && last.shows->settings.scene.kind == scene.kind &&
         last.shows->settings.scene.image == scene.image && !last.result.loading && last.result.message.empty() &&
         !last.result.shown.readings.empty();
}

std::string WindowImage::text() const {
  if (!qualitySettings().adaptive && !qualitySettings().converge) return {};
  const Quality chosen = wanted();
  const LensKind drawnLens = result().techniques[0].lens.kind;
  std::string lens;
  if (!session_.settings.split.enabled && drawnLens != LensKind::automatic) {
    const bool without =
        chosen.shown == Shown::quick && qualitySettings().adaptive && leavesBokehOut(session_.settings, chosen.step);
    lens = std::string(" (") + name(drawnLens) + (without ? ", no bokeh)" : ")");
  }
  if (chosen.shown == Shown::quick) {
    const std::string scale = " at " + std::to_string(std::lround(100.0f * chosen.scale)) + " %";
    return "Quick" + (chosen.scale < 1.0f ? scale : " image") + lens +
           (qualitySettings().adaptive ? ", best at rest" : "");
  }
  if (chosen.shown == Shown::best) return "Best image" + lens;
  return result().progress < 1.0f ? "Converging" : "Reference";
}

std::optional<float> WindowImage::distanceAt(glm::vec2 cursor, bool waits) {
  return drawn().failed ? std::nullopt : renderer().distanceAt(cursor, waits);
}

}  // namespace satdof
