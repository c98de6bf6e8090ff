#include "app/scene/model/gltf/nodes.h"

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <optional>
#include <string>

#include "app/scene/model/entry.h"

namespace satdof::gltf {

namespace {

// An order of the nodes of a file.
struct Order {
  std::vector<int> files;     // index in the file, by position in the order
  std::vector<int> parents;   // position of the parent
  std::vector<bool> drawn;    // whether the node belongs to the drawn scene
  std::vector<int> newIndex;  // position, by index in the file
};

// Orders the nodes with parents first: the scene from its roots, then all other nodes, which are not drawn. A root of
// the scene loses its parent. If the scene has no meshes, all nodes are drawn. O(nodes).
Order parentsFirst(const Item& root, const std::vector<Item>& nodes, const ModelLimits& limits) {
  const auto scenes = root.list("scenes", limits.items);
  Order order;
  order.newIndex.assign(nodes.size(), -1);
  std::size_t sceneNodes = 0;  // nodes of the scene, once all of them are visited
  const auto visit = [&](int start, bool drawn) {
    if (entry(order.newIndex, start) >= 0) return;
    const std::size_t first = order.files.size();
    const auto append = [&](int node, int parent) {
      entry(order.newIndex, node) = static_cast<int>(order.files.size());
      order.files.push_back(node);
      order.parents.push_back(parent);
      order.drawn.push_back(drawn);
    };
    append(start, -1);
    for (std::size_t at = first; at < order.files.size(); ++at) {
      const Item& item = entry(nodes, order.files[at]);
      for (const int child : item.indices("children", nodes.size())) {
        if (const int known = entry(order.newIndex, child); known >= 0) {
          const auto placed = static_cast<std::size_t>(known);
          const bool otherRoot = order.parents[placed] < 0 && placed != first;
          if (placed < sceneNodes || otherRoot) continue;
          fail(item.where(), "the child " + std::to_string(child) + " has two parents or is its own ancestor");
        }
        append(child, static_cast<int>(at));
      }
    }
  };
  int scene = scenes.empty() ? -1 : std::max(root.index("scene", scenes.size()), 0);
  if (scene >= 0) {
    for (const int start : entry(scenes, scene).indices("nodes", nodes.size())) visit(start, true);
    sceneNodes = order.files.size();
    const auto hasMesh = [&](int node) { return entry(nodes, node).has("mesh"); };
    if (std::ranges::none_of(order.files, hasMesh)) {
      scene = -1;
      order.drawn.assign(order.files.size(), true);
    }
  }
  std::vector<bool> child(nodes.size());
  for (const Item& node : nodes)
    for (const int index : node.indices("children", nodes.size())) entry(child, index) = true;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (order.newIndex[i] < 0 && !child[i]) visit(static_cast<int>(i), scene < 0);
  if (order.files.size() != nodes.size()) fail("nodes", "some nodes are their own ancestors");
  return order;
}

void addCamera(const Item& item, int node, ModelData& model) {
  const auto perspective = item.object("perspective");
  if (!perspective) return addNote(model.notes, "orthographic cameras are left out");
  const auto extras =
      item.find("extras") != nullptr && item.find("extras")->is_object() ? item.object("extras") : std::nullopt;
  model.cameras.push_back({item.text("name").empty() ? entry(model.nodes, node).name : item.text("name"), node,
                           perspective->numberWithin("yfov", 0.8f, 0.02f, 2.5f),
                           extras ? extras->numberWithin("focusDistance", 0.0f, 0.0f, 1e4f) : 0.0f});
}

void addLight(const Item& item, int node, ModelData& model) {
  ModelLight light;
  const std::string type = item.text("type");
  light.kind = type == "directional" ? LightKind::directional : type == "spot" ? LightKind::spot : LightKind::point;
  light.node = node;
  if (const auto colour = item.numbers<3>("color")) light.colour = glm::max(vec(*colour), 0.0f);
  light.colour *= item.numberWithin("intensity", 1.0f, 0.0f, 1e6f);
  light.rangeM = item.numberWithin("range", 0.0f, 0.0f, 1e9f);
  if (const auto spot = item.object("spot")) {
    light.innerCone = spot->numberWithin("innerConeAngle", 0.0f, 0.0f, 1.5707f);
    light.outerCone = spot->numberWithin("outerConeAngle", 0.785398f, light.innerCone + 1e-3f, 1.5708f);
  }
  model.lights.push_back(light);
}

// The unit quaternion of (x, y, z, w).
glm::quat rotationOf(const glm::vec4& v) {
  const glm::quat turn(v.w, v.x, v.y, v.z);
  return glm::dot(turn, turn) > 0.0f ? glm::normalize(turn) : glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
}

void place(const Item& item, ModelNode& node) {
  node.name = item.text("name");
  if (const auto matrix = item.numbers<16, double>("matrix")) node.matrix = glm::make_mat4(matrix->data());
  if (const auto v = item.numbers<3, double>("translation")) node.placement.translation = vec(*v);
  if (const auto v = item.numbers<3>("scale")) node.placement.scale = vec(*v);
  if (const auto v = item.numbers<4>("rotation")) node.placement.rotation = rotationOf(vec(*v));
}

// EXT_mesh_gpu_instancing: adds a child node with the mesh of node `at` for each instance.
void addInstances(const Item& extension, std::size_t at, const Accessors& accessors, const ModelLimits& limits,
                  Nodes& nodes, ModelData& model) {
  const auto attributes = extension.object("attributes");
  if (!attributes) fail(extension.where(), "has no attributes");
  struct Attribute {
    const char* name;
    std::size_t components;
    void (*set)(Placement&, const float*);
  };
  constexpr std::array kAttributes = {
      Attribute{"TRANSLATION", 3, [](Placement& p, const float* v) { p.translation = glm::dvec3(v[0], v[1], v[2]); }},
      Attribute{"ROTATION", 4,
                [](Placement& p, const float* v) {
                  p.rotation = rotationOf({v[0], v[1], v[2], v[3]});
                }},
      Attribute{"SCALE", 3, [](Placement& p, const float* v) {
                  p.scale = {v[0], v[1], v[2]};
                }}};
  std::vector<Placement> placements;
  for (const auto& [name, components, set] : kAttributes) {
    const int index = attributes->index(name, accessors.size());
    if (index < 0) continue;
    const auto values = accessors.floats(index, {components}, limits.nodes - model.nodes.size());
    const std::size_t count = values.size() / components;
    if (placements.empty()) placements.resize(count);
    if (placements.size() != count) fail(attributes->whereOf(name), "has another number of instances than the others");
    for (std::size_t i = 0; i < count; ++i) set(placements[i], &values[i * components]);
  }
  for (const Placement& placement : placements) {
    ModelNode instance;
    instance.parent = static_cast<int>(at);
    instance.placement = placement;
    instance.mesh = model.nodes[at].mesh;
    if (const auto own = nodes.weightsOf.find(at); own != nodes.weightsOf.end())
      nodes.weightsOf[model.nodes.size()] = std::vector<float>(own->second);
    model.nodes.push_back(std::move(instance));
  }
  model.nodes[at].mesh = -1;
}

}  // namespace

Nodes readNodes(const Item& root, const Accessors& accessors, const ModelLimits& limits, ModelData& model) {
  const auto nodes = root.list("nodes", limits.nodes);
  const std::size_t meshCount = root.list("meshes", limits.items).size();
  const std::size_t skinCount = root.list("skins", limits.items).size();
  const auto cameras = root.list("cameras", limits.items);
  std::vector<Item> lightItems;
  if (const auto lights = root.extension("KHR_lights_punctual")) lightItems = lights->list("lights", limits.items);
  Order order = parentsFirst(root, nodes, limits);
  Nodes result{std::move(order.newIndex), {}};
  model.nodes.resize(nodes.size());
  for (std::size_t at = 0; at < order.files.size(); ++at) {
    const Item& item = entry(nodes, order.files[at]);
    ModelNode& node = model.nodes[at];  // valid until addInstances()
    node.parent = order.parents[at];
    place(item, node);
    if (!order.drawn[at]) continue;
    node.mesh = item.index("mesh", meshCount);
    node.skin = item.index("skin", skinCount);
    if (item.has("weights")) result.weightsOf[at] = item.numbers("weights", limits.morphWeights);
    if (const int camera = item.index("camera", cameras.size()); camera >= 0)
      addCamera(entry(cameras, camera), static_cast<int>(at), model);
    if (const auto light = item.extension("KHR_lights_punctual"))
      addLight(entry(lightItems, light->requiredIndex("light", lightItems.size())), static_cast<int>(at), model);
    const auto instances = item.extension("EXT_mesh_gpu_instancing");
    if (instances && node.mesh >= 0 && node.skin < 0) addInstances(*instances, at, accessors, limits, result, model);
  }
  return result;
}

void readSkins(const Item& root, const Nodes& nodes, const Accessors& accessors, const ModelLimits& limits,
               ModelData& model) {
  for (const Item& item : root.list("skins", limits.items)) {
    ModelSkin skin;
    for (const int joint : item.indices("joints", nodes.newIndex.size()))
      skin.joints.push_back(entry(nodes.newIndex, joint));
    if (skin.joints.empty() || skin.joints.size() > limits.joints)
      fail(item.whereOf("joints"), "must be 1 to " + std::to_string(limits.joints));
    skin.inverseBinding.assign(skin.joints.size(), glm::mat4(1.0f));
    if (const int index = item.index("inverseBindMatrices", accessors.size()); index >= 0) {
      const auto values = accessors.floats(index, {16}, limits.joints);
      if (values.size() < 16 * skin.joints.size()) fail(item.where(), "has fewer matrices than joints");
      for (std::size_t i = 0; i < skin.joints.size(); ++i) skin.inverseBinding[i] = glm::make_mat4(&values[16 * i]);
    }
    model.skins.push_back(std::move(skin));
  }
}

}  // namespace satdof::gltf
