#include "app/renderer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/gl/program.h"
#include "app/lens/focus.h"
#include "app/lens/lens.h"
#include "app/lens/picture_mean.h"
#include "app/lens/view_pass.h"
#include "app/scene/scene_pass.h"

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

// A picture that a method draws into.
struct Target {
  gl::Texture texture;
  gl::Framebuffer framebuffer;

  Target() = default;
  explicit Target(glm::ivec2 size) : texture(GL_RGBA16F, size), framebuffer(texture) {}
};

// One side of the wipe: the lens of the last method that could be made, and what became of the newest.
class Side {
 public:
  // Makes what the change of method or size needs. On failure the last good lens stays; it is tried again
  // when the method or the size changes.
  void choose(const Method& wanted, glm::ivec2 size) {
    const bool resized = size != size_;
    if (lens_ && resized) lens_->resize(size);
    size_ = size;
    if (lens_ && !needsNewLens(method_, wanted)) {
      method_ = wanted;
      failed_.reset();
    } else if (resized || !failed_ || needsNewLens(failed_->method, wanted)) {
      make(wanted);
    }
    method_.view = wanted.view;
  }

  void draw(const SceneFrame& scene, const LensSettings& settings, const SceneRedraw& redraw,
            const ViewPass& views, const Target& target, PictureMean& mean, Timings& timings) const;
  float progress() const { return lens_ && runsLens() ? lens_->progress() : 1.0f; }

  bool ready() const { return lens_ != nullptr; }
  const Method& method() const { return method_; }
  std::string failure() const { return failed_ ? failed_->reason : std::string(); }
  std::string state() const {
    if (!lens_) return {};
    const std::string lensState = lens_->state();
    return name(resolve(method_.backend)) + (lensState.empty() ? "" : ": " + lensState);
  }

 private:
  bool runsLens() const { return method_.view == View::final || method_.view == View::table; }
  static bool needsNewLens(const Method& from, const Method& to) {
    return from.lens != to.lens || needsNewBackend(from, to);
  }

  void make(const Method& wanted) {
    try {
      auto lens = makeLens(wanted);
      lens->resize(size_);
      lens_ = std::move(lens);
      method_ = wanted;
      failed_.reset();
    } catch (const std::runtime_error& error) {
      failed_ = {wanted, error.what()};
    }
  }

  struct Failure {
    Method method;
    std::string reason;
  };

  std::unique_ptr<Lens> lens_;
  Method method_;
  std::optional<Failure> failed_;
  glm::ivec2 size_{0};
};

void Side::draw(const SceneFrame& scene, const LensSettings& settings, const SceneRedraw& redraw,
                const ViewPass& views, const Target& target, PictureMean& mean, Timings& timings) const {
  if (method_.view == View::sharp) {
    copyColumns(*scene.colour, target.texture, 0);
    return;
  }
  LensInputs inputs{scene, settings, method_, glm::vec4(0.0f), &redraw};
  if (runsLens()) {
    if (method_.format == SatFormat::float32Mean) inputs.mean = mean.update(*scene.colour);
    lens_->process(inputs, target.framebuffer, timings);
  }
  views.draw(method_.view, inputs, lens_->table(), target.framebuffer);
}

}  // namespace

struct Renderer::Parts {
  ScenePass scene;
  std::optional<ScenePass> again;  // for redraws: the first drawing stays
  Focus focus;
  PictureMean mean;
  ViewPass views;
  gl::Program present{{"fullscreen.vert", "present.frag"}};
  Side main, other;
  Target picture, otherPicture;
  glm::ivec2 size{0};
  int samples = 0;
  bool split = false;

  void resize(const Settings& settings);
};

void Renderer::Parts::resize(const Settings& settings) {
  if (size != settings.size || samples != settings.scene.samples) {
    scene.resize(settings.size, settings.scene.samples);
    again.reset();
  }
  if (size != settings.size) picture = Target(settings.size);
  if (settings.split.enabled && otherPicture.texture.size() != settings.size)
    otherPicture = Target(settings.size);
  size = settings.size;
  samples = settings.scene.samples;
}

Renderer::Renderer() : parts_(std::make_unique<Parts>()) {}
Renderer::~Renderer() = default;

void Renderer::render(Settings& settings, const FrameRequest& request, Timings& timings) {
  Parts& p = *parts_;
  p.resize(settings);
  p.main.choose(settings.method, settings.size);
  if (!p.main.ready()) throw std::runtime_error(p.main.failure());
  const int column = wipeColumn(settings.split, p.size);
  p.split = settings.split.enabled && column < p.size.x;
  if (p.split) p.other.choose(settings.split.other, settings.size);

  const SceneFrame scene = p.scene.draw(settings.scene, settings.camera, request.timeS, timings);
  if (request.focusAt) p.focus.pick(*request.focusAt);
  p.focus.update(scene, settings.lens, request.timeS);

  const auto drawAgain = [&](const ViewOffset& offset, const gl::Texture* behind) {
    if (!p.again) p.again.emplace().resize(p.size, p.samples);
    return p.again->draw(settings.scene, settings.camera, request.timeS, timings, offset, behind);
  };
  const SceneRedraw redraw{settings.scene, settings.camera, request.timeS, drawAgain};
  p.main.draw(scene, settings.lens, redraw, p.views, p.picture, p.mean, timings);
  if (!p.split || !p.other.ready()) return;
  p.other.draw(scene, settings.lens, redraw, p.views, p.otherPicture, p.mean, timings);
  copyColumns(p.otherPicture.texture, p.picture.texture, column);
}

const gl::Texture& Renderer::picture() const { return parts_->picture.texture; }

void Renderer::present(GLuint framebuffer, glm::ivec2 size, const Settings& settings, Timings& timings) {
  Parts& p = *parts_;
  const auto stage = timings.gpu("present");
  const bool toneMapMain = isToneMapped(p.main.method().view);
  const bool toneMapRight = p.split && p.other.ready() ? isToneMapped(p.other.method().view) : toneMapMain;
  const gl::Program& program = p.present;
  program.set("targetSize", glm::vec2(size));
  program.set("exposure", std::exp2(settings.present.exposureStops));
  program.set("toneMapLeft", static_cast<int>(toneMapMain));
  program.set("toneMapRight", static_cast<int>(toneMapRight));
  const bool onlyRight = wipeColumn(settings.split, p.size) == 0;
  program.set("wipe", !p.split ? 2.0f : onlyRight ? -2.0f : settings.split.position);
  const GLint filter = size == p.size ? GL_NEAREST : GL_LINEAR;
  glTextureParameteri(p.picture.texture.name(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(p.picture.texture.name(), GL_TEXTURE_MAG_FILTER, filter);
  p.picture.texture.bind(0);
  program.use();
  gl::drawFullScreen(framebuffer, size);
}

std::string Renderer::state() const {
  const Parts& p = *parts_;
  return p.main.state() + (p.split && p.other.ready() ? " | " + p.other.state() : "");
}

std::string Renderer::message() const {
  const Parts& p = *parts_;
  if (!p.split || p.other.failure().empty()) return p.main.failure();
  return p.main.failure() + (p.main.failure().empty() ? "" : "\n") + p.other.failure();
}

float Renderer::progress() const {
  const Parts& p = *parts_;
  return p.split ? std::min(p.main.progress(), p.other.progress()) : p.main.progress();
}

bool Renderer::focusPending() const { return parts_->focus.pending(); }

}  // namespace satdof
