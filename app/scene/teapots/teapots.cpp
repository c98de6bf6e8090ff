#include "app/scene/teapots/teapots.h"

#include <algorithm>

#include "app/scene/asset_textures.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/sky.h"
#include "app/scene/teapots/crowd.h"
#include "app/scene/teapots/lamps.h"

namespace satdof {

namespace {

class Teapots final : public GeometryScene {
 public:
  std::vector<SceneReading> readings() const override {
    return {{"Teapots drawn", std::to_string(crowd_.listed()) + " of " + std::to_string(crowd_.count()),
             "Culling leaves out the teapots that the image cannot show"}};
  }

 private:
  void prepare(const SceneView& view, const GeometryPass& pass, Timings& timings) override {
    const Pinhole main = makePinhole(view.camera, pass.size, pass.pinhole.nearM, {});
    lamps_.place(view.timeS);
    crowd_.place(view.scene.teapots, pass, main, view.timeS, timings);
  }

  float drawGeometry(const SceneView& view, const GeometryPass& pass) override {
    const TeapotsSettings& settings = view.scene.teapots;
    float nearestM = std::min(pass.pinhole.nearestGroundM(), crowd_.nearestM(pass.pinhole));
    if (settings.lamps) nearestM = std::min(nearestM, lamps_.nearestM(pass.pinhole));

    groundAlbedo_.bind(0);
    crowd_.draw(pass);
    glBindVertexArray(emptyArray_.name());
    if (settings.lamps) lamps_.draw(pass);
    ground_.use(pass);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

    crowd_.drawShadows(pass);
    glBindVertexArray(emptyArray_.name());
    if (settings.lamps) lamps_.drawGlows(pass);
    return nearestM;
  }

  void drawBackground(const Pinhole& pinhole) override {
    glBindVertexArray(emptyArray_.name());
    sky_.draw(pinhole);
  }

  Crowd crowd_;
  Lamps lamps_;
  GeometryProgram ground_{{"scene/teapots/ground.vert", "scene/teapots/ground.frag"}};
  gl::Texture groundAlbedo_ = loadTexture("ground.png", GL_SRGB8_ALPHA8);  // unit 0, for the glows, too
  gl::VertexArrayObject emptyArray_ = gl::makeVertexArray();
  Sky sky_;
};

}  // namespace

std::unique_ptr<Scene> makeTeapots() { return std::make_unique<Teapots>(); }

}  // namespace satdof
