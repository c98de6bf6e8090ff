#pragma once
#include "app/scene/model/gltf/accessors.h"
#include "app/scene/model/gltf/nodes.h"

namespace satdof::gltf {

// Adds the meshes to the model. Call after readMaterials().
void readMeshes(const Item& root, const Accessors& accessors, const ModelLimits& limits,
                LoadProgress& progress, ModelData& model);

// The weights of a node, else of its mesh, else zeros.
void setMorphWeights(const Item& root, const Nodes& nodes, const ModelLimits& limits, ModelData& model);

}  // namespace satdof::gltf
