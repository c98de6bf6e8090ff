#include "app/scene/model/model_scene.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <span>
#include <tuple>
#include <utility>

#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/scene/geometry_scene.h"
#include "app/scene/model/camera_shot.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/framing.h"
#include "app/scene/model/ground.h"
#include "app/scene/model/lamps.h"
#include "app/scene/model/library.h"
#include "app/scene/model/ray.h"

namespace satdof {

namespace {

constexpr GLuint kLampBinding = 3, kLayerBinding = 4, kJointBinding = 3, kMorphBinding = 5;

// The block `Layer` of shaders/scene/output.glsl.
struct alignas(16) LayerRule {
  FocusSurface surface;
  glm::vec2 part;
};

// A morph target whose weight is not 0: `MorphTarget` in shaders/scene/model/model.vert.
struct ActiveTarget {
  std::uint32_t first;
  float weight;
};

// A draw call: a primitive at a node.
struct Draw {
  const Primitive* primitive = nullptr;
  int node = 0, firstJoint = -1;
  int firstTarget = 0, targets = 0;  // in the list of active targets
  AlphaMode mode = AlphaMode::opaque;
  GLenum back = GL_BACK;  // the face of OpenGL that is the back of the surface; 0: differs by joint
  bool doubleSided = false;
  Bounds bounds;  // in the world, in the current pose
};

// Whether a transform reverses the winding order.
bool mirrors(const glm::mat4& transform) { return glm::determinant(glm::mat3(transform)) < 0.0f; }

// Draw::back of a skinned primitive.
GLenum backOf(const Primitive& primitive, std::span<const glm::mat4> joints) {
  const auto mirrored = static_cast<std::size_t>(std::ranges::count_if(
      primitive.joints, [&](const JointBounds& by) { return by.joint < joints.size() && mirrors(joints[by.joint]); }));
  return mirrored == 0 ? GL_BACK : mirrored == primitive.joints.size() ? GL_FRONT : 0;
}

// What a pose depends on.
struct PoseKey {
  int contents = -1;  // Library::contents()
  double timeS = 0.0;
  int clip = 0;
  float scale = 0.0f;  // ModelSettings::scale
  bool operator==(const PoseKey&) const = default;
};

class ModelScene final : public GeometryScene {
 public:
  ModelScene() : lampBlock_(sizeof(LampBlock), nullptr, GL_DYNAMIC_STORAGE_BIT) {}

  std::optional<Framing> framing(const SceneView& view) override {
    library_.request(view.scene.model, !view.live);
    if (!view.scene.frame || !library_.hasModel() || library_.light().loading()) return std::nullopt;
    updatePose(view);
    const ModelSettings& settings = view.scene.model;
    Framing framing = frameModel(settings, view.camera, library_.model()->model(), pose_);
    framing.exposureStops = exposureStops(settings, framing.camera);
    return framing;
  }
  float nearestM(const SceneView& view, glm::ivec2 size) override {
    library_.request(view.scene.model, !view.live);
    updatePose(view);
    const Pinhole pinhole = makePinhole(view.camera, size, kNearM, {});
    float nearestM = std::numeric_limits<float>::infinity();
    for (const Draw& draw : draws_) nearestM = nearest(nearestM, draw.bounds, pinhole);
    if (view.scene.model.ground) {
      castShadow(view.scene.model);
      if (hasGround()) nearestM = nearest(nearestM, ground_->bounds(), pinhole);
    }
    return std::max(nearestM, kNearM);
  }
  TrackedPoint surfaceAt(const SceneView& view, const glm::vec3& point) override {
    updatePose(view);
    if (library_.model() == nullptr) return {0, point};
    const glm::vec3 eye = cameraFrame(view.camera).eye;
    const auto hit = firstHit(library_.model()->model(), pose_, {eye, glm::normalize(point - eye)});
    return hit ? hit->point : TrackedPoint{0, point};
  }
  std::optional<glm::vec3> positionOf(const SceneView& view, const TrackedPoint& point) override {
    if (point.object == 0) return point.at;
    updatePose(view);
    if (library_.model() == nullptr) return std::nullopt;
    return satdof::positionOf(library_.model()->model(), pose_, point);
  }
  std::string message() const override { return library_.message(); }
  std::optional<LoadStatus> loading() const override { return live_ ? library_.loading() : std::nullopt; }
  void cancelLoading() override { library_.cancel(); }
  int contents() const override { return library_.contents(); }
  SceneReport report(const SceneSettings& scene) const override {
    SceneReport report;
    const int clip = scene.model.clip;
    const std::size_t clips = library_.model() == nullptr ? 0 : library_.model()->model().clips.size();
    if (clip <= 0 || static_cast<std::size_t>(clip) > clips)
      report.whyStill = clips == 0 ? "the model has no animation" : "no clip of the model is chosen";
    report.cameraShot = cameraShot_;
    report.notes = library_.notes();
    if (cameraShot_)
      report.notes.push_back(
          "the clip moves the camera of the file: --shot with the file plays it, and so does Shots in the "
          "timeline (F6)");
    if (live_ && library_.model() != nullptr) report.readings = describe();
    return report;
  }

 private:
  void prepare(const SceneView& view, const GeometryPass& pass, Timings& /*timings*/) override {
    heightPx_ = pass.size.y;
    live_ = view.live;
    library_.request(view.scene.model, !view.live);
    updatePose(view);
    if (view.scene.model.ground) castShadow(view.scene.model);
  }

  // Draws the shadow maps of the ground, if the pose or the environment has changed.
  void castShadow(const ModelSettings& settings) {
    const std::tuple key(poseKey_, toEnvironment(settings));
    if (!hasGround() || (ground_ && shadowKey_ == key)) return;
    shadowKey_ = key;
    if (!ground_) ground_ = std::make_unique<Ground>();
    ground_->place(drawnBounds(), groundLight(library_.light().environment()->irradiance, toEnvironment(settings)),
                   lamps_);
    bindPose();
    library_.model()->bindGeometry();
    for (int shadow = 0; shadow < ground_->shadows(); ++shadow) {
      const gl::Program& program = ground_->beginCasters(shadow);
      for (const Draw& draw : draws_) {
        library_.model()->bindMaterial(draw.primitive->material);
        program.set("alphaMode", static_cast<int>(draw.mode));
        submit(program, draw);
      }
      ground_->endCasters(shadow);
    }
    GpuModel::unbindMaterials();
  }

  bool hasGround() const { return !draws_.empty() && library_.light().ready(); }

  Bounds drawnBounds() const {
    Bounds all;
    for (const Draw& draw : draws_) all.add(draw.bounds);
    return all;
  }

  // Computes pose, draws and lamps at the time of the view.
  void updatePose(const SceneView& view) {
    if (library_.model() == nullptr) return draws_.clear();
    const ModelSettings& settings = view.scene.model;
    const PoseKey key{library_.contents(), view.timeS, settings.clip, settings.scale};
    const PoseKey last = std::exchange(poseKey_, key);
    if (last == key) return;
    const ModelData& model = library_.model()->model();
    if (last.contents != key.contents || last.scale != key.scale) scale_ = modelScale(settings, model);
    const std::tuple shotKey(library_.contents(), settings.camera, settings.clip, scale_);
    if (std::exchange(cameraShotKey_, shotKey) != shotKey) {
      Shot shot = satdof::cameraShot(model, settings, scale_);
      cameraShot_ = shot.camera.empty() ? nullptr : std::make_shared<const Shot>(std::move(shot));
    }
    pose_ = pose(model, settings.clip - 1, view.timeS);
    for (glm::mat4& world : pose_.world) world = glm::scale(glm::mat4(1.0f), glm::vec3(scale_)) * world;
    listDraws(model);
    lamps_ = lampBlock(model, pose_.world, scale_);
  }

  // The automatic exposure. 0 for the built-in model, which is lit for it.
  float exposureStops(const ModelSettings& settings, const CameraSettings& camera) const {
    const Environment* const light = library_.light().environment();
    if (light == nullptr || settings.file.none()) return 0.0f;
    std::vector<glm::vec3> points;
    for (const Draw& draw : draws_)
      if (!entry(library_.model()->model().materials, draw.primitive->material).unlit)
        points.push_back(draw.bounds.centre());
    return autoExposureStops(light->irradiance, lamps_, points, settings, camera);
  }

  // Lists the draws, joints and active morph targets of the pose, and uploads joints and targets.
  void listDraws(const ModelData& model) {
    draws_.clear();
    joints_.clear();
    activeTargets_.clear();
    std::size_t allTargets = 0;
    for (std::size_t node = 0; node < model.nodes.size(); ++node) {
      const ModelNode& at = model.nodes[node];
      if (at.mesh < 0) continue;
      const int firstJoint = at.skin < 0 ? -1 : static_cast<int>(joints_.size());
      addJoints(joints_, model, at, pose_.world);
      const ModelMesh& mesh = entry(model.meshes, at.mesh);
      const auto weights = std::span(pose_.weights).subspan(at.firstWeight, mesh.targets);
      for (const Primitive& primitive : mesh.primitives) {
        const ModelMaterial& material = entry(model.materials, primitive.material);
        Draw draw{.primitive = &primitive,
                  .node = static_cast<int>(node),
                  .mode = material.alphaMode,
                  .doubleSided = material.doubleSided,
                  .bounds = {}};
        draw.firstTarget = static_cast<int>(activeTargets_.size());
        for (std::size_t i = 0; i < primitive.targets.size(); ++i)
          if (weights[i] != 0.0f) activeTargets_.push_back({primitive.targets[i].first, weights[i]});
        draw.targets = static_cast<int>(activeTargets_.size()) - draw.firstTarget;
        allTargets += primitive.targets.size();
        if (primitive.skinned && firstJoint >= 0) {
          draw.firstJoint = firstJoint;
          const auto joints = std::span(joints_).subspan(static_cast<std::size_t>(firstJoint));
          draw.back = backOf(primitive, joints);
          draw.bounds = primitive.skinnedBy(joints, weights);
        } else {
          draw.back = mirrors(pose_.world[node]) ? GL_FRONT : GL_BACK;
          draw.bounds = primitive.morphed(weights).transformed(pose_.world[node]);
        }
        draws_.push_back(draw);
      }
    }
    std::ranges::stable_sort(draws_, {}, [](const Draw& d) { return std::pair(d.mode, d.primitive->material); });
    hasBlended_ = !draws_.empty() && draws_.back().mode == AlphaMode::blend;
    uploadJoints();
    uploadTargets(allTargets);
  }

  // Joint indices are 16 bits: an index beyond the skin reads zeros.
  void uploadJoints() {
    if (joints_.empty()) return;
    const auto bytes = static_cast<GLsizeiptr>((joints_.size() + 65536) * sizeof(glm::mat4));
    if (jointBuffer_.bytes() < bytes) {
      const float zero = 0.0f;
      jointBuffer_ = gl::Buffer(bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
      glClearNamedBufferData(jointBuffer_.name(), GL_R32F, GL_RED, GL_FLOAT, &zero);
    }
    glNamedBufferSubData(jointBuffer_.name(), 0, static_cast<GLsizeiptr>(joints_.size() * sizeof(glm::mat4)),
                         joints_.data());
  }

  // `capacity`: number of targets that may be active in another pose.
  void uploadTargets(std::size_t capacity) {
    const auto bytes = static_cast<GLsizeiptr>(capacity * sizeof(ActiveTarget));
    if (targetBuffer_.bytes() < bytes) targetBuffer_ = gl::Buffer(bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
    if (!activeTargets_.empty())
      glNamedBufferSubData(targetBuffer_.name(), 0,
                           static_cast<GLsizeiptr>(activeTargets_.size() * sizeof(ActiveTarget)),
                           activeTargets_.data());
  }

  void bindPose() const {
    if (targetBuffer_) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kMorphBinding, targetBuffer_.name());
    if (jointBuffer_) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kJointBinding, jointBuffer_.name());
  }

  void bindLight(const ModelSettings& settings) const {
    library_.light().bind(settings);
    glNamedBufferSubData(lampBlock_.name(), 0, sizeof lamps_, &lamps_);
    glBindBufferBase(GL_UNIFORM_BUFFER, kLampBinding, lampBlock_.name());
  }

  float drawGeometry(const SceneView& view, const GeometryPass& pass) override {
    bindLight(view.scene.model);
    bindPose();
    float nearestM = std::numeric_limits<float>::infinity();
    if (draws_.empty()) return nearestM;
    library_.model()->bindGeometry();
    const GeometryProgram* current = nullptr;
    const gl::Program* program = nullptr;
    int material = -1;
    for (const Draw& draw : draws_) {
      if (draw.mode == AlphaMode::blend) break;  // sorted
      if (!mayShow(draw, pass.pinhole)) continue;
      nearestM = nearest(nearestM, draw.bounds, pass.pinhole);
      const GeometryProgram& wanted = draw.mode == AlphaMode::mask ? mask_ : opaque_;
      if (current != &wanted) {
        current = &wanted;
        program = &wanted.use(pass);
        const bool coverage = draw.mode == AlphaMode::mask && pass.samples > 1;
        enableCoverage(coverage);
        if (draw.mode == AlphaMode::mask) program->set("oneSample", static_cast<int>(!coverage));
      }
      if (material != draw.primitive->material) library_.model()->bindMaterial(material = draw.primitive->material);
      cull(draw.doubleSided ? 0 : draw.back);
      submit(*program, draw);
    }
    enableCoverage(false);
    finishDraws();
    if (view.scene.model.ground && hasGround()) {
      nearestM = nearest(nearestM, ground_->bounds(), pass.pinhole);
      ground_->draw(pass, library_.light().bindSky(pass.pinhole, heightPx_));
    }
    return nearestM;
  }

  bool hasBlended() const override { return hasBlended_; }

  // Draws farthest first, by the centres of the bounds; the back faces of double-sided surfaces before their front
  // faces.
  float drawBlended(const SceneView& view, const GeometryPass& pass, const BlendedPart* part) override {
    bindLight(view.scene.model);
    bindPose();
    order_.clear();
    float nearestM = std::numeric_limits<float>::infinity();
    for (const Draw& draw : draws_) {
      if (draw.mode != AlphaMode::blend) continue;
      if (!mayShow(draw, pass.pinhole)) continue;
      order_.emplace_back(pass.pinhole.distanceM(draw.bounds.centre()), &draw);
      nearestM = nearest(nearestM, draw.bounds, pass.pinhole);
    }
    if (order_.empty()) return nearestM;
    std::ranges::sort(order_, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second > b.second;
    });
    library_.model()->bindGeometry();
    const gl::Program& program = (part == nullptr ? blend_ : layer_).use(pass);
    if (part != nullptr)
      layerRule_.bind(kLayerBinding, LayerRule{part->focus.surface, {part->side, part->focus.depth}});
    for (const auto& [distance, draw] : order_) {
      library_.model()->bindMaterial(draw->primitive->material);
      if (draw->doubleSided && draw->back != 0) {
        cull(draw->back == GL_BACK ? GL_FRONT : GL_BACK);
        submit(program, *draw);
      }
      cull(draw->back);
      submit(program, *draw);
    }
    finishDraws();
    return nearestM;
  }

  void drawBackground(const Pinhole& pinhole, bool peels) override {
    glBindVertexArray(emptyArray_.name());
    library_.light().drawSky(pinhole, heightPx_, peels);
  }

  static bool mayShow(const Draw& draw, const Pinhole& pinhole) {
    return pinhole.mayShow(draw.bounds.centre(), draw.bounds.radius());
  }

  // The smaller of `nearestM` and the distance of the box. Skips the exact distance if the bounding sphere is farther.
  static float nearest(float nearestM, const Bounds& bounds, const Pinhole& pinhole) {
    if (bounds.empty() || pinhole.distanceM(bounds.centre()) - bounds.radius() >= nearestM) return nearestM;
    return std::min(nearestM, pinhole.nearestInBoxM(bounds.low, bounds.high));
  }

  static void enableCoverage(bool on) {
    (on ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_COVERAGE);
    (on ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_ONE);
  }

  // `hidden`: the culled face, GL_FRONT or GL_BACK; 0: none.
  static void cull(GLenum hidden) {
    if (hidden == 0) {
      glDisable(GL_CULL_FACE);
    } else {
      glEnable(GL_CULL_FACE);
      glCullFace(hidden);
    }
  }

  void submit(const gl::Program& program, const Draw& draw) const {
    const glm::mat4& world = entry(pose_.world, draw.node);
    program.set("toWorld", world);
    // Normals transform by the cofactor matrix, which exists for singular matrices, too. A mirroring matrix reverses
    // normals together with the winding order.
    const glm::mat3 m(world);
    program.set("normalToWorld", glm::mat3(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1])));
    program.set("firstJoint", draw.firstJoint);
    const Primitive& primitive = *draw.primitive;
    program.set("morph", glm::ivec2(draw.firstTarget, draw.targets));
    program.set("firstVertex", static_cast<int>(primitive.firstVertex));
    glDrawElementsBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(primitive.indices), GL_UNSIGNED_INT,
                             reinterpret_cast<const void*>(std::size_t{primitive.firstIndex} * 4),
                             static_cast<GLint>(primitive.firstVertex));
  }

  static void finishDraws() {
    GpuModel::unbindMaterials();
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
  }

  std::vector<SceneReading> describe() const {
    const ModelData& model = library_.model()->model();
    return {{"Model",
             countText(model.triangles(), "triangle") + ", " + countText(model.materials.size(), "material") + ", " +
                 countText(model.nodes.size(), "node"),
             "Contents of the file"},
            {"Textures",
             countText(model.images.size(), "image") +
                 formatted(", %.0f MB", static_cast<double>(library_.model()->textureBytes()) / 1e6),
             "With mipmaps, in the memory of the GPU"},
            {"Clips",
             countText(model.clips.size(), "clip") + ", " + countText(model.cameras.size(), "camera") + ", " +
                 countText(model.lights.size(), "light"),
             "Clip 0 and camera 0 mean none. Only the first 16 lights shine"},
            {"Unit", formatted("%g m", static_cast<double>(scale_)), "Metres of a unit of the file"}};
  }

  Library library_;
  bool live_ = false, hasBlended_ = false;
  int heightPx_ = 1;
  float scale_ = 1.0f;  // modelScale()
  PoseKey poseKey_;     // of pose_, joints_, activeTargets_, draws_ and lamps_
  ModelPose pose_;      // in metres
  std::vector<glm::mat4> joints_;
  std::vector<ActiveTarget> activeTargets_;
  std::vector<Draw> draws_;                           // by alpha mode, then by material
  std::vector<std::pair<float, const Draw*>> order_;  // blended draws by distance
  LampBlock lamps_{};
  std::shared_ptr<const Shot> cameraShot_;
  std::tuple<int, int, int, float> cameraShotKey_{-1, 0, 0, 0.0f};
  std::unique_ptr<Ground> ground_;
  std::tuple<PoseKey, glm::mat3> shadowKey_;
  gl::Buffer lampBlock_, jointBuffer_, targetBuffer_;
  gl::VertexArrayObject emptyArray_ = gl::makeVertexArray();
  GeometryProgram opaque_{{"scene/model/model.vert", "scene/model/model.frag"}};
  GeometryProgram mask_{{"scene/model/model.vert", "scene/model/model.frag"}, {{"MASK", "1"}}};
  GeometryProgram blend_{{"scene/model/model.vert", "scene/model/model.frag"}, {{"BLEND", "1"}}};
  gl::ParameterBlock layerRule_{sizeof(LayerRule)};
  GeometryProgram layer_{{"scene/model/model.vert", "scene/model/model.frag"}, {{"BLEND", "1"}, {"LAYER", "1"}}};
};

}  // namespace

std::unique_ptr<Scene> makeModelScene() { return std::make_unique<ModelScene>(); }

void requestModelFraming(SceneSettings& scene) { scene.frame = true; }

bool sameModelFraming(const SceneSettings& a, const SceneSettings& b) {
  return a.model.file == b.model.file && a.model.camera == b.model.camera && a.model.scale == b.model.scale;
}

bool sameModelLight(const SceneSettings& a, const SceneSettings& b) {
  return a.model.environment == b.model.environment;
}

}  // namespace satdof
