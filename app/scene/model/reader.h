#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/core/system/loading.h"
#include "app/io/about.h"
#include "app/scene/model/model.h"

namespace satdof {

// Reads a .gltf, .glb, .vrm or .obj file and the files that it references, which must be in its folder or below. Throws
// std::runtime_error with the file and the reason if a file cannot be read, is damaged or exceeds ModelLimits;
// LoadCancelled.
std::shared_ptr<const ModelData> readModel(const std::filesystem::path& path, LoadProgress& progress);

// A format in the output of `satdof --formats`.
struct ModelFormat {
  const char* name;
  std::vector<const char*> extensions;
  FormatSupport about;
};
std::span<const ModelFormat> modelFormats();

// Extensions of the files that readModel() reads, in lower case.
std::vector<std::string> modelExtensions();
bool isModelFile(const std::filesystem::path& path);

// The files that a model references, sorted; of a damaged model, those up to the damage. Throws std::runtime_error if
// the file of the model cannot be read.
std::vector<std::filesystem::path> referencedFiles(const std::filesystem::path& model);

// Finds files regardless of case. Caches the listings of folders, up to 10 000 names each.
class FolderNames {
 public:
  // The name of a file in the folder that equals `name` up to case; none if there is none.
  std::optional<std::string> find(const std::filesystem::path& folder, const std::string& name);

 private:
  std::map<std::filesystem::path, std::unordered_map<std::string, std::string>> folders_;
};

// A model file in memory.
struct ModelSource {
  std::string_view bytes;
  std::filesystem::path folder;  // of referenced files; empty: references cannot be read
  ModelLimits limits = {};
  std::vector<std::filesystem::path>* opened = nullptr;  // receives the referenced files, if not null
  std::shared_ptr<FolderNames> names = std::make_shared<FolderNames>();
};
// The readers. Throw std::runtime_error with the reason, without the file; LoadCancelled.
ModelData parseGltf(const ModelSource& source, LoadProgress& progress);
ModelData parseObj(const ModelSource& source, LoadProgress& progress);

// Contents and folder of a file that a model references.
struct ReferencedFile {
  std::string bytes;
  std::filesystem::path folder;
};
// Reads a referenced file. Tolerates backslashes and wrong case; of an absolute path, or one that leads out of the
// folder, only the file name counts. Searches `first`, then source.folder, which may be empty. Throws
// std::runtime_error if the file is in neither folder, or is larger than `limit` bytes.
ReferencedFile readReferenced(const ModelSource& source, const std::filesystem::path& first, std::string_view name,
                              std::size_t limit);
// Reads the file of a relative URI, which may have percent escapes.
std::string readUri(const ModelSource& source, std::string_view uri, std::size_t limit);

// Thrown if the images of a model exceed ModelLimits::imageBytes.
struct ImageBudgetExceeded : std::runtime_error {
  using runtime_error::runtime_error;
};
// Subtracts the decoded size of an image, as its header states it, from limits.imageBytes. Throws ImageBudgetExceeded;
// std::runtime_error if the format is unknown or the image exceeds limits.imageSide.
void reserveImage(std::string_view bytes, ModelLimits& limits);
// Decodes a PNG, JPEG or WebP image, or a format of app/io/codec.h. Throws std::runtime_error with the reason.
ModelImage decodeImage(std::string_view bytes, const ModelLimits& limits);

}  // namespace satdof
