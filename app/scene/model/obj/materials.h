#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scene/model/reader.h"

namespace satdof::obj {

// A texture of a material: the file, and u' = scale u + offset for coordinates whose v grows upwards.
struct Map {
  std::string name;
  glm::vec2 scale{1.0f}, offset{0.0f};
  float strength = 1.0f;  // -bm
  bool clamp = false;
};
// Parses "-s 4 4 1 -clamp on name of a file.png".
Map parseMap(std::string_view text);

// The materials of MTL files as metallic-roughness, in ModelData::materials.
class Materials {
 public:
  Materials(const ModelSource& source, LoadProgress& progress, ModelData& model)
      : source_(source), progress_(progress), model_(model) {}
  // `names`: the rest of a line `mtllib`. A file that is missing or damaged is a note.
  void readLibraries(std::string_view names);
  // The index of a material. An unknown name gets a material of its own, and a note.
  int find(std::string_view name);
  // The material of faces without one.
  int plain();
  // Call after the last face: reads the textures.
  void finish();

 private:
  struct Stated {
    std::map<std::string, Map> maps;  // by keyword in lower case
    float opacity = 1.0f;
    bool opacityStated = false, transparencyStated = false, colourStated = false;
    std::filesystem::path folder;
  };
  bool readLibrary(std::string_view name);
  void statement(std::string_view keyword, std::string_view rest);
  void add(std::string_view name, const std::filesystem::path& folder);
  void turnOpacity();
  int image(const Stated& from, const std::string& name);
  TextureUse texture(const Stated& from, const char* keyword);
  void addOpacityMap(const Stated& from, ModelMaterial& material);

  const ModelSource& source_;
  LoadProgress& progress_;
  ModelData& model_;
  std::vector<Stated> stated_;  // one a material
  std::map<std::string, int, std::less<>> byName_;
  std::set<std::string> read_;  // libraries
  std::map<std::pair<std::filesystem::path, std::string>, int> images_;
  std::map<std::pair<int, int>, int> combined_;  // by images of colour and opacity
  std::size_t imageBytes_ = 0;
  int plain_ = -1;
};

}  // namespace satdof::obj
