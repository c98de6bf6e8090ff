#include "app/lens/layered/layered.h"

#include <array>
#include <functional>
#include <glm/common.hpp>

#include "app/device/device.h"
#include "app/device/gl/gl.h"
#include "app/device/gl/uniforms.h"
#include "app/gl/program.h"
#include "app/lens/layered/plan.h"
#include "shaders/lens/layered/fill.h"

namespace satdof {

namespace {

class Layered final : public Lens {
 public:
  Layered(const Device& device, const TableSpec& spec)
      : fillProgram_({"lens/layered/fill.comp"}),
        background_({"lens/layered/background.comp"}),
        farProgram_({"lens/layered/far.comp"}),
        hiddenProgram_({"lens/layered/hidden.comp"}),
        compose_({"lens/layered/compose.comp"}),
        makeTables_([&device, spec] { return device.makeTableBuilder(spec); }),
        far_(makeTables_()),
        makeScatter_([&device, spec] { return device.makeNearScatter(spec); }),
        scatter_(makeScatter_()) {
    for (Layer& layer : middle_) layer.scatter = makeGlLayerScatter(makeTables_());
    hidden_.scatter = makeGlLayerScatter(makeTables_());
  }

  void resize(glm::ivec2 size) override {
    size_ = size;
    far_->resize(size);
    scatter_->resize(size);
    foremost_.reset();
    blended_ = {};
    pane_ = {};
    for (Layer& layer : middle_)
      if (layer.ready) layer.resize(size);
    if (hidden_.ready) hidden_.resize(size);
    farImage_ = gl::Texture(GL_RGBA32UI, size);
    fillBehind_ = gl::Texture(GL_RGBA16F, glsl::fillSizeOf(size), 1, glsl::kFillLevels);
    fillRadii_ = gl::Texture(GL_RGBA16F, fillBehind_.size(), 1, glsl::kFillLevels);
    farRadii_ = gl::Texture(GL_RGBA32F, fillBehind_.size(), 1, glsl::kFillLevels);
    hiddenSums_ = {};
    backgroundColour_ = gl::Texture(GL_RGBA16F, size);
    backgroundRadius_ = gl::Texture(GL_R32F, size);
  }

  void prepareBlended() override {
    for (Blended& side : blended_) {
      side.scatter = makeGlLayerScatter(makeTables_());
      side.scatter->resize(size_);
    }
    pane_ = gl::Texture(GL_RGBA16F, size_);
  }

  LensResult draw(const LensInputs& inputs, const gl::Target& output, Timings& timings) override {
    const LayeredPlan plan = layeredPlan(inputs.lens, inputs.scene, inputs.redraw != nullptr);
    const bool anyBlended =
        inputs.scene.opaque != nullptr && inputs.redraw != nullptr && blended_[0].scatter != nullptr;
    SceneFrame scene = inputs.scene;
    if (anyBlended) scene.colour = scene.opaque;
    SceneFrame behind;
    if (plan.secondLayer) behind = drawSecondLayer(scene, *inputs.redraw);
    Table near, foremost;
    if (plan.anyForemost) foremost = scatterForemost(scene, plan.foremost, timings);
    if (plan.anyNear) {
      near = scatter_->scatter(scene, plan.others, timings);
      drawFill(plan, scene, behind, timings);
    }
    if (anyBlended) drawBlended(inputs);
    drawBackground(plan, scene, behind, anyBlended, timings);
    const std::array<Table, glsl::kMiddleLayers> middle = scatterMiddle(plan, scene, timings);
    Table hidden;
    if (plan.anyHidden) hidden = scatterHidden(plan, scene, behind, timings);
    Table far = far_->build({.texture = &farImage_}, timings);
    far.scale = plan.farScale;
    if (anyBlended) blurBlended(plan, inputs.scene, timings);
    compose(plan, near, foremost, middle, hidden, far, anyBlended, inputs.image, output, timings);
    return {.table = far};
  }

  std::string state() const override { return far_->state(); }

 private:
  Table scatterForemost(const SceneFrame& scene, const ScatterRule& rule, Timings& timings) {
    if (foremost_ == nullptr) {
      foremost_ = makeScatter_();
      foremost_->resize(size_);
    }
    return foremost_->scatter(scene, rule, timings);
  }

  // Builds the pyramid for hole filling and for the near coverage.
  void drawFill(const LayeredPlan& plan, const SceneFrame& scene, const SceneFrame& behind,
                Timings& timings) {
    const auto scope = timings.gpu("fill");
    useOnScene(fillProgram_, plan, scene);
    fillProgram_.set("ceiling_", plan.farCeiling);
    fillProgram_.set("secondLayer", static_cast<int>(plan.secondLayer));
    if (plan.secondLayer) {
      behind.colour->bind(4);
      behind.depth->bind(5);
    }
    drawPyramid(fillProgram_, 0, 2, fillBehind_, fillRadii_);
  }

  // Draws the levels of the textures from `first` on, each from the level below, which the program reads in units from `unit` on.
  template <class... Textures>
  static void drawPyramid(const gl::Program& program, int first, GLuint unit, const Textures&... textures) {
    const auto all = std::array{&textures...};
    for (size_t i = 0; i < all.size(); ++i) all[i]->bind(unit + static_cast<GLuint>(i));
    for (int level = first; level < glsl::kFillLevels; ++level) {
      program.set("level", level);
      for (size_t i = 0; i < all.size(); ++i) bindImage(static_cast<GLuint>(i), *all[i], level);
      program.dispatch(glm::max(all[0]->size() >> level, 1));
    }
  }

  // The blended surfaces on one side of the focus plane, blurred by their own radii.
  struct Blended {
    std::unique_ptr<NearScatter> scatter;  // null before prepareBlended()
    BlendedLayer layer;
    Table table;
  };

  // Draws the blended surfaces behind and in front of the focus plane.
  void drawBlended(const LensInputs& inputs) {
    for (const bool front : {false, true})
      blended_[front ? 1 : 0].layer = inputs.redraw->blended(front, inputs.lens.focusDistanceM);
  }

  // Scatters the blended surfaces, those behind the focus plane without what the far blur has of them.
  void blurBlended(const LayeredPlan& plan, SceneFrame frame, Timings& timings) {
    blended_[0].layer.colour = &pane_;
    for (Blended& side : blended_) {
      frame.colour = side.layer.colour;
      frame.depth = side.layer.depth;
      side.table = side.scatter->scatter(frame, plan.scatter, timings);
    }
  }

  // Pixels that are all scattered. Without memory until an image has a second layer.
  struct Layer {
    std::unique_ptr<NearScatter> scatter;
    gl::Texture light, depth;
    bool ready = false;

    void resize(glm::ivec2 size) {
      scatter->resize(size);
      light = gl::Texture(GL_RGBA16F, size);
      depth = gl::Texture(GL_R32F, size);
      ready = true;
    }
    Table scatterOn(SceneFrame frame, const ScatterRule& rule, Timings& timings) {
      frame.colour = &light;
      frame.depth = &depth;
      return scatter->scatter(frame, rule, timings);
    }
  };

  SceneFrame drawSecondLayer(const SceneFrame& scene, const SceneRedraw& redraw) {
    for (Layer& layer : middle_)
      if (!layer.ready) layer.resize(size_);
    if (!hidden_.ready) hidden_.resize(size_);
    if (!hiddenSums_) hiddenSums_ = gl::Texture(GL_RGBA32F, fillBehind_.size(), 1, glsl::kFillLevels);
    return redraw.draw({}, scene.depth);
  }

  // Draws the hidden near field and the pyramid of its sums, and scatters it.
  Table scatterHidden(const LayeredPlan& plan, const SceneFrame& scene, const SceneFrame& behind,
                      Timings& timings) {
    {
      const auto scope = timings.gpu("background");
      use(hiddenProgram_, plan);
      scene.depth->bind(0);
      fillRadii_.bind(1);
      behind.colour->bind(2);
      behind.depth->bind(3);
      bindImage(0, hidden_.light);
      bindImage(1, hidden_.depth);
      bindImage(2, hiddenSums_);
      hiddenProgram_.dispatch(hiddenSums_.size());
      drawPyramid(farProgram_, 1, 1, hiddenSums_);
    }
    return hidden_.scatterOn(scene, plan.scatter, timings);
  }

  std::array<Table, glsl::kMiddleLayers> scatterMiddle(const LayeredPlan& plan, const SceneFrame& scene,
                                                       Timings& timings) {
    std::array<Table, glsl::kMiddleLayers> tables;
    for (size_t i = 0; plan.anyMiddle && i < middle_.size(); ++i)
      tables[i] = middle_[i].scatterOn(scene, plan.middleScatter[i], timings);
    return tables;
  }

  // Draws the background (the scene without its near field) and the weighted image for the far table.
  void drawBackground(const LayeredPlan& plan, const SceneFrame& scene, const SceneFrame& behind,
                      bool anyBlended, Timings& timings) {
    const auto scope = timings.gpu("background");
    use(farProgram_, plan);
    setMiddle(farProgram_, plan);
    scene.depth->bind(0);
    drawPyramid(farProgram_, 0, 1, farRadii_);
    useOnScene(background_, plan, scene);
    background_.set("farScale", plan.farScale);
    background_.set("ceiling_", plan.farCeiling);
    background_.set("fillLevels", plan.anyNear ? glsl::kFillLevels : 0);
    background_.set("secondLayer", static_cast<int>(plan.secondLayer));
    background_.set("anyHidden", static_cast<int>(plan.anyHidden));
    setMiddle(background_, plan);
    background_.set("anyMiddle", static_cast<int>(plan.anyMiddle));
    for (GLuint i = 0; plan.anyMiddle && i < middle_.size(); ++i) {
      bindImage(4 + i, middle_[i].light);
      bindImage(6 + i, middle_[i].depth);
    }
    fillBehind_.bind(2);
    fillRadii_.bind(3);
    if (plan.secondLayer) {
      behind.colour->bind(4);
      behind.depth->bind(5);
    }
    background_.set("anyBlended", static_cast<int>(anyBlended));
    if (anyBlended) {
      blended_[0].layer.colour->bind(6);
      blended_[0].layer.depth->bind(7);
      bindImage(3, pane_);
    }
    farRadii_.bind(8);
    bindImage(0, backgroundColour_);
    bindImage(1, backgroundRadius_);
    bindImage(2, farImage_);
    background_.dispatch(size_);
  }

  // Gathers the far field from its table and blends the other layers over it.
  void compose(const LayeredPlan& plan, const Table& near, const Table& foremost,
               const std::array<Table, glsl::kMiddleLayers>& middle, const Table& hidden, const Table& far,
               bool anyBlended, LensImage image, const gl::Target& output, Timings& timings) {
    const auto scope = timings.gpu("lens");
    use(compose_, plan);
    compose_.set("farUnit", plan.farCeiling);
    compose_.set("transposed", static_cast<int>(far.transposed));
    compose_.set("farScale", plan.farScale);
    compose_.set("show", shownLayer(image));
    compose_.set("anyNear", static_cast<int>(plan.anyNear));
    compose_.set("anyForemost", static_cast<int>(plan.anyForemost));
    compose_.set("anyMiddle", static_cast<int>(plan.anyMiddle));
    bindTexture(0, near);
    bindTexture(1, far);
    bindTexture(11, foremost);
    for (GLuint i = 0; i < middle.size(); ++i) bindTexture(12 + i, middle[i]);
    compose_.set("anyHidden", static_cast<int>(plan.anyHidden));
    if (plan.anyHidden) {
      bindTexture(14, hidden);
      hiddenSums_.bind(15);
    }
    backgroundColour_.bind(2);
    backgroundRadius_.bind(3);
    fillRadii_.bind(4);
    compose_.set("nearPx", plan.nearPx);
    for (const auto& [name, row] :
         {std::pair("discs.rows[0]", 0), {"discs.rows[1]", 1}, {"discs.rows[2]", 2}})
      compose_.set(name, plan.focus.rows[row]);
    compose_.set("discs.areas", plan.focus.areas);
    compose_.set("anyBlended", static_cast<int>(anyBlended));
    for (GLuint unit = 5; const Blended& side : blended_) {
      if (!anyBlended) break;
      bindTexture(unit++, side.table);
      side.layer.colour->bind(unit++);
      side.layer.depth->bind(unit++);
    }
    bindImage(0, output.texture);
    compose_.dispatch(size_);
  }

  static void use(const gl::Program& program, const LayeredPlan& plan) {
    program.use();
    setThinLens(program, plan.lens);
    program.set("steps", plan.scatter.steps);
  }
  static void setMiddle(const gl::Program& program, const LayeredPlan& plan) {
    program.set("middle.second", plan.middle.second);
    program.set("middle.far", plan.middle.far);
  }
  static void useOnScene(const gl::Program& program, const LayeredPlan& plan, const SceneFrame& scene) {
    use(program, plan);
    scene.colour->bind(0);
    scene.depth->bind(1);
  }
  static void bindTexture(GLuint unit, const Table& table) {
    glBindTextureUnit(unit, table.texture == nullptr ? 0 : table.texture->name());
  }
  static void bindImage(GLuint unit, const gl::Texture& texture, int level = 0) {
    glBindImageTexture(unit, texture.name(), level, GL_FALSE, 0, GL_WRITE_ONLY, texture.format());
  }

  gl::Program fillProgram_, background_, farProgram_, hiddenProgram_, compose_;
  gl::Texture farImage_;  // outlives the builder, which may share it with CUDA
  std::function<std::unique_ptr<TableBuilder>()> makeTables_;
  std::unique_ptr<TableBuilder> far_;
  std::function<std::unique_ptr<NearScatter>()> makeScatter_;
  std::unique_ptr<NearScatter> scatter_;
  std::unique_ptr<NearScatter> foremost_;  // null until an image has a foremost layer
  std::array<Blended, 2> blended_;         // behind, in front of the focus plane
  std::array<Layer, glsl::kMiddleLayers> middle_;
  Layer hidden_;  // the hidden near field
  glm::ivec2 size_{0};
  gl::Texture fillBehind_, fillRadii_, farRadii_, hiddenSums_;  // pyramids; level 0 has half the resolution
  gl::Texture backgroundColour_, backgroundRadius_;
  gl::Texture pane_;  // the rest of the blended surfaces behind the focus plane
};

}  // namespace

std::unique_ptr<Lens> makeLayeredLens(const Technique& technique) {
  TableSpec integers = technique.table;
  integers.format = TableFormat::uint32;
  return std::make_unique<Layered>(availableDevice(technique.device), integers);
}

}  // namespace satdof
