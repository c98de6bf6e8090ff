#include "app/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

#include "app/core/system/abandon.h"
#include "app/core/system/resources.h"
#include "app/core/tracking.h"
#include "app/gl/async_readback.h"
#include "app/gl/gl.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"
#include "app/lens/lens.h"
#include "app/lens/reference/reference.h"
#include "app/lens/thin_lens.h"
#include "app/render/changes.h"
#include "app/render/cpu_present.h"
#include "app/render/image_mean.h"
#include "app/render/placement.h"
#include "app/render/reach.h"
#include "app/render/resolve.h"
#include "app/render/side.h"
#include "app/render/why_not.h"
#include "app/scene/camera.h"
#include "app/views/difference.h"

namespace satdof {

namespace {

int splitColumn(const SplitSettings& split, glm::ivec2 size) {
  return static_cast<int>(std::lround(split.position * static_cast<float>(size.x)));
}

int maxTextureSidePx() {
  GLint side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  return side;
}

// Whether the image has bars beside its photograph.
bool hasBars(const SceneLook& look) { return look.shownTo != SceneLook().shownTo; }

// From a point of a photograph without its bars to a point of the image with them; both 0 to 1.
glm::vec2 photographToImage(glm::vec2 at, const SceneFrame& frame) {
  const glm::ivec2 to = glm::min(frame.look.shownTo, frame.size);
  return glm::mix(glm::vec2(frame.look.shownFrom), glm::vec2(to), at) / glm::vec2(frame.size);
}

// Gives each technique whose lens cannot draw the scene the automatic lens. Returns the reason if a shown technique is
// affected, else an empty string.
std::string replaceUnsupportedLenses(Settings& settings) {
  std::string shownReason;
  for (Technique* technique : {&settings.technique, &settings.split.b}) {
    const std::string reason = whyNot(settings.scene.kind, technique->lens.kind);
    if (reason.empty()) continue;
    if (technique == &settings.technique || showsB(settings)) shownReason = reason;
    technique->lens.kind = LensKind::automatic;
  }
  return shownReason;
}

// Appends a line to `text` unless the line is empty.
void addLine(std::string& text, const std::string& line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

// Sets the focus of side A, and the blur of the side with the larger blur.
void setBlur(SceneView& view, const ResolvedSettings& settings) {
  const auto blurM = [](const ResolvedSettings& side) {
    if (viewOf(side.technique.view).source == ViewSource::scene) return 0.0f;
    return -thinLens(side.lens, 1, 1.0f).alpha * std::max(side.lens.nearScale, side.lens.farScale);
  };
  view.blurM = std::max(blurM(settings), showsB(settings) ? blurM(settingsOfB(settings)) : 0.0f);
  view.focusM = settings.lens.focusDistanceM;
}

}  // namespace

// The scene is drawn at settings.size pixels, including the margin of overscan or zoom. Callers get the rectangle
// `shown` of this drawn image.
struct Renderer::Impl {
  // The frame that render() draws.
  struct Job {
    const ResolvedSettings& settings;  // framed, with the size of the drawn image; updateFocus() sets its focus
    const FrameRequest& request;
    const ImagePlacement& placement;
    SceneView view;
    Timings& timings;
  };
  // The surface that the last pick aims at.
  struct Pick {
    SceneView view;
    glm::ivec2 size{1};  // of the drawn image
    glm::vec2 at{0.5f};  // in the drawn image, 0 to 1 from the bottom left
  };

  std::shared_ptr<SharedScene> shared;
  Scene* scene = nullptr;  // of this frame
  // Render targets of the scene; of the reference lens's views; of the second depth layer, with one sample a pixel.
  Targets targets, viewTargets, hiddenTargets;
  Focus focus;
  ImageMean mean;
  ViewPass views;
  PresentPass presentPass;
  CpuPresent cpuPresent;
  MeanOfSums meanOfSums;
  DifferencePass differencePass;
  Target imageA, imageB, difference;             // size of the drawn image
  Target combined;                               // of A, B and their difference, if both sides are shown
  Target half, croppedA, croppedB, croppedHalf;  // half: of the reference's samples; cropped: to `shown`
  gl::Texture croppedColour, croppedDepth;       // of croppedFrame()
  Side a, b;                                     // destroyed before the images that they may share with CUDA
  const int maxSidePx = maxTextureSidePx();
  PixelRectangle shown{.size = glm::ivec2(1)};
  int overscanDivisor = 0;  // of the last frame that was no tile
  std::optional<LiveComparison> comparison;
  // The last frame: its settings, with the size of the drawn image, what else decided its image, and the scene before
  // the lens.
  std::optional<ResolvedSettings> lastSettings;
  ImageKey lastKey;
  std::optional<SceneFrame> frame;
  bool reusable = true;   // imageA holds the last frame: neither a tile nor written by replaceImage()
  bool replaced = false;  // replaceImage() was called after the last render()
  Pick pick;
  AsyncReadback distanceReads{1};
  std::optional<float> answeredM;  // newest answer of distanceAt()
  bool drawsB = false;
  bool splitVisible = false;  // B is shown right of the split line

  FrameResult render(const Settings& wanted, const FrameRequest& request, Timings& timings);
  void resize(const ResolvedSettings& settings);

  // Draws a view of the scene, with the facts of the whole image.
  SceneFrame drawScene(const Job& job, const SceneView& view, Targets& into) const;
  // Picks, tracks and measures the focus. Applies the change to `lens` and returns it.
  FocusChange updateFocus(const Job& job, LensSettings& lens, FrameResult& result);
  // Returns where the tracked point is in the drawn image, at kNearM if it is behind the camera; none if its object is
  // gone.
  std::optional<TrackedPlace> trackedPlace(const SceneView& view, const LensSettings& lens) const;
  // Returns the surface of the last pick, which is `distanceM` away.
  TrackedPoint pickedSurface(float distanceM) const;
  SceneRedraw redrawFor(const Job& job, const LensSettings& lens);
  // Returns the inputs of the side that draws with `settings`. Both arguments must outlive them.
  SideInputs inputsFor(const Job& job, const ResolvedSettings& settings);
  // Draws A and, if it is shown, B; then what depends on both sides.
  void drawSides(const Job& job);
  void drawDifference(const Job& job);
  // Measures image metrics if exactly one of the two sides is the reference.
  void compare(const Job& job);
  // Fills `combined`: A left of the split line, B right of it; for the difference view, the difference.
  void combine(const SplitSettings& split);
  void report(FrameResult& result) const;
  // Adds the footprints of both sides and the table of the side at `cursorX`, 0 to 1 from the left.
  void reportAtCursor(FrameResult& result, float cursorX) const;
  void present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings, const CrossFade& fade,
               const gl::Texture* opacity);
  std::optional<float> distanceAt(glm::vec2 at, bool waits);
  void freeUnused();
  void freeImages();
  void freeB() { const Side unused = std::exchange(b, {}); }

  ImageKey keyOf(const ImagePart& part) const { return {scene->contents(), gl::shaderReloads(), part}; }
  // Whether the last frame had the same inputs.
  bool equalsLast(const Job& job) const {
    return reusable && lastSettings == job.settings && lastKey == keyOf(job.placement.part);
  }
  // Whether imageA holds what A would draw: only B refines its image.
  bool canReuseA(const Job& job) const { return drawsB && a.repeats() && equalsLast(job); }
  // Whether `targets` hold what the scene would draw: only the reference lens, which redraws the scene itself, refines
  // its image.
  bool canReuseScene(const Job& job) const {
    const bool refines = drawsB ? b.isReference() && (a.isReference() || a.repeats()) : a.isReference();
    return refines && equalsLast(job) && !scene->loading();
  }

  bool showsBoth() const { return drawsB && b.ready(); }
  bool showsDifference(const Side& side) const { return side.view().source == ViewSource::difference; }
  // From a point of the shown image to a point of the drawn image; both 0 to 1.
  glm::vec2 shownToDrawn(glm::vec2 at) const {
    return (at * glm::vec2(shown.size) + glm::vec2(shown.from)) / glm::vec2(frame->size);
  }
  bool hasMargin() const { return imageA.texture.size() != shown.size; }
  // Returns the shown part of `image`: `image` itself, or a copy in `copy`.
  const gl::Texture& cropped(const gl::Texture& image, Target& copy) const;
  SceneFrame croppedFrame();
  // The look of the shown image.
  SceneLook croppedLook() const {
    SceneLook look = frame->look;
    look.shownFrom -= shown.from;
    look.shownTo -= shown.from;
    return look;
  }
  const Target& drawnImage() const { return showsBoth() ? combined : imageA; }
  const gl::Texture& shownImage() {
    if (!replaced) a.store(imageA);
    return hasMargin() ? croppedA.texture : drawnImage().texture;
  }
};

FrameResult Renderer::Impl::render(const Settings& wanted, const FrameRequest& request, Timings& timings) {
  FrameResult result;
  replaced = false;
  Settings supported = imageOf(wanted);
  const std::string unsupported = replaceUnsupportedLenses(supported);
  ResolvedSettings settings(supported);
  settings.scene.timeS = static_cast<float>(request.timeS);

  scene = &shared->of(settings.scene.kind);
  result.framing = scene->framing({settings.scene, settings.camera, request.timeS, request.live});
  if (result.framing) applyFraming(settings, *result.framing);
  settings.camera.verticalFovDegrees = fieldOfViewDegrees(settings.camera.verticalFovDegrees, settings.lens);
  const ImagePlacement placement = place(settings, request, maxSidePx, [&](const Settings& of) {
    return scene->nearestM({of.scene, of.camera, request.timeS, request.live}, of.size);
  });
  shown = placement.shown;
  overscanDivisor = placement.overscanDivisor.value_or(overscanDivisor);
  resize(settings);
  splitVisible = settings.split.enabled && splitColumn(settings.split, shown.size) < shown.size.x;

  Job job{.settings = settings,
          .request = request,
          .placement = placement,
          .view = {.scene = settings.scene,
                   .camera = settings.camera,
                   .timeS = request.timeS,
                   .live = request.live,
                   .part = placement.part},
          .timings = timings};
  setBlur(job.view, settings);
  const SceneFrame drawn = canReuseScene(job) ? *frame : drawScene(job, job.view, targets);
  const bool blended = drawn.opaque != nullptr;
  a.choose(settings.technique, settings.size, blended);
  if (!a.ready()) throw std::runtime_error(a.failure());
  drawsB = splitVisible || showsDifference(a);
  if (drawsB) b.choose(settings.split.b, settings.size, blended);
  frame = drawn;
  result.focus = updateFocus(job, settings.lens, result);
  if (request.standalone && sceneRow(settings.scene.kind).showsPhotographs() &&
      settings.lens.focusDistanceM != job.view.focusM) {
    setBlur(job.view, settings);
    frame = drawScene(job, job.view, targets);
  }

  drawSides(job);
  lastSettings = settings;
  lastKey = keyOf(placement.part);
  reusable = !request.part;
  cropped(drawnImage().texture, croppedA);
  report(result);
  reportAtCursor(result, request.cursor.x);
  addLine(result.message, unsupported);
  return result;
}

void Renderer::Impl::resize(const ResolvedSettings& settings) {
  const bool resized = !lastSettings || lastSettings->size != settings.size;
  if (resized || lastSettings->scene.samples != settings.scene.samples) {
    a.resize(settings.size);
    if (drawsB)
      b.resize(settings.size);
    else
      freeB();
    targets.resize(settings.size, settings.scene.samples);
  }
  if (resized) imageA = Target(settings.size);
  if (showsB(settings) && imageB.texture.size() != settings.size) {
    imageB = Target(settings.size);
    difference = Target(settings.size);
  }
}

SceneFrame Renderer::Impl::drawScene(const Job& job, const SceneView& view, Targets& into) const {
  const ImagePlacement& placement = job.placement;
  SceneFrame drawn = scene->draw(view, into, job.timings);
  drawn.whole = placement.part.whole;
  drawn.from = placement.part.from;
  drawn.axisPx = axisPx(job.settings, drawn.wholeSize());
  if (job.request.part) drawn.nearestM = std::max(placement.nearestM, drawn.nearM);
  if (job.request.zoom) drawn.nearestM = std::max(std::min(placement.nearestM, drawn.nearestM), drawn.nearM);
  return drawn;
}

FocusChange Renderer::Impl::updateFocus(const Job& job, LensSettings& lens, FrameResult& result) {
  const FrameRequest& request = job.request;
  const glm::vec2 size(frame->size);
  const bool changed = !equalsLast(job);
  if (request.focusAt) {
    const glm::vec2 at = request.focusInPhotograph ? photographToImage(*request.focusAt, *frame) : *request.focusAt;
    pick = {job.view, frame->size, shownToDrawn(at)};
    focus.pick(pick.at);
  }
  // From a point of the whole image, or of a photograph without its bars, to a point of the drawn image.
  const auto wholeToDrawn = [&](glm::vec2 at) {
    const SceneLook& look = frame->look;
    if (hasBars(look)) return glm::mix(glm::vec2(look.shownFrom), glm::vec2(look.shownTo), at) / size;
    if (!request.zoom) return shownToDrawn(at);
    const glm::vec2 px = at * glm::vec2(request.zoom->part.whole) + static_cast<float>(job.placement.overscanPx);
    return (px - glm::vec2(job.placement.part.from)) / size;
  };
  const auto tracked = trackedPlace(job.view, lens);
  if (tracked) result.shown.trackedAt = (tracked->at * size - glm::vec2(shown.from)) / glm::vec2(shown.size);
  const bool onCentre = lens.autofocusOn == AutofocusOn::centre;
  FocusChange change = focus.update(
      *frame, lens,
      {.timeS = request.timeS,
       .standalone = request.standalone,
       .held = request.holdFocus,
       .changed = changed,
       .at = onCentre ? shownToDrawn(request.centre) : wholeToDrawn({lens.autofocusX, 1.0f - lens.autofocusY}),
       .tracked = tracked});
  if (change.pickedM) change.tracked = pickedSurface(*change.pickedM);
  applyFocus(lens, change);
  return change;
}

std::optional<TrackedPlace> Renderer::Impl::trackedPlace(const SceneView& view, const LensSettings& lens) const {
  const auto object = trackedSceneObject(lens);
  if (!tracks(lens) || !object || !sceneRow(view.scene.kind).capabilities.otherViewpoints) return std::nullopt;
  const auto place = scene->positionOf(view, {*object, {lens.trackedX, lens.trackedY, lens.trackedZ}});
  if (!place) return std::nullopt;
  const Pinhole pinhole = makePinhole(view.camera, frame->size, kNearM, {}, view.part);
  const float placeM = pinhole.distanceM(*place);
  if (!(placeM > kNearM)) return TrackedPlace{kNearM};
  const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(*place, 1.0f);
  return TrackedPlace{placeM, 0.5f + 0.5f * glm::vec2(clip) / clip.w};
}

TrackedPoint Renderer::Impl::pickedSurface(float distanceM) const {
  const Pinhole pinhole = makePinhole(pick.view.camera, pick.size, kNearM, {}, pick.view.part);
  const glm::vec2 xy = distanceM * (2.0f * pick.at - 1.0f - pinhole.shear) / pinhole.scale;
  const auto& [eye, right, up, forward] = pinhole.frame;
  return scene->surfaceAt(pick.view, eye + xy.x * right + xy.y * up + distanceM * forward);
}

SceneRedraw Renderer::Impl::redrawFor(const Job& job, const LensSettings& lens) {
  const auto drawAgain = [this, &job, jitter = lens.jitter](const ViewOffset& offset, const gl::Texture* behind) {
    const ResolvedSettings& settings = job.settings;
    Targets& into = behind == nullptr ? viewTargets : hiddenTargets;
    into.resize(settings.size, behind != nullptr || jitter ? 1 : settings.scene.samples);
    SceneView view = job.view;
    view.offset = offset;
    view.behind = behind;
    return drawScene(job, view, into);
  };
  const FocusDepth focusDepth{frame->nearM / lens.focusDistanceM, lensSpace(lens, *frame).surface};
  const auto drawBlended = [this, &job, focusDepth](bool front) {
    return scene->blended(job.view, targets, front, focusDepth, job.timings);
  };
  return {job.request.timeS, drawAgain, drawBlended, job.request.yields};
}

SideInputs Renderer::Impl::inputsFor(const Job& job, const ResolvedSettings& settings) {
  return {.scene = *frame,
          .settings = settings,
          .redraw = redrawFor(job, settings.lens),
          .views = views,
          .cursor = shownToDrawn(job.request.cursor),
          .centre = shownToDrawn(job.request.centre),
          .samplesPerFrame = job.request.samplesPerFrame,
          .standalone = job.request.standalone,
          .mean = mean,
          .key = keyOf(job.placement.part),
          .mayDefer = !drawsB && !hasMargin()};
}

void Renderer::Impl::drawSides(const Job& job) {
  if (job.request.part || !canReuseA(job)) {
    const Timings::Prefix prefix(job.timings, showsBoth() ? "A: " : "");
    a.draw(inputsFor(job, job.settings), imageA, job.timings);
  }
  if (!showsBoth()) {
    comparison.reset();
    return;
  }
  const ResolvedSettings settingsB = settingsOfB(job.settings);
  {
    const Timings::Prefix prefix(job.timings, "B: ");
    b.draw(inputsFor(job, settingsB), imageB, job.timings);
  }
  if (showsDifference(a) || showsDifference(b)) drawDifference(job);
  if (job.request.compare)
    compare(job);
  else
    comparison.reset();
  combine(job.settings.split);
}

void Renderer::Impl::drawDifference(const Job& job) {
  const auto stage = job.timings.gpu("difference");
  constexpr float kGain = 8.0f;
  differencePass.draw(
      imageA.texture, imageB.texture,
      {.look = toneOf(frame->look), .exposure = std::exp2(job.settings.present.exposureStops), .gain = kGain},
      difference.framebuffer);
}

void Renderer::Impl::compare(const Job& job) {
  if (!a.view().comparable || !b.view().comparable || a.isReference() == b.isReference()) {
    comparison.reset();
    return;
  }
  const auto stage = job.timings.gpu("compare");
  const ResolvedSettings& settings = job.settings;
  if (!comparison || comparison->size() != shown.size) comparison.emplace(shown.size);
  const Side& reference = a.isReference() ? a : b;
  const auto halfImage = [&](int index) -> const gl::Texture* {
    const gl::Texture* sum = reference.result().halves[static_cast<std::size_t>(index)];
    if (sum == nullptr || !settings.filter.mask.none()) return nullptr;  // the filter does not run on the halves
    if (half.texture.size() != settings.size) half = Target(settings.size);
    meanOfSums.draw(*sum, *sum, half.framebuffer);
    return &cropped(half.texture, croppedHalf);
  };
  const auto display = [&](const gl::Texture& image, const gl::Framebuffer& output) {
    presentPass.draw(image, output.name(), shown.size,
                     {.exposureStops = settings.present.exposureStops, .look = croppedLook()});
  };
  comparison->update(display, cropped(imageA.texture, croppedA), cropped(imageB.texture, croppedB), halfImage, settings,
                     std::min(a.progress(), b.progress()));
}

void Renderer::Impl::combine(const SplitSettings& split) {
  if (combined.texture.size() != imageA.texture.size()) combined = Target(imageA.texture.size());
  gl::copyColumns((showsDifference(a) ? difference : imageA).texture, combined.texture, 0);
  if (splitVisible)
    gl::copyColumns((showsDifference(b) ? difference : imageB).texture, combined.texture,
                    shown.from.x + splitColumn(split, shown.size));
}

const gl::Texture& Renderer::Impl::cropped(const gl::Texture& image, Target& copy) const {
  if (!hasMargin()) return image;
  if (copy.texture.size() != shown.size) copy = Target(shown.size);
  gl::copyRegion(image, shown.from, copy.texture);
  return copy.texture;
}

SceneFrame Renderer::Impl::croppedFrame() {
  SceneFrame result = *frame;
  result.size = shown.size;
  result.look = croppedLook();
  if (!hasMargin()) return result;
  const auto copied = [&](const gl::Texture& from, GLenum format, gl::Texture& to) {
    if (to.size() != shown.size) to = gl::Texture(format, shown.size);
    gl::copyRegion(from, shown.from, to);
    return &to;
  };
  result.colour = copied(*frame->colour, GL_RGBA16F, croppedColour);
  result.depth = copied(*frame->depth, GL_R32F, croppedDepth);
  result.opaque = nullptr;
  return result;
}

void Renderer::Impl::report(FrameResult& result) const {
  const bool both = showsBoth();
  result.focusPending = focus.pending();
  result.isDraft = frame->isDraft;
  if (comparison) {
    result.comparison = comparison->result();
    result.comparisonPending = comparison->pending();
  }
  result.progress = both ? std::min(a.progress(), b.progress()) : a.progress();
  result.state = a.state();
  if (both && b.state() != a.state()) result.state.append(" | ").append(b.state());
  result.techniques = {a.technique(), b.technique()};
  static_cast<SceneReport&>(result.shown) = scene->report(lastSettings->scene);
  result.loading = scene->loading();
  result.lacksFile = !scene->message().empty();
  for (const std::string& line : {scene->message(), a.failure(), drawsB ? b.failure() : std::string()})
    if (result.message.find(line) == std::string::npos) addLine(result.message, line);
}

void Renderer::Impl::reportAtCursor(FrameResult& result, float cursorX) const {
  const bool both = showsBoth();
  result.cursorPending = a.cursorPending() || (both && b.cursorPending());
  addLine(result.atCursor, a.atCursor());
  if (both && b.atCursor() != a.atCursor()) addLine(result.atCursor, b.atCursor());
  const Side& side = both && splitVisible && cursorX >= lastSettings->split.position ? b : a;
  if (!side.view().readsTable) return;
  const auto reading = side.tableReading();
  if (reading) addLine(result.atCursor, textOf(*reading));
  const bool marksOrigin = side.view().showsTable && side.result().table.texture != nullptr;
  result.marks = marksOf(reading, marksOrigin, shown.from, shown.size);
}

std::optional<float> Renderer::Impl::distanceAt(glm::vec2 at, bool waits) {
  if (!frame) return std::nullopt;
  const auto take = [this](std::span<const float> depths) {
    if (!depths.empty())
      answeredM = depths[0] > 0.0f ? frame->nearM / depths[0] : std::numeric_limits<float>::infinity();
  };
  take(distanceReads.poll());
  while (waits && distanceReads.inFlight() > 0) distanceReads.wait();
  const glm::ivec2 texel =
      glm::clamp(glm::ivec2(at * glm::vec2(shown.size)) + shown.from, glm::ivec2(0), frame->size - 1);
  if (distanceReads.inFlight() == 0) distanceReads.request(*frame->depth, texel, {1, 1}, 1);
  if (waits) take(distanceReads.wait());
  return answeredM;
}

void Renderer::Impl::freeUnused() {
  a.freeUnused();
  if (drawsB) {
    b.freeUnused();
    return;
  }
  freeB();
  for (Target* target : {&imageB, &difference, &combined, &croppedB, &half, &croppedHalf}) *target = Target();
}

void Renderer::Impl::freeImages() {
  a.resize(glm::ivec2(1));
  freeB();
  for (Targets* each : {&targets, &viewTargets, &hiddenTargets})
    if (each->samples() > 0) each->resize(glm::ivec2(1), each->samples());
  for (Target* target : {&imageA, &imageB, &difference, &combined, &half, &croppedA, &croppedB, &croppedHalf})
    *target = Target();
  croppedColour = gl::Texture();
  croppedDepth = gl::Texture();
  lastSettings.reset();
  frame.reset();
  // Drivers keep the memory of textures that queued commands use, or that the last draw has read.
  const Target read(glm::ivec2(1)), drawn(glm::ivec2(1));
  presentPass.draw(read.texture, drawn.framebuffer.name(), glm::ivec2(1), {});
  glFinish();
  returnFreeMemory();
}

void Renderer::Impl::present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings,
                             const CrossFade& fade, const gl::Texture* opacity) {
  Display display{.exposureStops = settings.present.exposureStops,
                  .toneMapLeft = a.view().toneMapped,
                  .toneMapRight = (splitVisible && b.ready() ? b : a).view().toneMapped,
                  .fade = fade,
                  .opacity = opacity};
  if (splitVisible) display.splitLine = splitColumn(settings.split, shown.size) > 0 ? settings.split.position : -2.0f;
  if (frame) display.look = croppedLook();
  const auto pixels = replaced || drawsB || hasMargin() ? std::span<const glm::vec4>() : a.pixels();
  if (!pixels.empty() && CpuPresent::draws(framebuffer, imageA.texture.size(), display)) {
    const auto stage = timings.cpu("present");
    cpuPresent.draw(pixels, imageA.texture.size(), framebuffer, size, display);
  } else {
    const auto stage = timings.gpu("present");
    presentPass.draw(shownImage(), framebuffer, size, display);
  }
}

Renderer::Renderer(std::shared_ptr<SharedScene> scene) : impl_(std::make_unique<Impl>()) {
  impl_->shared = scene ? std::move(scene) : std::make_shared<SharedScene>();
}
Renderer::~Renderer() = default;

const std::shared_ptr<SharedScene>& Renderer::sharedScene() const { return impl_->shared; }

FrameResult Renderer::render(const Settings& settings, const FrameRequest& request, Timings& timings) try {
  return impl_->render(settings, request, timings);
} catch (const FrameAbandoned&) {
  impl_->lastSettings.reset();  // its images are overwritten
  impl_->frame.reset();
  throw;
}

std::optional<float> Renderer::distanceAt(glm::vec2 at, bool waits) { return impl_->distanceAt(at, waits); }

SceneFrame Renderer::scene() { return impl_->croppedFrame(); }

int Renderer::overscanDivisor() const { return impl_->overscanDivisor; }

const gl::Texture& Renderer::image() const { return impl_->shownImage(); }

void Renderer::replaceImage(std::span<const float> rgba) {
  gl::upload(impl_->shownImage(), gl::kRgbaFloat, rgba.data());
  impl_->replaced = true;
  impl_->reusable = false;
}

void Renderer::present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings,
                       const CrossFade& fade, const gl::Texture* opacity) {
  impl_->present(framebuffer, size, settings, timings, fade, opacity);
}

void Renderer::freeUnused() { impl_->freeUnused(); }

void Renderer::freeImages() { impl_->freeImages(); }

}  // namespace satdof
