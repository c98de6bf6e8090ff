#include "app/views/views.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/device/gl/uniforms.h"
#include "app/views/table_error.h"

namespace satdof {

namespace {

void setRadiusUniforms(const gl::Program& program, const ViewInputs& inputs) {
  program.set("halfBrightPx", static_cast<float>(inputs.scene.wholeSize().y) / 60.0f);
}

void setDepthUniforms(const gl::Program& program, const ViewInputs& inputs) {
  program.set("nearestDepth", inputs.scene.nearM / inputs.scene.nearestM);
}

void setTableUniforms(const gl::Program& program, const ViewInputs& inputs) {
  bindTable(program, inputs.table);
  program.set("offset", inputs.table.mean);
  program.set("size", inputs.table.size);
}

const std::array kViews = {
    ViewRow{.view = View::final, .toneMapped = true, .filtered = true, .comparable = true},
    ViewRow{.view = View::sharp, .source = ViewSource::scene, .toneMapped = true, .comparable = true},
    ViewRow{.view = View::coc,
            .source = ViewSource::scene,
            .shader = "coc.frag",
            .radius = ViewRadius::ofLens,
            .setUniforms = setRadiusUniforms,
            .title = "circle of confusion"},
    ViewRow{.view = View::depth, .source = ViewSource::scene, .shader = "depth.frag", .setUniforms = setDepthUniforms},
    ViewRow{.view = View::table,
            .readsTable = true,
            .shader = "table.frag",
            .showsTable = true,
            .setUniforms = setTableUniforms},
    ViewRow{.view = View::difference, .source = ViewSource::difference, .filtered = true, .comparable = true},
    ViewRow{.view = View::peaking,
            .toneMapped = true,
            .shader = "peaking.frag",
            .blended = true,
            .radius = ViewRadius::thinLens},
    ViewRow{.view = View::near, .image = LensImage::nearCoverage, .needsLayers = true},
    ViewRow{.view = View::fill, .image = LensImage::fill, .toneMapped = true, .needsLayers = true},
    ViewRow{.view = View::layers, .image = LensImage::layers, .needsLayers = true},
    ViewRow{.view = View::weights, .image = LensImage::weights, .needsLayers = true},
    ViewRow{.view = View::sprites, .image = LensImage::sprites, .toneMapped = true, .needsBokeh = true},
    ViewRow{.view = View::tableError,
            .makeLens = makeTableErrorLens,
            .leftHalf = "image by an exact table",
            .rightHalf = "error of a float table, times 128"},
    ViewRow{.view = View::footprint, .toneMapped = true, .outlinesFootprint = true, .readsTable = true},
    ViewRow{.view = View::focusPlane,
            .toneMapped = true,
            .shader = "focus_plane.frag",
            .blended = true,
            .radius = ViewRadius::thinLens},
};

gl::Program viewProgram(const ViewRow& row, TableFormat format) {
  gl::Defines defines;
  if (row.showsTable) {
    defines = tableDefines(format);
    defines.emplace_back("WRAPS", format == TableFormat::uint32 ? "true" : "false");
  }
  return gl::Program({"common/fullscreen.vert", std::string("views/") + row.shader}, defines);
}

}  // namespace

std::span<const ViewRow> views() { return kViews; }

const ViewRow& viewOf(View view) {
  const auto found = std::ranges::find(kViews, view, &ViewRow::view);
  if (found == kViews.end())
    throw std::runtime_error(std::string("the view ") + name(view) + " is not in the table of views");
  return *found;
}

const char* titleOf(View view) {
  const char* const title = viewOf(view).title;
  return title == nullptr ? name(view) : title;
}

std::string missingFor(const Technique& technique) {
  const ViewRow& row = viewOf(technique.view);
  const LensRow& lens = lensOf(technique.lens.kind);
  if (row.needsLayers && !lens.layers) return std::string("needs the layered lens, not ") + name(lens.kind);
  if (row.needsBokeh && !technique.bokeh.enabled) return "needs bokeh sprites and the box, tent or layered lens";
  return {};
}

std::string emptyReason(const Technique& technique) {
  const std::string missing = missingFor(technique);
  return missing.empty() ? missing : std::string("--view ") + name(technique.view) + " " + missing;
}

ViewPass::ViewPass() {
  for (const ViewRow& row : kViews) {
    Programs& programs = programs_.emplace_back();
    if (row.shader == nullptr) continue;
    programs.program = viewProgram(row, TableFormat::uint32);
    if (row.showsTable) programs.floatProgram = viewProgram(row, TableFormat::float32);
  }
}

void ViewPass::draw(const ViewRow& row, const ViewInputs& inputs, const gl::Framebuffer& output) {
  if (row.shader == nullptr) return;
  if (row.showsTable && inputs.table.texture == nullptr) return;
  const Programs& programs = programs_[static_cast<std::size_t>(&row - kViews.data())];
  const bool floats = row.showsTable && inputs.table.format != TableFormat::uint32;
  const gl::Program& program = floats ? programs.floatProgram : programs.program;
  const BlurRule& rule = row.radius == ViewRadius::ofLens ? inputs.rule : kThinLensRule;
  if (row.radius != ViewRadius::none) radius_.bind(0, rule.values(inputs.lens, inputs.scene));
  inputs.scene.colour->bind(0);
  inputs.scene.depth->bind(1);
  if (row.setUniforms != nullptr) row.setUniforms(program, inputs);
  program.use();
  gl::drawFullScreen(output.name(), inputs.scene.size, row.blended ? gl::Blend::byAlpha : gl::Blend::replace);
}

}  // namespace satdof
