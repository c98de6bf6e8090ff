#include "app/render/side.h"

#include <cmath>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/gl/built.h"
#include "app/gl/program.h"
#include "app/lens/aperture/image.h"
#include "app/render/changes.h"
#include "app/scene/registry.h"

namespace satdof {

void Side::choose(const Technique& wanted, glm::ivec2 size, bool blended) {
  const bool resized = size != size_ || blended != blended_;
  size_ = size;
  blended_ = blended;
  if (lens_ && resized) resizeLens();
  if (lens_ && !needsNewLens(technique_, wanted)) {
    technique_ = wanted;
    failed_.reset();
  } else if (resized || !failed_ || failed_->shaderReloads != gl::shaderReloads() ||
             needsNewLens(failed_->technique, wanted)) {
    make(wanted);
  }
  if (viewOf(wanted.view).makeLens == view().makeLens) technique_.view = wanted.view;
  if (!view().outlinesFootprint) footprint_.reset();
  if (view().outlinesFootprint && !footprint_) footprint_ = std::make_unique<FootprintView>();
  if (!view().readsTable) tableCursor_.reset();
  if (view().readsTable && !tableCursor_) tableCursor_ = std::make_unique<TableCursor>();
}

void Side::resize(glm::ivec2 size) {
  size_ = size;
  filter_ = {};
  failed_.reset();
  if (lens_) resizeLens();
}

void Side::allocate(Lens& lens) const {
  lens.resize(size_);
  if (blended_) lens.prepareBlended();
}

void Side::resizeLens() {
  drawn_.reset();
  result_ = {};
  try {
    allocate(*lens_);
  } catch (const std::runtime_error&) {  // choose() makes another one and says why that fails
    lens_.reset();
  }
}

void Side::make(const Technique& wanted) {
  try {
    const auto makeViewLens = viewOf(wanted.view).makeLens;
    auto lens =
        gl::withBuiltPrograms([&] { return makeViewLens != nullptr ? makeViewLens(wanted) : makeLens(wanted); });
    allocate(*lens);
    lens_ = std::move(lens);
    technique_ = wanted;
    failed_.reset();
    drawn_.reset();
    result_ = {};
  } catch (const std::runtime_error& error) {
    failed_ = {wanted, gl::shaderReloads(), error.what()};
  }
}

void Side::draw(const SideInputs& inputs, const Target& target, Timings& timings) {
  if (!emptyReason(technique_).empty()) {
    const float black[] = {0.0f, 0.0f, 0.0f, 1.0f};
    glClearNamedFramebufferfv(target.framebuffer.name(), GL_COLOR, 0, black);
    return;
  }
  if (view().filtered) filter_.choose(inputs.settings.filter, size_);
  if (!isFiltered()) {
    drawView(inputs, target, timings);
    return;
  }
  if (unfiltered_.texture.size() != size_) unfiltered_ = Target(size_);
  drawView(inputs, unfiltered_, timings);
  filter_.run({unfiltered_.texture, target.texture, target.framebuffer}, timings);
}

void Side::drawView(const SideInputs& inputs, const Target& target, Timings& timings) {
  const ViewRow& row = view();
  const bool repeats = drewSameScene(inputs) && *drawn_ == inputs.settings && result_.progress == 1.0f;
  if (row.source != ViewSource::scene)
    drawLens(inputs, target, timings);
  else if (row.shader == nullptr)
    gl::copyColumns(*inputs.scene.colour, target.texture);
  const LensRow& lens = lensOf(technique_.lens.kind);
  const glm::ivec2 at = glm::clamp(glm::ivec2(glm::floor(inputs.cursor * glm::vec2(inputs.scene.size))), glm::ivec2(0),
                                   inputs.scene.size - 1);
  std::optional<LensSpaceScene> inLensSpace;
  const bool showsRadii = row.radius != ViewRadius::none || tableCursor_ || footprint_;
  if (showsRadii && needsLensSpace(inputs.settings.lens) && !lens.rule->linear)
    inLensSpace = toLensSpace(inputs, 0.0f, timings);
  const SceneFrame& scene = inLensSpace ? inLensSpace->scene : inputs.scene;
  const LensSettings& settings = inLensSpace ? inLensSpace->space.lens : inputs.settings.lens;
  if (tableCursor_) tableCursor_->read(scene, settings, lens, result_.table, at, repeats);
  if (footprint_) footprint_->draw({scene, settings, lens, repeats}, at, target.texture, target.framebuffer);
  inputs.views.draw(row, {scene, settings, *lens.rule, result_.table}, target.framebuffer);
}

void Side::drawLens(const SideInputs& inputs, const Target& target, Timings& timings) {
  if (drawsChannelsApart(inputs.settings.lens) && view().image == LensImage::blurred)
    drawChannels(inputs, target, timings);
  else
    runLens(inputs, {}, inputs.mayDefer && showsLensOutput(), target, timings);
  drawn_ = inputs.settings;
  drawnKey_ = inputs.key;
}

// The reference shifts the focus of its channels itself. Lenses with a linear blur rule have no axial colour.
void Side::drawChannels(const SideInputs& inputs, const Target& target, Timings& timings) {
  if (!channels_) channels_ = std::make_unique<LensChannels>();
  const LensRow& row = lensOf(technique_.lens.kind);
  LensSettings lens = inputs.settings.lens;
  if (row.accumulates || row.rule->linear) lens.axialColour = 0.0f;
  const gl::Target& drawn = channels_->drawn(size_);
  if (lens.axialColour == 0.0f) {
    runLens(inputs, {}, false, drawn, timings);
  } else {
    std::optional<SceneFrame> second;  // the second depth layer, the same for all channels
    SideInputs shifted = inputs;
    shifted.redraw.draw = [&](const ViewOffset& offset, const gl::Texture* behind) {
      if (!second) second = inputs.redraw.draw(offset, behind);
      return *second;
    };
    const glm::vec3 shifts = focusShifts(lens);
    for (int channel = 0; channel < 3; ++channel) {
      runLens(shifted, shifts[channel], false, drawn, timings);
      channels_->keep(channel);
    }
  }
  const auto stage = timings.gpu("channels");
  channels_->combine(lens, inputs.scene, target);
}

Side::LensSpaceScene Side::toLensSpace(const SideInputs& inputs, float focusShift, Timings& timings) {
  if (!lensDepth_) lensDepth_ = std::make_unique<LensDepth>();
  const auto stage = timings.gpu("focus surface");
  LensSpaceScene result{inputs.scene, lensSpace(inputs.settings.lens, inputs.scene, focusShift)};
  static_cast<SceneFacts&>(result.scene) = result.space.scene;
  result.scene.depth = &lensDepth_->draw(LensDepth::Layer::surfaces, *inputs.scene.depth, result.space.surface);
  return result;
}

void Side::runLens(const SideInputs& inputs, std::optional<float> focusShift, bool mayDefer, const Target& target,
                   Timings& timings) {
  const Settings& settings = inputs.settings;
  const LensRow& row = lensOf(technique_.lens.kind);
  std::optional<LensSpaceScene> inLensSpace;
  SceneRedraw redraw = inputs.redraw;
  if ((needsLensSpace(settings.lens) || focusShift) && !row.accumulates && !row.rule->linear) {
    inLensSpace = toLensSpace(inputs, focusShift.value_or(0.0f), timings);
    const auto depthOf = [&](LensDepth::Layer layer, const gl::Texture& depth) {
      const auto stage = timings.gpu("focus surface");
      return &lensDepth_->draw(layer, depth, inLensSpace->space.surface);
    };
    redraw.draw = [&inputs, depthOf](const ViewOffset& offset, const gl::Texture* behind) {
      SceneFrame frame = inputs.redraw.draw(offset, behind == nullptr ? nullptr : inputs.scene.depth);
      frame.depth = depthOf(LensDepth::Layer::second, *frame.depth);
      return frame;
    };
    redraw.blended = [&inputs, depthOf](bool front) {
      BlendedLayer layer = inputs.redraw.blended(front);
      layer.depth = depthOf(front ? LensDepth::Layer::blendedFront : LensDepth::Layer::blendedBack, *layer.depth);
      return layer;
    };
  }
  const bool redraws = row.accumulates || static_cast<bool>(sceneRow(settings.scene.kind).capabilities.secondLayer);
  LensInputs lensInputs{.scene = inLensSpace ? inLensSpace->scene : inputs.scene,
                        .lens = inLensSpace ? inLensSpace->space.lens : settings.lens,
                        .image = view().image,
                        .redraw = redraws ? &redraw : nullptr,
                        .restart = !drewSameScene(inputs) || restartsReference(*drawn_, settings),
                        .exposure = std::exp2(settings.present.exposureStops),
                        .samplesPerFrame = inputs.samplesPerFrame,
                        .mayDefer = mayDefer,
                        .wantsTable = view().readsTable,
                        .centreX = inputs.centre.x};
  if (technique_.table.format == TableFormat::float32Mean)
    lensInputs.mean = inputs.mean.update(*inputs.scene.colour, inputs.standalone);
  result_ = lens_->draw(lensInputs, target, timings);
}

bool Side::showsLensOutput() const {
  const ViewRow& row = view();
  return runsLens() && row.source == ViewSource::lens && row.shader == nullptr && !footprint_ && !isFiltered();
}

// A float32-mean table changes once its mean has been read back, some frames later.
bool Side::repeats() const {
  return drawn_ && !isReference() && !footprint_ && !tableCursor_ &&
         technique_.table.format != TableFormat::float32Mean;
}

void Side::freeUnused() {
  if (lens_) lens_->freeUnused();
  if (drawn_ && !drawsChannelsApart(drawn_->lens)) channels_.reset();
  if (drawn_ && !needsLensSpace(drawn_->lens) && drawn_->lens.axialColour == 0.0f) lensDepth_.reset();
  if (!runsLens() || isFiltered()) return;
  filter_ = {};
  unfiltered_ = {};
}

std::span<const glm::vec4> Side::pixels() const {
  const bool whole = showsLensOutput() && drawn_ && !drawsChannelsApart(drawn_->lens);
  return whole ? result_.pixels : std::span<const glm::vec4>();
}

void Side::store(const Target& target) {
  if (lens_ && showsLensOutput()) lens_->store(target);
}

std::string Side::failure() const {
  if (failed_) return failed_->reason;
  if (!lens_) return {};
  if (drawn_ && !apertureFailure(drawn_->lens).empty()) return apertureFailure(drawn_->lens);
  const std::string empty = emptyReason(technique_);
  return empty.empty() && view().filtered ? filter_.failure() : empty;
}

std::string Side::state() const {
  if (!lens_) return {};
  std::string text = lens_->state();
  if (lensOf(technique_.lens.kind).buildsTables()) text = name(technique_.device) + (text.empty() ? "" : ": " + text);
  const std::string filter = view().filtered ? filter_.state() : std::string();
  if (!filter.empty()) text.append(text.empty() ? "" : "; ").append(filter);
  return text;
}

std::string Side::atCursor() const { return footprint_ ? footprint_->text() : std::string(); }

std::optional<TableReading> Side::tableReading() const { return tableCursor_ ? tableCursor_->reading() : std::nullopt; }

}  // namespace satdof
