#pragma once
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstring>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

namespace satdof::test {

// The rows of an image of three channels, bottom row first, read by stb_image. load: a function such as
// stbi_load_from_memory.
template <class T, class Load>
std::vector<T> decoded(Load load, const std::string& bytes, glm::ivec2 size) {
  glm::ivec2 found{0};
  int channels = 0;
  stbi_set_flip_vertically_on_load_thread(0);
  T* pixels = load(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &found.x, &found.y,
                   &channels, 0);
  EXPECT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ(found, size);
  EXPECT_EQ(channels, 3);
  std::vector<T> rows;
  const int row = size.x * 3;
  for (int y = size.y; y-- > 0;) rows.insert(rows.end(), pixels + y * row, pixels + (y + 1) * row);
  stbi_image_free(pixels);
  return rows;
}

// The rows of a PFM file of three channels, bottom row first.
inline std::vector<float> pfmRows(const std::string& bytes, glm::ivec2 size) {
  const std::string header = "PF\n" + std::to_string(size.x) + " " + std::to_string(size.y) + "\n-1.0\n";
  EXPECT_EQ(bytes.substr(0, header.size()), header);
  std::vector<float> rows(static_cast<std::size_t>(size.x * size.y * 3));
  EXPECT_EQ(bytes.size(), header.size() + rows.size() * sizeof(float));
  std::memcpy(rows.data(), bytes.data() + header.size(), rows.size() * sizeof(float));
  return rows;
}

}  // namespace satdof::test
