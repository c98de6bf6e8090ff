#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace satdof::test {

inline void append(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

// A GLB file with these two chunks.
inline std::string glb(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  append(bytes, 2);
  append(bytes, static_cast<std::uint32_t>(20 + json.size() + (binary.empty() ? 0 : 8 + binary.size())));
  append(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  if (binary.empty()) return bytes;
  append(bytes, static_cast<std::uint32_t>(binary.size()));
  bytes += std::string("BIN\0", 4);
  return bytes + binary;
}

// Builds a glTF file: collects the binary chunk, its buffer views and accessors.
class GlbMaker {
 public:
  // Returns the index of the accessor. `type`: "SCALAR", "VEC3"... of `components` numbers.
  template <class T>
  int accessor(const std::vector<T>& values, const std::string& type, std::size_t components, int componentType,
               const std::string& more = "") {
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    const std::size_t offset = binary_.size(), bytes = values.size() * sizeof(T);
    binary_.append(reinterpret_cast<const char*>(values.data()), bytes);
    comma(views_) +=
        R"({"buffer":0,"byteOffset":)" + std::to_string(offset) + R"(,"byteLength":)" + std::to_string(bytes) + "}";
    comma(accessors_) += R"({"bufferView":)" + std::to_string(viewCount_++) + R"(,"componentType":)" +
                         std::to_string(componentType) + R"(,"count":)" + std::to_string(values.size() / components) +
                         R"(,"type":")" + type + "\"" + more + "}";
    return accessorCount_++;
  }
  int vec3s(const std::vector<float>& values) { return accessor(values, "VEC3", 3, 5126); }
  int view(const std::string& bytes) {
    accessor(std::vector<char>(bytes.begin(), bytes.end()), "SCALAR", 1, 5120);
    return viewCount_ - 1;
  }
  // A square of side 2 around the origin, facing z, with coordinates from 0 to 1. Returns the attributes.
  std::string square() {
    const int positions = vec3s({-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0});
    const int normals = vec3s({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    const int uvs = accessor(std::vector<float>{0, 1, 1, 1, 1, 0, 0, 0}, "VEC2", 2, 5126);
    const int indices = accessor(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, "SCALAR", 1, 5123);
    return R"("attributes":{"POSITION":)" + std::to_string(positions) + R"(,"NORMAL":)" + std::to_string(normals) +
           R"(,"TEXCOORD_0":)" + std::to_string(uvs) + R"(},"indices":)" + std::to_string(indices);
  }
  // `rest`: the other members of the document, without braces.
  std::string json(const std::string& rest) const {
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(binary_.size()) +
           R"(}],"bufferViews":[)" + views_ + R"(],"accessors":[)" + accessors_ + "]," + rest + "}";
  }
  std::string make(const std::string& rest) const { return glb(json(rest), binary_); }
  const std::string& binary() const { return binary_; }

 private:
  static std::string& comma(std::string& list) { return list.empty() ? list : list += ','; }
  std::string binary_, views_, accessors_;
  int viewCount_ = 0, accessorCount_ = 0;
};

// Squares of half-width 1, one for each of `count` materials and nodes, in this order. `nodes`: all but the opening of
// each, such as R"({"mesh":0,"translation":[0,0,-2]})". `rest`: more members of the document.
inline std::string squares(const std::string& nodes, const std::string& materials, int count, GlbMaker maker = {},
                           const std::string& rest = "") {
  const std::string square = maker.square();
  std::string meshes, roots;
  for (int i = 0; i < count; ++i) {
    if (i > 0) meshes += ",", roots += ",";
    meshes += R"({"primitives":[{"material":)" + std::to_string(i) + "," + square + "}]}";
    roots += std::to_string(i);
  }
  return maker.make(R"("scenes":[{"nodes":[)" + roots + R"(]}],"nodes":[)" + nodes + R"(],"materials":[)" + materials +
                    R"(],"meshes":[)" + meshes + "]" + rest);
}

// A material of one colour: four numbers in brackets.
inline std::string unlit(const std::string& colour, const std::string& more = "") {
  return R"({"extensions":{"KHR_materials_unlit":{}},"pbrMetallicRoughness":{"baseColorFactor":)" + colour + "}" +
         more + "}";
}

}  // namespace satdof::test
