#include "app/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

#include "app/gl/abandon.h"
#include "app/gl/async_readback.h"
#include "app/gl/program.h"
#include "app/gl/transfer.h"
#include "app/lens/lens.h"
#include "app/lens/reference/reference.h"
#include "app/render/changes.h"
#include "app/render/cpu_present.h"
#include "app/render/image_mean.h"
#include "app/render/overscan.h"
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

int longestSidePx() {
  GLint side = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
  return side;
}

// A point of the shown pixels as one of all pixels; both 0 to 1.
glm::vec2 inOutput(glm::vec2 at, const SceneFrame& scene) {
  const glm::ivec2 to = glm::min(scene.look.shownTo, scene.size);
  return glm::mix(glm::vec2(scene.look.shownFrom), glm::vec2(to), at) / glm::vec2(scene.size);
}

}  // namespace

struct Renderer::Parts {
  std::shared_ptr<SharedScene> shared;
  Scene* scene = nullptr;  // of this frame
  // Of the scene; of its views for the reference; of what shows through blurred edges: one sample a pixel.
  Targets targets, viewTargets, hiddenTargets;
  Focus focus;
  ImageMean mean;
  ViewPass views;
  PresentPass present;
  CpuPresent cpuPresent;
  MeanOfSums meanOfSums;
  DifferencePass difference;
  Target imageA, imageB, differenceImage;  // with the margin of overscan or of a zoom
  Target combined;                         // of A, B and the difference, where both sides are shown
  Target shownA, shownB;                   // without it; made if there is one
  Target half, shownHalf;                  // of the reference, for the comparison
  gl::Texture sceneColour, sceneDepth;     // without it; made by scene()
  Side a, b;                               // destroyed before the images that they may share with CUDA
  const int longestSidePx = satdof::longestSidePx();
  glm::ivec2 cornerPx{0}, shownSize{1};  // of what is drawn, the rectangle that is shown
  int overscanPart = 0;                  // Renderer::overscanPart()
  std::optional<LiveComparison> live;
  std::optional<Settings> last;     // of the previous frame, with its margin
  std::optional<SceneFrame> frame;  // of the previous frame
  ImagePart shownPart;              // that it shows
  int contents = 0, reloads = 0;    // Scene::contents() and shaderReloads() then
  bool otherImageA = false;         // a tile of it, or what replaceImage() put there
  SceneView pickedView;             // of the last pick
  glm::ivec2 pickedSize{1};
  glm::vec2 pickedAt{0.5f};
  AsyncReadback depthReads{1};
  std::optional<float> distanceM;  // the newest answer of distanceAt()
  bool replaced = false;           // the shown image, by replaceImage()
  bool drawsB = false;
  bool split = false;  // B is visible right of the split line

  // What is drawn of a whole image, both with their margin.
  struct Place {
    ImagePart part{};
    float nearestM = std::numeric_limits<float>::infinity();  // of the whole image
    int overscanPx = 0;
  };
  // Gives `now` the size of what is drawn.
  Place place(Settings& now, const FrameRequest& request);
  // Measures the focus, and applies it to `now`.
  FocusChange focusOn(const SceneView& view, const Place& place, const FrameRequest& request, bool changed,
                      LensSettings& now, FrameResult& result);
  // A point of the shown image as one of the drawn image; both 0 to 1.
  glm::vec2 inDrawn(glm::vec2 at) const {
    return (at * glm::vec2(shownSize) + glm::vec2(cornerPx)) / glm::vec2(frame->size);
  }
  // The point that the autofocus tracks, in an image of `size`; behind the camera, the nearest distance. None: it is gone.
  std::optional<TrackedPlace> tracked(const SceneView& view, const LensSettings& lens, glm::ivec2 size) const;
  // Of a surface in the image of the last pick.
  TrackedPoint surfaceAt(const TrackedPlace& picked) const;
  // The width of the margin of overscan.
  int chooseOverscan(const Settings& settings, const FrameRequest& request);
  PixelRectangle drawnForZoom(const Settings& settings, const PixelRectangle& shown, float nearestM,
                              int mostMarginPx) const;
  void resize(const Settings& settings);
  void freeB() { const Side unused = std::exchange(b, {}); }
  void drawDifference(const Settings& settings, Timings& timings);
  void compare(const Settings& settings, Timings& timings);
  void report(FrameResult& result) const;
  void reportAtCursor(FrameResult& result, float cursorX) const;
  bool cut() const { return imageA.texture.size() != shownSize; }
  // `image` without its margin: itself, or a copy in `shown`.
  const gl::Texture& withoutMargin(const gl::Texture& image, Target& shown) const;
  bool showsBoth() const { return drawsB && b.ready(); }
  const Target& finished() const { return showsBoth() ? combined : imageA; }
  const gl::Texture& shownImage() {
    if (!replaced) a.store(imageA);
    return cut() ? shownA.texture : finished().texture;
  }
  // Whether the last frame had these settings, this part, the same files and shaders.
  bool equalsLast(const Settings& settings, const ImagePart& of) const;
  // Whether imageA is what A would draw again, because only B refines its image.
  bool keepsA(const Settings& settings, const ImagePart& of) const {
    return drawsB && a.repeats() && equalsLast(settings, of);
  }
  // Whether `targets` hold what the scene would draw again, and only a reference refines its image, by redraws of its own.
  bool keepsScene(const Settings& settings, const ImagePart& of) const;
  void combine(int column);
  SceneFrame frameWithoutMargin();
  // Counts from the shown pixels.
  SceneLook shownLook() const {
    SceneLook look = frame->look;
    look.shownFrom -= cornerPx;
    look.shownTo -= cornerPx;
    return look;
  }
  bool showsDifference(const Side& side) const { return side.view().source == ViewSource::difference; }
};

std::optional<TrackedPlace> Renderer::Parts::tracked(const SceneView& view, const LensSettings& lens,
                                                     glm::ivec2 size) const {
  if (!lens.autofocus || lens.autofocusOn != AutofocusOn::tracked || lens.trackedObject == 0)
    return std::nullopt;
  if (!sceneRow(view.scene.kind).capabilities.otherViewpoints) return std::nullopt;
  const auto place =
      scene->positionOf(view, {lens.trackedObject - 1, {lens.trackedX, lens.trackedY, lens.trackedZ}});
  if (!place) return std::nullopt;
  const Pinhole pinhole = makePinhole(view.camera, size, kNearM, {}, view.part);
  const float placeM = pinhole.distanceM(*place);
  if (!(placeM > kNearM)) return TrackedPlace{kNearM};
  const glm::vec4 clip = pinhole.worldToClip() * glm::vec4(*place, 1.0f);
  return TrackedPlace{placeM, 0.5f + 0.5f * glm::vec2(clip) / clip.w};
}

TrackedPoint Renderer::Parts::surfaceAt(const TrackedPlace& picked) const {
  const Pinhole pinhole = makePinhole(pickedView.camera, pickedSize, kNearM, {}, pickedView.part);
  const glm::vec2 xy = picked.distanceM * (2.0f * picked.at - 1.0f - pinhole.shear) / pinhole.scale;
  const auto& [eye, right, up, forward] = pinhole.frame;
  return scene->surfaceAt(pickedView, eye + xy.x * right + xy.y * up + picked.distanceM * forward);
}

int Renderer::Parts::chooseOverscan(const Settings& settings, const FrameRequest& request) {
  if (request.part) return 0;
  const auto partFor = [&](const LensSettings& lens) {
    Settings of = settings;
    of.lens = lens;
    return satdof::overscanPart(of, [&](int px) {
      const Settings widened = withMargin(of, px);
      return scene->nearestM({widened.scene, widened.camera, request.timeS, request.live}, widened.size);
    });
  };
  overscanPart = partFor(settings.lens);
  if (showsB(settings) && settings.split.ownLens)
    if (const int part = partFor(lensOfB(settings)); part > 0)
      overscanPart = overscanPart > 0 ? std::min(overscanPart, part) : part;
  return overscanPx(settings.size, overscanPart,
                    request.zoom ? std::numeric_limits<int>::max() : longestSidePx);
}

// `settings`: of the whole image.
PixelRectangle Renderer::Parts::drawnForZoom(const Settings& settings, const PixelRectangle& shown,
                                             float nearestM, int mostMarginPx) const {
  const SceneFacts facts{.size = settings.size,
                         .nearM = nearestM,
                         .nearestM = nearestM,
                         .axisPx = axisPx(settings, settings.size)};
  int reach = reachPx(settings, facts);
  if (showsB(settings)) reach = std::max(reach, reachPx(settingsOfB(settings), facts));
  return drawnFor(shown, settings.size, reach, mostMarginPx);
}

Renderer::Parts::Place Renderer::Parts::place(Settings& now, const FrameRequest& request) {
  shownSize = request.part ? request.part->size : now.size;
  if (request.zoom) now.size = request.zoom->part.whole;
  Place place{.overscanPx = chooseOverscan(now, request)};
  now = withMargin(now, place.overscanPx);
  cornerPx = glm::ivec2(place.overscanPx);
  if (request.part) {
    place.part = {request.part->from, now.size};
    place.nearestM = request.part->nearestM;
    now.size = request.part->size;
  }
  if (request.zoom) {
    place.nearestM = scene->nearestM({now.scene, now.camera, request.timeS, request.live}, now.size);
    const PixelRectangle shown{request.zoom->part.from + place.overscanPx, shownSize};
    const PixelRectangle drawn = drawnForZoom(now, shown, place.nearestM, request.zoom->mostMarginPx);
    place.part = {drawn.from, now.size};
    cornerPx = shown.from - drawn.from;
    now.size = drawn.size;
  }
  return place;
}

FocusChange Renderer::Parts::focusOn(const SceneView& view, const Place& place, const FrameRequest& request,
                                     bool changed, LensSettings& now, FrameResult& result) {
  const glm::vec2 size(frame->size);
  if (request.focusAt) {
    pickedAt = inDrawn(request.focusInShown ? inOutput(*request.focusAt, *frame) : *request.focusAt);
    pickedView = view;
    pickedSize = frame->size;
    focus.pick(pickedAt);
  }
  // A place in the whole image, or in the photograph without the bars beside it.
  const auto inWhole = [&](glm::vec2 at) {
    const SceneLook& look = frame->look;
    if (look.shownTo != SceneLook().shownTo)
      return glm::mix(glm::vec2(look.shownFrom), glm::vec2(look.shownTo), at) / size;
    if (!request.zoom) return inDrawn(at);
    const glm::vec2 px = at * glm::vec2(request.zoom->part.whole) + static_cast<float>(place.overscanPx);
    return (px - glm::vec2(place.part.from)) / size;
  };
  const auto tracks = tracked(view, now, frame->size);
  if (tracks) result.shown.trackedAt = (tracks->at * size - glm::vec2(cornerPx)) / glm::vec2(shownSize);
  const bool onCentre = now.autofocusOn == AutofocusOn::centre;
  FocusChange change = focus.update(
      *frame, now,
      {.timeS = request.timeS,
       .alone = request.alone,
       .held = request.holdFocus,
       .changed = changed,
       .at = onCentre ? inDrawn(request.centre) : inWhole({now.autofocusX, 1.0f - now.autofocusY}),
       .tracked = tracks});
  if (change.pickedM) change.tracked = surfaceAt({*change.pickedM, pickedAt});
  applyFocus(now, change);
  return change;
}

void Renderer::Parts::resize(const Settings& settings) {
  const bool sized = !last || last->size != settings.size;
  if (sized || last->scene.samples != settings.scene.samples) {
    a.resize(settings.size);
    if (drawsB)
      b.resize(settings.size);
    else
      freeB();
    targets.resize(settings.size, settings.scene.samples);
  }
  if (sized) imageA = Target(settings.size);
  if (showsB(settings) && imageB.texture.size() != settings.size) {
    imageB = Target(settings.size);
    differenceImage = Target(settings.size);
  }
}

void Renderer::Parts::drawDifference(const Settings& settings, Timings& timings) {
  const auto stage = timings.gpu("difference");
  constexpr float kGain = 8.0f;
  difference.draw(
      imageA.texture, imageB.texture,
      {.look = toneOf(frame->look), .exposure = std::exp2(settings.present.exposureStops), .gain = kGain},
      differenceImage.framebuffer);
}

const gl::Texture& Renderer::Parts::withoutMargin(const gl::Texture& image, Target& shown) const {
  if (!cut()) return image;
  if (shown.texture.size() != shownSize) shown = Target(shownSize);
  gl::copyRegion(image, cornerPx, shown.texture);
  return shown.texture;
}

SceneFrame Renderer::Parts::frameWithoutMargin() {
  SceneFrame result = *frame;
  result.size = shownSize;
  result.look = shownLook();
  const auto copy = [&](const gl::Texture* from, GLenum format, gl::Texture& to) {
    if (to.size() != result.size) to = gl::Texture(format, result.size);
    gl::copyRegion(*from, cornerPx, to);
    return &to;
  };
  if (!cut()) return result;
  result.colour = copy(frame->colour, GL_RGBA16F, sceneColour);
  result.depth = copy(frame->depth, GL_R32F, sceneDepth);
  result.opaque = nullptr;
  return result;
}

bool Renderer::Parts::equalsLast(const Settings& settings, const ImagePart& of) const {
  return !otherImageA && last == settings && shownPart == of && contents == scene->contents() &&
         reloads == gl::shaderReloads();
}

bool Renderer::Parts::keepsScene(const Settings& settings, const ImagePart& of) const {
  const bool refines = drawsB ? b.isReference() && (a.isReference() || a.repeats()) : a.isReference();
  return refines && equalsLast(settings, of) && !scene->loading();
}

// Fills `combined`: A or the difference left of `column`, B or the difference from there on.
void Renderer::Parts::combine(int column) {
  if (combined.texture.size() != imageA.texture.size()) combined = Target(imageA.texture.size());
  gl::copyColumns((showsDifference(a) ? differenceImage : imageA).texture, combined.texture, 0);
  if (split)
    gl::copyColumns((showsDifference(b) ? differenceImage : imageB).texture, combined.texture,
                    cornerPx.x + column);
}

// Compares the two sides if exactly one of them is the reference.
void Renderer::Parts::compare(const Settings& settings, Timings& timings) {
  if (!a.view().comparable || !b.view().comparable || a.isReference() == b.isReference()) {
    live.reset();
    return;
  }
  const auto stage = timings.gpu("compare");
  if (!live || live->size() != shownSize) live.emplace(shownSize);
  const Side& reference = a.isReference() ? a : b;
  const auto halfImage = [&](int index) -> const gl::Texture* {
    const gl::Texture* sum = reference.result().halves[static_cast<size_t>(index)];
    if (sum == nullptr || !settings.filter.mask.none()) return nullptr;  // the halves do not pass the filter
    if (half.texture.size() != settings.size) half = Target(settings.size);
    meanOfSums.draw(*sum, *sum, half.framebuffer);
    return &withoutMargin(half.texture, shownHalf);
  };
  const auto display = [&](const gl::Texture& image, const gl::Framebuffer& output) {
    present.draw(image, output.name(), shownSize,
                 {.exposureStops = settings.present.exposureStops, .look = shownLook()});
  };
  live->update(display, withoutMargin(imageA.texture, shownA), withoutMargin(imageB.texture, shownB),
               halfImage, settings, std::min(a.progress(), b.progress()));
}

void Renderer::Parts::report(FrameResult& result) const {
  const bool both = showsBoth();
  result.focusPending = focus.pending();
  if (live) {
    result.comparison = live->result();
    result.comparisonPending = live->pending();
  }
  result.progress = both ? std::min(a.progress(), b.progress()) : a.progress();
  result.state = a.state();
  result.lens = a.technique().lens.kind;
  if (const SceneLook& look = frame->look; look.shownTo != SceneLook().shownTo) {
    const glm::vec2 whole(frame->wholeSize());
    result.shown.areaFrom = glm::clamp(glm::vec2(look.shownFrom + shownPart.from) / whole, 0.0f, 1.0f);
    result.shown.areaTo = glm::clamp(glm::vec2(look.shownTo + shownPart.from) / whole, 0.0f, 1.0f);
  }
  if (both && b.state() != a.state()) result.state.append(" | ").append(b.state());
  static_cast<SceneReport&>(result.shown) = scene->report(last->scene);
  result.loading = scene->loading();
  result.lacksFile = !scene->message().empty();
  for (const std::string& part : {scene->message(), a.failure(), drawsB ? b.failure() : std::string()}) {
    if (result.message.find(part) != std::string::npos) continue;  // empty, or of both sides
    if (!result.message.empty()) result.message += '\n';
    result.message += part;
  }
}

// Footprints of both sides; the table of the side at `cursorX`, 0 to 1 from the left.
void Renderer::Parts::reportAtCursor(FrameResult& result, float cursorX) const {
  const bool both = showsBoth();
  const auto add = [&](const std::string& lines) {
    result.atCursor.append(result.atCursor.empty() || lines.empty() ? "" : "\n").append(lines);
  };
  result.cursorPending = a.cursorPending() || (both && b.cursorPending());
  add(a.atCursor());
  if (both && b.atCursor() != a.atCursor()) add(b.atCursor());
  const Side& side = both && split && cursorX >= last->split.position ? b : a;
  if (!side.view().readsTable) return;
  const auto reading = side.tableReading();
  if (reading) add(textOf(*reading));
  const bool showsTable = side.view().showsTable;
  result.marks = marksOf(reading, showsTable && side.result().table.texture != nullptr, cornerPx, shownSize);
}

Renderer::Renderer(std::shared_ptr<SharedScene> scene) : parts_(std::make_unique<Parts>()) {
  parts_->shared = scene ? std::move(scene) : std::make_shared<SharedScene>();
}
Renderer::~Renderer() = default;
const std::shared_ptr<SharedScene>& Renderer::sharedScene() const { return parts_->shared; }

FrameResult Renderer::render(const Settings& settings, const FrameRequest& request, Timings& timings) try {
  Parts& p = *parts_;
  p.replaced = false;
  Settings now = imageOf(resolved(settings));
  now.scene.timeS = static_cast<float>(request.timeS);
  std::string notOffered;
  for (Technique* technique : {&now.technique, &now.split.b})
    if (const std::string reason = whyNot(now.scene.kind, technique->lens.kind); !reason.empty()) {
      if (technique == &now.technique || showsB(now)) notOffered = reason;
      technique->lens.kind = LensKind::automatic;
      *technique = resolve(*technique);
    }

  p.scene = &p.shared->of(now.scene.kind);
  FrameResult result;
  result.framing = p.scene->framing({now.scene, now.camera, request.timeS, request.live});
  if (result.framing) applyFraming(now, *result.framing);
  now.camera.verticalFovDegrees = fieldOfViewDegrees(now.camera.verticalFovDegrees, now.lens);
  const Parts::Place place = p.place(now, request);
  const ImagePart& part = place.part;
  p.resize(now);
  const int column = splitColumn(now.split, p.shownSize);
  p.split = now.split.enabled && column < p.shownSize.x;

  const SceneView view{
      .scene = now.scene, .camera = now.camera, .timeS = request.timeS, .live = request.live, .part = part};
  const auto drawScene = [&](const SceneView& shown, Targets& targets) {
    SceneFrame frame = p.scene->draw(shown, targets, timings);
    frame.whole = part.whole;
    frame.from = part.from;
    frame.axisPx = axisPx(now, frame.wholeSize());
    if (request.part) frame.nearestM = std::max(place.nearestM, frame.nearM);
    if (request.zoom) frame.nearestM = std::max(std::min(place.nearestM, frame.nearestM), frame.nearM);
    return frame;
  };
  const SceneFrame scene = p.keepsScene(now, part) ? *p.frame : drawScene(view, p.targets);
  const bool blended = scene.opaque != nullptr;
  p.a.choose(now.technique, now.size, blended);
  if (!p.a.ready()) throw std::runtime_error(p.a.failure());
  p.drawsB = p.split || p.showsDifference(p.a);
  if (p.drawsB) p.b.choose(now.split.b, now.size, blended);
  p.frame = scene;
  result.focus = p.focusOn(view, place, request, !p.equalsLast(now, part), now.lens, result);

  const auto redrawFor = [&](const LensSettings& lens) {
    const auto drawAgain = [&, jitter = lens.jitter](const ViewOffset& offset, const gl::Texture* behind) {
      Targets& targets = behind == nullptr ? p.viewTargets : p.hiddenTargets;
      targets.resize(now.size, behind != nullptr || jitter ? 1 : now.scene.samples);
      SceneView other = view;
      other.offset = offset;
      other.behind = behind;
      return drawScene(other, targets);
    };
    const FocusDepth focus{scene.nearM / lens.focusDistanceM, lensSpace(lens, scene).surface};
    const auto drawBlended = [&, focus](bool front) {
      return p.scene->blended(view, p.targets, front, focus, timings);
    };
    return SceneRedraw{request.timeS, drawAgain, drawBlended, request.yields};
  };
  const auto inputsFor = [&](const Settings& side) {
    return SideInputs{.scene = scene,
                      .settings = side,
                      .redraw = redrawFor(side.lens),
                      .views = p.views,
                      .cursor = p.inDrawn(request.cursor),
                      .centre = p.inDrawn(request.centre),
                      .samplesPerFrame = request.samplesPerFrame,
                      .alone = request.alone,
                      .mean = p.mean,
                      .contents = p.scene->contents(),
                      .part = part,
                      .mayDefer = !p.drawsB && !p.cut()};
  };
  if (request.part || !p.keepsA(now, part)) {
    const Timings::Prefix side(timings, p.showsBoth() ? "A: " : "");
    p.a.draw(inputsFor(now), p.imageA, timings);
  }
  if (p.showsBoth()) {
    const Settings ofB = settingsOfB(now);
    {
      const Timings::Prefix side(timings, "B: ");
      p.b.draw(inputsFor(ofB), p.imageB, timings);
    }
    if (p.showsDifference(p.a) || p.showsDifference(p.b)) p.drawDifference(now, timings);
    if (request.compare) p.compare(now, timings);
    p.combine(column);
  }
  if (!request.compare || !p.showsBoth()) p.live.reset();
  p.last = now;
  p.shownPart = part;
  p.contents = p.scene->contents();
  p.reloads = gl::shaderReloads();
  p.otherImageA = request.part.has_value();
  p.withoutMargin(p.finished().texture, p.shownA);
  p.report(result);
  p.reportAtCursor(result, request.cursor.x);
  if (!notOffered.empty()) result.message += (result.message.empty() ? "" : "\n") + notOffered;
  return result;
} catch (const gl::FrameAbandoned&) {
  parts_->last.reset();  // nothing is left of an earlier frame
  parts_->frame.reset();
  throw;
}

std::optional<float> Renderer::distanceAt(glm::vec2 at, bool waits) {
  Parts& p = *parts_;
  if (!p.frame) return std::nullopt;
  const auto take = [&p](std::span<const float> depths) {
    if (!depths.empty())
      p.distanceM = depths[0] > 0.0f ? p.frame->nearM / depths[0] : std::numeric_limits<float>::infinity();
  };
  take(p.depthReads.poll());
  while (waits && p.depthReads.inFlight() > 0) p.depthReads.wait();
  const glm::ivec2 texel =
      glm::clamp(glm::ivec2(at * glm::vec2(p.shownSize)) + p.cornerPx, glm::ivec2(0), p.frame->size - 1);
  if (p.depthReads.inFlight() == 0) p.depthReads.request(*p.frame->depth, texel, {1, 1}, 1);
  if (waits) take(p.depthReads.wait());
  return p.distanceM;
}

void Renderer::freeUnused() {
  Parts& p = *parts_;
  p.a.freeUnused();
  if (p.drawsB) {
    p.b.freeUnused();
    return;
  }
  p.freeB();
  for (Target* target : {&p.imageB, &p.differenceImage, &p.combined, &p.shownB, &p.half, &p.shownHalf})
    *target = Target();
}

SceneFrame Renderer::scene() { return parts_->frameWithoutMargin(); }

int Renderer::overscanPart() const { return parts_->overscanPart; }

const gl::Texture& Renderer::image() const { return parts_->shownImage(); }

void Renderer::replaceImage(std::span<const float> rgba) {
  Parts& p = *parts_;
  gl::upload(p.shownImage(), gl::kRgbaFloat, rgba.data());
  p.replaced = true;
  p.otherImageA = true;
}

void Renderer::present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings,
                       const CrossFade& fade, const gl::Texture* opacity) {
  Parts& p = *parts_;
  Display display{.exposureStops = settings.present.exposureStops, .toneMapLeft = p.a.view().toneMapped};
  display.toneMapRight = p.split && p.b.ready() ? p.b.view().toneMapped : display.toneMapLeft;
  if (p.split)
    display.splitLine = splitColumn(settings.split, p.shownSize) > 0 ? settings.split.position : -2.0f;
  display.fade = fade;
  display.opacity = opacity;
  if (p.frame) display.look = p.shownLook();
  const auto pixels = p.replaced || p.drawsB || p.cut() ? std::span<const glm::vec4>() : p.a.pixels();
  if (!pixels.empty() && CpuPresent::draws(framebuffer, p.imageA.texture.size(), display)) {
    const auto stage = timings.cpu("present");
    p.cpuPresent.draw(pixels, p.imageA.texture.size(), framebuffer, size, display);
  } else {
    const auto stage = timings.gpu("present");
    p.present.draw(p.shownImage(), framebuffer, size, display);
  }
}

}  // namespace satdof
