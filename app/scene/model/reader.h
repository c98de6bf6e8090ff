#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "app/scene/loading.h"
#include "app/scene/model/model.h"

namespace satdof {

// Reads a .gltf, .glb or .obj file with the files that it names. These must lie in its folder or below: no URI leads
// elsewhere. Throws std::runtime_error with the file and the reason if a file cannot be read, is damaged or exceeds
// ModelLimits; LoadCancelled.
std::shared_ptr<const ModelData> readModel(const std::filesystem::path& path, LoadProgress& progress);

// Whether readModel() knows the extension.
bool isModelFile(const std::filesystem::path& path);

// The readers, from bytes in memory. `folder` is where other files may lie; empty: nowhere.
struct ModelSource {
  std::string_view bytes;
  std::filesystem::path folder;
  ModelLimits limits = {};
};
ModelData parseGltf(const ModelSource& source, LoadProgress& progress);
ModelData parseObj(const ModelSource& source, LoadProgress& progress);

// Reads a file that a model names. Throws std::runtime_error if `uri` leads out of the folder or is no file.
std::string readBeside(const std::filesystem::path& folder, std::string_view uri, std::size_t limit);

// Takes the texels that the header of a PNG or JPEG states from limits.imageBytes. Throws std::runtime_error if the
// image is neither, exceeds limits.imageSide, or needs more.
void reserveImage(std::string_view bytes, ModelLimits& limits);
// Decodes a PNG or JPEG. Throws std::runtime_error with the reason.
ModelImage decodeImage(std::string_view bytes, const ModelLimits& limits);

}  // namespace satdof
