#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "app/scene/model/gltf/accessors.h"

namespace satdof::gltf {

// Data of the nodes for the other readers.
struct Nodes {
  std::vector<int> newIndex;                            // index in ModelData::nodes, by index in the file
  std::map<std::size_t, std::vector<float>> weightsOf;  // morph weights, by index in ModelData::nodes
};

// Adds the nodes, their instances, cameras and lights to the model.
Nodes readNodes(const Item& root, const Accessors& accessors, const ModelLimits& limits, ModelData& model);

// Adds the skins to the model.
void readSkins(const Item& root, const Nodes& nodes, const Accessors& accessors, const ModelLimits& limits,
               ModelData& model);

}  // namespace satdof::gltf
