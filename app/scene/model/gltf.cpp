#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/core/text/foreign_text.h"
#include "app/scene/model/gltf/accessors.h"
#include "app/scene/model/gltf/buffers.h"
#include "app/scene/model/gltf/clips.h"
#include "app/scene/model/gltf/draco.h"
#include "app/scene/model/gltf/extensions.h"
#include "app/scene/model/gltf/materials.h"
#include "app/scene/model/gltf/meshes.h"
#include "app/scene/model/gltf/nodes.h"
#include "app/scene/model/reader.h"

// Reads glTF 2.0 (Khronos 2021), as JSON or GLB. Not by tinygltf: its version 2.7 in Debian 12 reads beyond the ends of
// damaged GLB files and of buffers with images.
namespace satdof {

namespace gltf {

namespace {

Json parse(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    const std::string what = error.what();
    const auto start = what.find("] ");
    fail("", "damaged JSON: " + excerpt(std::string_view(what).substr(start == what.npos ? 0 : start + 2), 200));
  }
}

void requireVersion(const Item& root) {
  const auto asset = root.object("asset");
  const std::string version = asset ? asset->text("version") : std::string();
  if (!version.starts_with("2.")) fail("asset.version", "must be 2.x: only glTF 2 is known");
}

void noteUnknownExtensions(const Item& root, ModelData& model) {
  for (const char* key : {"extensionsRequired", "extensionsUsed"}) {
    const Json* const names = root.find(key);
    if (names == nullptr || !names->is_array()) continue;
    for (const Json& name : *names)
      if (name.is_string()) {
        const auto text = name.get<std::string>();
        const auto known = std::ranges::find(extensions(), text, &Extension::name);
        if (known == extensions().end())
          addNote(model.notes, excerpt(text) + " is left out");
        else if (known->isMissing)
          addNote(model.notes, text + " is left out: this program was built without " + known->needs);
      }
  }
}

// Throws if all nodes together draw too much: many nodes may share a large mesh.
void requireDrawable(const ModelLimits& limits, const ModelData& model) {
  std::vector<std::size_t> triangles;
  for (const ModelMesh& mesh : model.meshes) {
    std::size_t indices = 0;
    for (const Primitive& primitive : mesh.primitives) indices += primitive.indices;
    triangles.push_back(indices / 3);
  }
  std::size_t drawnTriangles = 0, drawnPrimitives = 0;
  for (const ModelNode& node : model.nodes) {
    if (node.mesh < 0) continue;
    const auto mesh = static_cast<std::size_t>(node.mesh);
    drawnTriangles += triangles[mesh];
    drawnPrimitives += model.meshes[mesh].primitives.size();
  }
  const auto require = [](std::size_t drawn, std::size_t most, const char* what) {
    if (drawn > most)
      fail("nodes", "show " + std::to_string(drawn) + " " + what + "; at most " + std::to_string(most) + " are drawn");
  };
  require(drawnTriangles, limits.drawnTriangles, "triangles");
  require(drawnPrimitives, limits.drawnPrimitives, "primitives");
}

ModelData read(const ModelSource& source, LoadProgress& progress) {
  progress.report(0.05f, "reading the description");
  Chunks chunks{source.bytes, {}};
  if (source.bytes.starts_with("glTF")) chunks = splitGlb(source.bytes);
  const std::size_t start = chunks.json.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (start == std::string_view::npos || chunks.json[start] != '{') fail("", "it is neither GLB nor JSON of glTF");
  if (chunks.json.size() > source.limits.jsonBytes) fail("", "the description is larger than 256 MB");
  const Json document = parse(chunks.json);
  const Item root(document, "");
  requireVersion(root);
  const ModelLimits& limits = source.limits;
  ModelData model;
  noteUnknownExtensions(root, model);
  Buffers buffers(root, chunks.binary, source, progress);
  Accessors accessors(root, buffers, limits);
  readDraco(root, buffers, limits, progress, accessors);
  Images images(root, buffers, limits);
  const auto glossiness = readMaterials(root, images, limits, model);
  const Nodes nodes = readNodes(root, accessors, limits, model);
  readSkins(root, nodes, accessors, limits, model);
  readMeshes(root, accessors, limits, progress, model);
  requireDrawable(limits, model);
  setMorphWeights(root, nodes, limits, model);
  readClips(root, nodes, accessors, limits, progress, model);
  images.decode(model, progress);
  convertGlossiness(glossiness, limits, model);
  return model;
}

}  // namespace

}  // namespace gltf

ModelData parseGltf(const ModelSource& source, LoadProgress& progress) {
  try {
    return gltf::read(source, progress);
  } catch (const gltf::Json::exception& error) {
    throw std::runtime_error(excerpt(error.what(), 200));
  }
}

}  // namespace satdof
