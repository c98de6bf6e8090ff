#include "app/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/gl/program.h"
#include "app/lens/bokeh/bokeh.h"
#include "app/lens/lens.h"
#include "app/render/image_mean.h"
#include "app/render/present.h"
#include "app/scene/scene_pass.h"
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
  ScenePass scene;
  std::optional<ScenePass> again;  // for redraws: the first drawing stays
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
  void report(FrameResult& result) const;
  bool showsOther() const { return both && other.ready(); }
};

void Renderer::Parts::resize(const Settings& settings) {
  if (size != settings.size || samples != settings.scene.samples) {
    scene.resize(settings.size, settings.scene.samples);
    again.reset();
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
  const auto display = [&](const gl::Texture& from, const gl::Framebuffer& to) {
    present.draw(from, to.name(), size, {.exposureStops = settings.present.exposureStops});
  };
  live->update(display, image.texture, otherImage.texture, drawHalf, settings,
               std::min(main.progress(), other.progress()));
}

void Renderer::Parts::report(FrameResult& result) const {
  result.focusPending = focus.pending();
  if (live) result.comparison = live->result();
  result.progress = showsOther() ? std::min(main.progress(), other.progress()) : main.progress();
  result.state = main.state();
  if (showsOther()) result.state.append(" | ").append(other.state());
  result.message = main.failure();
  if (!both || other.failure().empty()) return;
  if (!result.message.empty()) result.message += '\n';
  result.message += other.failure();
}

Renderer::Renderer() : parts_(std::make_unique<Parts>()) {}
Renderer::~Renderer() = default;

FrameResult Renderer::render(const Settings& wanted, const FrameRequest& request, Timings& timings) {
  Parts& p = *parts_;
  p.resize(wanted);
  p.main.choose(wanted.technique, wanted.size);
  if (!p.main.ready()) throw std::runtime_error(p.main.failure());
  const int column = wipeColumn(wanted.split, p.size);
  p.split = wanted.split.enabled && column < p.size.x;
  p.both = p.split || p.main.differs();
  if (p.both)
    p.other.choose(wanted.split.other, wanted.size);
  else
    p.other.hide(wanted.size);

  const SceneFrame scene = p.scene.draw(wanted.scene, wanted.camera, request.timeS, timings);
  if (request.focusAt) p.focus.pick(*request.focusAt);
  FrameResult result;
  result.focus = p.focus.update(scene, wanted.lens, request.timeS);
  Settings settings = wanted;
  applyFocus(settings, result);

  const auto drawAgain = [&](const ViewOffset& offset, const gl::Texture* behind) {
    if (!p.again) p.again.emplace().resize(p.size, p.samples);
    return p.again->draw(settings.scene, settings.camera, request.timeS, timings, offset, behind);
  };
  const SceneRedraw redraw{settings.scene, settings.camera, request.timeS, drawAgain};
  p.main.draw(scene, settings, redraw, p.views, request.cursor, p.image, p.mean, timings);
  if (!p.both || !p.other.ready()) {
    p.live.reset();
    p.report(result);
    return result;
  }
  p.other.draw(scene, settings, redraw, p.views, request.cursor, p.otherImage, p.mean, timings);
  p.compare(settings, request.compare, timings);
  if (p.main.differs()) copyColumns(p.differenceImage.texture, p.image.texture, 0);
  const Target& right = p.other.differs() ? p.differenceImage : p.otherImage;
  if (p.split) copyColumns(right.texture, p.image.texture, column);
  p.report(result);
  return result;
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

}  // namespace satdof
