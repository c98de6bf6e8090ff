#pragma once
#include <array>

#include "app/scene/model/gltf/accessors.h"
#include "app/scene/model/gltf/nodes.h"

namespace satdof::gltf {

// The vertex attributes that are read.
inline constexpr std::array kAttributes = {"POSITION",   "NORMAL",  "TANGENT",  "TEXCOORD_0",
                                           "TEXCOORD_1", "COLOR_0", "JOINTS_0", "WEIGHTS_0"};

// Adds the meshes to the model. Call after readMaterials().
void readMeshes(const Item& root, const Accessors& accessors, const ModelLimits& limits, LoadProgress& progress,
                ModelData& model);

// Sets the morph weights at rest: of the node, else of its mesh, else zeros.
void setMorphWeights(const Item& root, const Nodes& nodes, const ModelLimits& limits, ModelData& model);

}  // namespace satdof::gltf
