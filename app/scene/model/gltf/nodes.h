#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "app/scene/model/gltf/accessors.h"

namespace satdof::gltf {

// What the nodes of a file are to its other parts.
struct Nodes {
  std::vector<int> newIndex;                            // in ModelData::nodes, by node of the file
  std::map<std::size_t, std::vector<float>> weightsOf;  // of morph targets, by node of ModelData
};

// Adds nodes, with their instances, cameras and lights to the model.
Nodes readNodes(const Item& root, const Accessors& accessors, const ModelLimits& limits, ModelData& model);

void readSkins(const Item& root, const Nodes& nodes, const Accessors& accessors, const ModelLimits& limits,
               ModelData& model);

}  // namespace satdof::gltf
