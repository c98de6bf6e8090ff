#include "app/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/gl/program.h"
#include "app/lens/bokeh/bokeh.h"
#include "app/lens/lens.h"
#include "app/render/focus.h"
#include "app/render/image_mean.h"
#include "app/render/present.h"
#include "app/scene/registry.h"
#include "app/views/footprint.h"
#include "app/views/view_pass.h"

namespace satdof {

namespace {

int wipeColumn(const SplitSettings& split, glm::ivec2 size) {
  return static_cast<int>(std::lround(split.position * static_cast<float>(size.x)));
}

void copyColumns(const gl::Texture& from, const gl::Texture& to, int firstColumn) {
  const glm::ivec2 size = to.size();
  glCopyImageSubData(from.name(), GL_TEXTURE_2D, 0, firstColumn, 0, 0, to.name(), GL_TEXTURE_2D, 0,
                     firstColumn, 0, 0, size.x - firstColumn, size.y, 1);
}

// An image that a technique draws into.
struct Target {
  gl::Texture texture;
  gl::Framebuffer framebuffer;

  Target() = default;
  explicit Target(glm::ivec2 size) : texture(GL_RGBA16F, size), framebuffer(texture) {}
};

// One side of the wipe: the lens of the last technique that could be made, and what became of the newest.
class Side {
 public:
  // Makes what the change of technique or size needs. On failure the last good lens stays; it is tried again
  // when the technique or the size changes.
  void choose(const Technique& wanted, glm::ivec2 size) {
    const bool resized = size != size_;
    if (lens_ && resized) lens_->resize(size);
    size_ = size;
    if (lens_ && !needsNewLens(technique_, wanted)) {
      technique_ = wanted;
      failed_.reset();
    } else if (resized || !failed_ || needsNewLens(failed_->technique, wanted)) {
      make(wanted);
    }
    if (!needsOtherLens(technique_.view, wanted.view)) technique_.view = wanted.view;
    if (technique_.view != View::footprint) footprint_.reset();
    if (technique_.view == View::footprint && !footprint_) footprint_ = std::make_unique<Footprint>();
  }

  // Keeps the lens for images of this size only: it may know textures of the scene by names that others
  // take over.
  void hide(glm::ivec2 size) {
    if (size != size_) *this = {};
  }

  void draw(const SceneFrame& scene, const Settings& settings, const SceneRedraw& redraw,
            const ViewPass& views, glm::vec2 cursor, const Target& target, ImageMean& mean,
            Timings& timings) const;
  float progress() const { return lens_ && runsLens() ? lens_->progress() : 1.0f; }

  // Whether it draws what the reference would show.
  bool isImage() const {
    return technique_.view == View::sharp || technique_.view == View::final || differs();
  }
  bool isReference() const { return runsLens() && technique_.lens == LensKind::reference; }
  bool differs() const { return technique_.view == View::difference; }
  bool drawHalf(int half, const gl::Framebuffer& output) const { return lens_->drawHalf(half, output); }
  bool ready() const { return lens_ != nullptr; }
  const Technique& technique() const { return technique_; }
  // Why the newest technique could not be made, or why there is nothing to see of it.
  std::string failure() const { return failed_ ? failed_->reason : lens_ ? lackOfView() : std::string(); }
  std::string state() const {
    if (!lens_) return {};
    const std::string lensState = lens_->state();
    const std::string kernel = footprint_ ? footprint_->text() : std::string();
    return name(resolve(technique_.device)) + (lensState.empty() ? "" : ": " + lensState) +
           (kernel.empty() ? "" : "; " + kernel);
  }

 private:
  bool runsLens() const {
    const View view = technique_.view;
    return view == View::final || view == View::table || view == View::sprites || view == View::tableError ||
           view == View::footprint || differs() ||
           (isOfLayers(view) && resolve(technique_.lens) == LensKind::layered);
  }
  std::string lackOfView() const {
    if (isOfLayers(technique_.view) && resolve(technique_.lens) != LensKind::layered)
      return std::string("--view ") + name(technique_.view) + " needs the layered lens, not " +
             name(resolve(technique_.lens));
    if (technique_.view == View::sprites && !lens_->drawsSprites())
      return "--view sprites needs --highlights, and --lens box, tent or layered";
    return {};
  }
  // The view table-error is drawn by a lens of its own.
  static bool needsOtherLens(View from, View to) {
    return (from == View::tableError) != (to == View::tableError);
  }
  static bool needsNewLens(const Technique& from, const Technique& to) {
    return from.lens != to.lens || needsOtherLens(from.view, to.view) || from.lensOn != to.lensOn ||
           needsNewTableBuilder(from, to) || needsNewBokeh(from, to);
  }

  void make(const Technique& wanted) {
    try {
      auto lens = makeLens(wanted);
      lens->resize(size_);
      lens_ = std::move(lens);
      technique_ = wanted;
      failed_.reset();
    } catch (const std::runtime_error& error) {
      failed_ = {wanted, error.what()};
    }
  }

  struct Failure {
    Technique technique;
    std::string reason;
  };

  std::unique_ptr<Lens> lens_;
  std::unique_ptr<Footprint> footprint_;  // while its view is shown
  Technique technique_;
  std::optional<Failure> failed_;
  glm::ivec2 size_{0};
};

void Side::draw(const SceneFrame& scene, const Settings& settings, const SceneRedraw& redraw,
                const ViewPass& views, glm::vec2 cursor, const Target& target, ImageMean& mean,
                Timings& timings) const {
  if (technique_.view == View::sharp) {
    copyColumns(*scene.colour, target.texture, 0);
    return;
  }
  if (technique_.view == View::sprites && !lens_->drawsSprites()) {
    const glm::vec4 black(0.0f);
    glClearNamedFramebufferfv(target.framebuffer.name(), GL_COLOR, 0, &black.x);
    return;
  }
  LensInputs inputs{scene,           settings.lens, technique_,
                    glm::vec4(0.0f), &redraw,       std::exp2(settings.present.exposureStops)};
  if (runsLens()) {
    if (technique_.format == TableFormat::float32Mean) inputs.mean = mean.update(*scene.colour);
    lens_->process(inputs, target.framebuffer, timings);
  }
  if (footprint_) {
    const glm::ivec2 at(glm::floor(cursor * glm::vec2(scene.size)));
    footprint_->draw(inputs, glm::clamp(at, glm::ivec2(0), scene.size - 1), target.texture,
                     target.framebuffer);
    return;
  }
  views.draw(technique_.view, inputs, lens_->table(), target.framebuffer);
}

}  // namespace

struct Renderer::Parts {
  SceneKind sceneKind{};
  std::unique_ptr<Scene> scene;
  Targets targets;
  std::optional<Targets> redrawTargets;  // made by the first redraw
  Focus focus;
  ImageMean mean;
  ViewPass views;
  PresentPass present;
  gl::Program difference{{"common/fullscreen.vert", "views/difference.frag"}};
  Side main, other;
  Target image, otherImage, differenceImage;
  std::optional<LiveComparison> live;
  glm::ivec2 size{0};
  int samples = 0;
  bool both = false;   // the other technique is drawn, too
  bool split = false;  // and seen right of the wipe

  void resize(const Settings& settings);
  void compare(const Settings& settings, bool measure, Timings& timings);
  bool showsOther() const { return both && other.ready(); }
};

void Renderer::Parts::resize(const Settings& settings) {
  if (!scene || sceneKind != settings.scene.kind) scene = makeScene(sceneKind = settings.scene.kind);
  if (size != settings.size || samples != settings.scene.samples) {
    targets.resize(settings.size, settings.scene.samples);
    redrawTargets.reset();
  }
  if (size != settings.size) image = Target(settings.size);
  if (satdof::showsOther(settings) && otherImage.texture.size() != settings.size) {
    otherImage = Target(settings.size);
    differenceImage = Target(settings.size);
  }
  size = settings.size;
  samples = settings.scene.samples;
}

// Measures and shows how far the two images, whole and in linear light, are apart.
void Renderer::Parts::compare(const Settings& settings, bool measure, Timings& timings) {
  if (main.differs() || other.differs()) {
    const auto stage = timings.gpu("difference");
    image.texture.bind(0);
    otherImage.texture.bind(1);
    difference.set("exposure", std::exp2(settings.present.exposureStops));
    difference.set("gain", 8.0f);
    difference.set("firstColumn", 0);
    difference.use();
    gl::drawFullScreen(differenceImage.framebuffer.name(), size);
  }
  if (!measure || !main.isImage() || !other.isImage() || main.isReference() == other.isReference()) {
    live.reset();
    return;
  }
  const auto stage = timings.gpu("compare");
  if (!live || live->size() != size) live.emplace(size);
  const Side& reference = main.isReference() ? main : other;
  const auto drawHalf = [&](int half, const gl::Framebuffer& output) {
    return reference.drawHalf(half, output);
  };
  live->update(present, image.texture, otherImage.texture, drawHalf, settings,
               std::min(main.progress(), other.progress()));
}

Renderer::Renderer() : parts_(std::make_unique<Parts>()) {}
Renderer::~Renderer() = default;

void Renderer::render(Settings& settings, const FrameRequest& request, Timings& timings) {
  Parts& p = *parts_;
  p.resize(settings);
  p.main.choose(settings.technique, settings.size);
  if (!p.main.ready()) throw std::runtime_error(p.main.failure());
  const int column = wipeColumn(settings.split, p.size);
  p.split = settings.split.enabled && column < p.size.x;
  p.both = p.split || p.main.differs();
  if (p.both)
    p.other.choose(settings.split.other, settings.size);
  else
    p.other.hide(settings.size);

  const SceneView view{settings.scene, settings.camera, request.timeS};
  const SceneFrame scene = p.scene->draw(view, p.targets, timings);
  if (request.focusAt) p.focus.pick(*request.focusAt);
  p.focus.update(scene, settings.lens, request.timeS);

  const auto drawAgain = [&](const ViewOffset& offset, const gl::Texture* behind) {
    if (!p.redrawTargets) p.redrawTargets.emplace().resize(p.size, p.samples);
    SceneView other = view;
    other.offset = offset;
    other.behind = behind;
    return p.scene->draw(other, *p.redrawTargets, timings);
  };
  const SceneRedraw redraw{settings.scene, settings.camera, request.timeS, drawAgain};
  p.main.draw(scene, settings, redraw, p.views, request.cursor, p.image, p.mean, timings);
  if (!p.both || !p.other.ready()) {
    p.live.reset();
    return;
  }
  p.other.draw(scene, settings, redraw, p.views, request.cursor, p.otherImage, p.mean, timings);
  p.compare(settings, request.compare, timings);
  if (p.main.differs()) copyColumns(p.differenceImage.texture, p.image.texture, 0);
  const Target& right = p.other.differs() ? p.differenceImage : p.otherImage;
  if (p.split) copyColumns(right.texture, p.image.texture, column);
}

const gl::Texture& Renderer::image() const { return parts_->image.texture; }

void Renderer::present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings) {
  Parts& p = *parts_;
  const auto stage = timings.gpu("present");
  Display display{.exposureStops = settings.present.exposureStops,
                  .toneMapLeft = isToneMapped(p.main.technique().view)};
  display.toneMapRight =
      p.split && p.other.ready() ? isToneMapped(p.other.technique().view) : display.toneMapLeft;
  if (p.split) display.wipe = wipeColumn(settings.split, p.size) > 0 ? settings.split.position : -2.0f;
  p.present.draw(p.image.texture, framebuffer, size, display);
}

std::string Renderer::state() const {
  const Parts& p = *parts_;
  return p.main.state() + (p.showsOther() ? " | " + p.other.state() : "");
}

std::string Renderer::message() const {
  const Parts& p = *parts_;
  if (!p.both || p.other.failure().empty()) return p.main.failure();
  return p.main.failure() + (p.main.failure().empty() ? "" : "\n") + p.other.failure();
}

float Renderer::progress() const {
  const Parts& p = *parts_;
  return p.showsOther() ? std::min(p.main.progress(), p.other.progress()) : p.main.progress();
}

std::optional<LiveComparison::Result> Renderer::comparison() const {
  return parts_->live ? parts_->live->result() : std::nullopt;
}

bool Renderer::focusPending() const { return parts_->focus.pending(); }

}  // namespace satdof
