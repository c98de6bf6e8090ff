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

#include "app/io/about.h"
#include "app/scene/loading.h"
#include "app/scene/model/model.h"

namespace satdof {

// Reads a .gltf, .glb or .obj file with the files that it names. These must lie in its folder or below: no URI leads
// elsewhere. Throws std::runtime_error with the file and the reason if a file cannot be read, is damaged or exceeds
// ModelLimits; LoadCancelled.
std::shared_ptr<const ModelData> readModel(const std::filesystem::path& path, LoadProgress& progress);

// The formats, for `satdof --formats`.
struct ModelFormat {
  const char* name;
  std::vector<const char*> extensions;
  About about;
};
std::span<const ModelFormat> modelFormats();

// Those that readModel() knows.
std::vector<std::string> modelExtensions();
bool isModelFile(const std::filesystem::path& path);

// The files beside a model that readModel() reads with it; of a damaged model, those before the damage. Throws std::runtime_error
// if the model itself cannot be read.
std::vector<std::filesystem::path> referencedFiles(const std::filesystem::path& model);

// The files of folders by their names in lower case, listed once: 10 000 of a folder.
class FolderNames {
 public:
  // The name in the folder that differs at most in case; none if there is none.
  std::optional<std::string> find(const std::filesystem::path& folder, const std::string& name);

 private:
  std::map<std::filesystem::path, std::unordered_map<std::string, std::string>> folders_;
};

// The readers, from bytes in memory. `folder` is where other files may lie; empty: nowhere.
struct ModelSource {
  std::string_view bytes;
  std::filesystem::path folder;
  ModelLimits limits = {};
  std::vector<std::filesystem::path>* opened = nullptr;  // gets the files that are read besides; may be null
  std::shared_ptr<FolderNames> names = std::make_shared<FolderNames>();
};
ModelData parseGltf(const ModelSource& source, LoadProgress& progress);
ModelData parseObj(const ModelSource& source, LoadProgress& progress);

// A file that a model names, and the folder that holds the file.
struct ReferencedFile {
  std::string bytes;
  std::filesystem::path folder;
};
// Reads a file that a model names as people write names: with backslashes, in another case, or with a path of another
// computer, of which only the last part counts. Looks in `first`, then in the folder of the source; an empty one holds nothing.
// Throws std::runtime_error if there is no such file in them or below.
ReferencedFile readReferenced(const ModelSource& source, const std::filesystem::path& first,
                              std::string_view name, std::size_t limit);
// The same for a URI, which may have percent codes.
std::string readUri(const ModelSource& source, std::string_view uri, std::size_t limit);

// The images of a model exceed ModelLimits::imageBytes.
struct ImageBudgetExceeded : std::runtime_error {
  using runtime_error::runtime_error;
};
// Takes the texels that the header of an image states from limits.imageBytes. Throws ImageBudgetExceeded; std::runtime_error if the
// image is of an unknown format or exceeds limits.imageSide.
void reserveImage(std::string_view bytes, ModelLimits& limits);
// Decodes a PNG, JPEG or WebP. Throws std::runtime_error with the reason.
ModelImage decodeImage(std::string_view bytes, const ModelLimits& limits);

}  // namespace satdof
