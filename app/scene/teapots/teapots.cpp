#include "app/scene/teapots/teapots.h"

#include <algorithm>

#include "app/scene/asset_textures.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/model/environment_light.h"
#include "app/scene/sky.h"
#include "app/scene/teapots/crowd.h"
#include "app/scene/teapots/lamps.h"
#include "app/scene/teapots/layout.h"

namespace satdof {

namespace {

class Teapots final : public GeometryScene {
 public:
  float nearestM(const SceneView& view, glm::ivec2 size) override {
    lamps_.place(view.timeS);
    crowd_.build(view.scene.teapots);
    return std::max(nearest(view.scene.teapots, makePinhole(view.camera, size, kNearM, {})), kNearM);
  }
  TrackedPoint surfaceAt(const SceneView& view, const glm::vec3& point) override {
    const int index = teapotContaining(point, view.scene.teapots.count);
    if (index < 0) return {0, point};
    return {index + 1, worldToTeapot(teapotAt(index), view.timeS, point)};
  }
  std::optional<glm::vec3> positionOf(const SceneView& view, const TrackedPoint& point) override {
    if (point.object > view.scene.teapots.count) return std::nullopt;
    if (point.object == 0) return point.at;
    return teapotToWorld(teapotAt(point.object - 1), view.timeS, point.at);
  }
  std::string message() const override { return usesEnvironment_ ? environment_.message() : std::string(); }
  std::optional<LoadStatus> loading() const override {
    return live_ && usesEnvironment_ ? environment_.loading() : std::nullopt;
  }
  void cancelLoading() override { environment_.cancel(); }
  int contents() const override { return contents_; }
  SceneReport report(const SceneSettings& /*scene*/) const override {
    SceneReport report;
    if (usesEnvironment_) report.notes = environment_.notes();
    report.readings = {{"Teapots drawn", std::to_string(crowd_.listed()) + " of " + std::to_string(crowd_.count()),
                        "Culling leaves out the teapots that the image cannot show"}};
    return report;
  }

 private:
  void prepare(const SceneView& view, const GeometryPass& pass, Timings& timings) override {
    chooseLight(view);
    heightPx_ = pass.size.y;
    const glm::ivec2 whole = view.wholeSize(pass.size);
    const Pinhole main = makePinhole(view.camera, whole, pass.pinhole.nearM, {});
    lamps_.place(view.timeS);
    crowd_.place(view.scene.teapots, pass, main, whole.y, view.timeS, timings);
  }

  float nearest(const TeapotsSettings& settings, const Pinhole& pinhole) const {
    const float nearestM = std::min(pinhole.nearestGroundM(), crowd_.nearestM(pinhole));
    return settings.lamps ? std::min(nearestM, lamps_.nearestM(pinhole)) : nearestM;
  }

  // Requests the environment of the settings. Until it is read, or without one, the evening lights the teapots.
  void chooseLight(const SceneView& view) {
    modelSettings_ = view.scene.model;
    live_ = view.live;
    usesEnvironment_ = !modelSettings_.environment.none();
    if (usesEnvironment_ && environment_.request(modelSettings_, !live_)) ++contents_;
    light_ = usesEnvironment_ && environment_.ready() ? SkyLight::environment : SkyLight::evening;
  }

  float drawGeometry(const SceneView& view, const GeometryPass& pass) override {
    const TeapotsSettings& settings = view.scene.teapots;
    const float nearestM = nearest(settings, pass.pinhole);

    if (light_ == SkyLight::environment) environment_.bind(modelSettings_);
    groundAlbedo_.bind(0);
    crowd_.draw(pass, light_);
    glBindVertexArray(emptyArray_.name());
    if (settings.lamps) lamps_.draw(pass);
    ground_.use(pass, light_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

    crowd_.drawShadows(pass, light_);
    glBindVertexArray(emptyArray_.name());
    if (settings.lamps) lamps_.drawGlows(pass);
    return nearestM;
  }

  void drawBackground(const Pinhole& pinhole, bool peels) override {
    glBindVertexArray(emptyArray_.name());
    if (light_ == SkyLight::environment)
      environment_.drawSky(pinhole, heightPx_, peels);
    else
      sky_.draw(pinhole, peels);
  }

  float emptyBelow() const override { return -0.02f; }

  Crowd crowd_;
  Lamps lamps_;
  LitProgram ground_{{"scene/teapots/ground.vert", "scene/teapots/ground.frag"}};
  gl::Texture groundAlbedo_ = loadTexture("ground.png", GL_SRGB8_ALPHA8);  // on unit 0, also for the glows
  gl::VertexArrayObject emptyArray_ = gl::makeVertexArray();
  Sky sky_;
  EnvironmentLight environment_{true};
  ModelSettings modelSettings_;  // of the view: the teapots share the environment of the models
  SkyLight light_ = SkyLight::evening;
  bool live_ = false, usesEnvironment_ = false;
  int heightPx_ = 1, contents_ = 0;
};

}  // namespace

std::shared_ptr<const void> loadTeapots(const SceneSettings& scene, const SceneSettings& /*shown*/,
                                        LoadProgress& progress) {
  if (scene.model.environment.none()) return nullptr;
  return environments().load(scene.model.environment.text, progress);
}

std::unique_ptr<Scene> makeTeapots() { return std::make_unique<Teapots>(); }

}  // namespace satdof
