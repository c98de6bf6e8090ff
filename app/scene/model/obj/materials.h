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

// A texture statement: the file, and the transform scale * uv + offset of coordinates whose v grows upwards.
struct Map {
  std::string name;
  glm::vec2 scale{1.0f}, offset{0.0f};
  float strength = 1.0f;  // -bm
  bool clamp = false;
};
// Parses "-s 4 4 1 -clamp on name of a file.png".
Map parseMap(std::string_view text);

// Reads MTL files and converts their materials to metallic-roughness, in ModelData::materials.
class Materials {
 public:
  Materials(const ModelSource& source, LoadProgress& progress, ModelData& model)
      : source_(source), progress_(progress), model_(model) {}
  // Reads the files of a `mtllib` line. A missing or damaged file adds a note.
  void readLibraries(std::string_view names);
  // The index of a material. An unknown name stands for defaultMaterial() and adds a note.
  int find(std::string_view name);
  // The index of the material of faces without a material.
  int defaultMaterial();
  // Reads the textures. Call after the last face.
  void finish();

 private:
  // Statements about a material, which finish() evaluates.
  struct Stated {
    std::map<std::string, Map> maps;  // by keyword in lower case
    float opacity = 1.0f;
    bool opacityStated = false, transparencyStated = false, colourStated = false;
    std::filesystem::path folder;
  };
  // Returns false if the file is missing.
  bool readLibrary(std::string_view name);
  void statement(std::string_view keyword, std::string_view rest);
  void add(std::string_view name, const std::filesystem::path& folder);
  void invertOpacities();
  int image(const Stated& from, const std::string& name);
  TextureUse texture(const Stated& from, const char* keyword);
  void addOpacityMap(const Stated& from, ModelMaterial& material);

  const ModelSource& source_;
  LoadProgress& progress_;
  ModelData& model_;
  std::vector<Stated> stated_;  // by material
  std::map<std::string, int, std::less<>> byName_;
  std::set<std::string> read_;  // arguments of readLibraries()
  std::map<std::pair<std::filesystem::path, std::string>, int> images_;
  std::map<std::pair<int, int>, int> combined_;  // by images of colour and opacity
  std::size_t imageBytes_ = 0;
  int defaultMaterial_ = -1;
};

}  // namespace satdof::obj
