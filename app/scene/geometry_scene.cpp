#include "app/scene/geometry_scene.h"

#include <algorithm>
#include <glm/vec4.hpp>
#include <limits>

namespace satdof {

namespace {

// The block `Camera` of shaders/scene/camera.glsl (std140).
struct CameraBlock {
  glm::mat4 worldToClip;
  glm::vec4 eye;
};
constexpr GLuint kCameraBinding = 0;

// The projection of a view with `scale`, ViewOffset::nearScale or farScale, applied to its point of the aperture.
Pinhole pinholeOf(const SceneView& view, glm::ivec2 size, float scale) {
  ViewOffset offset = view.offset;
  offset.apertureM *= scale;
  return makePinhole(view.camera, size, kNearM, offset, view.part);
}

// Makes blended surfaces black in the colour, for the background `matte`.
void blendBlack() { glBlendFuncSeparatei(0, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA); }

}  // namespace

std::vector<GeometryPass> geometryPasses(const SceneView& view, const Targets& targets) {
  using Keep = GeometryPass::Keep;
  const glm::ivec2 size = targets.size();
  const ViewOffset& offset = view.offset;
  const Pinhole far = pinholeOf(view, size, offset.farScale);
  std::vector<GeometryPass> passes;
  if (offset.nearScale == offset.farScale) {
    passes.push_back({far, size, view.behind != nullptr ? Keep::behind : Keep::all});
  } else {
    const Pinhole near = pinholeOf(view, size, offset.nearScale);
    passes.push_back({far, size, Keep::side, far.behindFocus(offset), 0});
    passes.push_back({near, size, Keep::side, -near.behindFocus(offset), 1});
  }
  const bool fine = offeredSamples(view.scene.samples) > 1 || offset.pixel != glm::vec2(0.0f);
  for (GeometryPass& pass : passes) {
    pass.samples = targets.samples();
    pass.fine = fine;
  }
  return passes;
}

GeometryProgram::GeometryProgram(const std::vector<std::string>& files, const gl::Defines& defines) {
  constexpr std::array<const char*, 3> kVariants = {nullptr, "PEEL", "SIDE"};  // by GeometryPass::Keep
  for (std::size_t i = 0; i < kVariants.size(); ++i) {
    gl::Defines all = defines;
    if (kVariants[i] != nullptr) all.emplace_back(kVariants[i], "1");
    variants_[i] = gl::Program(files, all);
  }
}

const gl::Program& GeometryProgram::use(const GeometryPass& pass) const {
  const gl::Program& program = variants_[static_cast<std::size_t>(pass.keep)];
  if (pass.keep == GeometryPass::Keep::side) program.set("side", pass.side);
  program.use();
  return program;
}

BlendedDraws::BlendedDraws(GLenum source, GLenum destination) {
  glDepthMask(GL_FALSE);
  glColorMaski(1, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(source, destination);
}

BlendedDraws::~BlendedDraws() {
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glColorMaski(1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

GeometryScene::GeometryScene() : cameraBlock_(sizeof(CameraBlock), nullptr, GL_DYNAMIC_STORAGE_BIT) {}

void GeometryScene::useCamera(const GeometryPass& pass) const {
  const CameraBlock block{pass.pinhole.worldToClip(), glm::vec4(pass.pinhole.frame.eye, 1.0f)};
  glNamedBufferSubData(cameraBlock_.name(), 0, sizeof block, &block);
  glBindBufferBase(GL_UNIFORM_BUFFER, kCameraBinding, cameraBlock_.name());
}

void GeometryScene::drawPlainSky(const Pinhole& pinhole, bool peels, float light) const {
  glBindVertexArray(skyArray_.name());
  plainSky_.program().set("light", light);
  plainSky_.program().set("emptyBelow", emptyBelow());
  plainSky_.draw(pinhole, peels);
}

BlendedLayer GeometryScene::blended(const SceneView& view, Targets& targets, bool front, const FocusDepth& focus,
                                    Timings& timings) {
  const auto stage = timings.gpu("scene");
  GeometryPass pass{makePinhole(view.camera, targets.size(), kNearM, {}, view.part), targets.size()};
  pass.samples = targets.samples();
  useCamera(pass);
  targets.beginLayer(front);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  if (view.scene.background == Background::matte) blendBlack();
  const BlendedPart part{front ? 1.0f : -1.0f, focus};
  drawBlended(view, pass, &part);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  return targets.finishLayer(front);
}

SceneFrame GeometryScene::draw(const SceneView& view, Targets& targets, Timings& timings) {
  const std::vector<GeometryPass> passes = geometryPasses(view, targets);
  const Pinhole& pinhole = passes[0].pinhole;
  const bool sides = passes.size() > 1;
  for (const GeometryPass& pass : passes) prepare(view, pass, timings);

  const auto stage = timings.gpu("scene");
  if (view.behind != nullptr) view.behind->bind(kBehindUnit);
  const Background background = view.scene.background;
  const bool matte = background == Background::matte;
  targets.begin();
  if (matte) {
    const std::array<float, 4> black = {0.0f, 0.0f, 0.0f, 1.0f};
    glClearBufferfv(GL_COLOR, 0, black.data());
    glColorMaski(0, GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  }
  if (sides) glEnable(GL_CLIP_DISTANCE0);
  float nearestM = std::numeric_limits<float>::infinity();
  for (const GeometryPass& pass : passes) {
    useCamera(pass);
    nearestM = std::min(nearestM, drawGeometry(view, pass));
  }
  if (sides) glDisable(GL_CLIP_DISTANCE0);
  glDepthFunc(GL_GEQUAL);
  if (matte) glColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (background == Background::scene)
    drawBackground(pinhole, view.behind != nullptr);
  else
    drawPlainSky(pinhole, view.behind != nullptr, matte ? 1.0f : 0.0f);
  if (!hasBlended() || view.behind != nullptr) return targets.finish(pinhole, nearestM);

  // A view from the centre of the aperture keeps the image without the blended surfaces, for blended().
  const bool keeps = view.offset.apertureM == glm::vec2(0.0f);
  if (keeps) {
    targets.finish(pinhole, nearestM);
    targets.keepOpaque();
    targets.resume();
  }
  glDepthFunc(GL_GREATER);
  if (sides) glEnable(GL_CLIP_DISTANCE0);
  {
    const BlendedDraws over(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    if (matte) blendBlack();
    for (const GeometryPass& pass : passes) {
      useCamera(pass);
      nearestM = std::min(nearestM, drawBlended(view, pass, nullptr));
    }
  }
  if (sides) glDisable(GL_CLIP_DISTANCE0);
  SceneFrame frame = targets.finish(pinhole, nearestM);
  if (keeps) frame.opaque = targets.opaque();
  return frame;
}

}  // namespace satdof
