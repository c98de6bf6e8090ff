#pragma once
#include "app/scene/model/gltf/accessors.h"
#include "app/scene/model/gltf/nodes.h"

namespace satdof::gltf {

// Adds the animations to the model. Call after readMeshes().
void readClips(const Item& root, const Nodes& nodes, const Accessors& accessors, const ModelLimits& limits,
               LoadProgress& progress, ModelData& model);

}  // namespace satdof::gltf
