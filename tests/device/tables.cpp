#include "tests/device/tables.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <glm/gtc/packing.hpp>
#include <random>

namespace satdof::test {

std::vector<uint16_t> randomHalves(glm::ivec2 size, float ceiling, unsigned seed) {
  constexpr uint16_t kSpecial[] = {0x0000, 0x8000, 0x0001, 0x03ff, 0x8001, 0x7bff};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-0.25f * ceiling, 2.0f * ceiling);
  std::vector<uint16_t> halves(elementCount(size));
  for (auto& half : halves) {
    const unsigned kind = random() % 64;
    half = kind < std::size(kSpecial) ? kSpecial[kind] : glm::packHalf1x16(value(random));
  }
  return halves;
}

std::vector<uint32_t> randomWords(glm::ivec2 size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words(elementCount(size));
  for (auto& word : words) word = static_cast<uint32_t>(random());
  return words;
}

gl::Texture makeTexture(glm::ivec2 size, const std::vector<uint16_t>& halves) {
  gl::Texture texture(GL_RGBA16F, size);
  glTextureSubImage2D(texture.name(), 0, 0, 0, size.x, size.y, GL_RGBA, GL_HALF_FLOAT, halves.data());
  return texture;
}

gl::Texture makeTexture(glm::ivec2 size, const std::vector<uint32_t>& words) {
  gl::Texture texture(GL_RGBA32UI, size);
  glTextureSubImage2D(texture.name(), 0, 0, 0, size.x, size.y, GL_RGBA_INTEGER, GL_UNSIGNED_INT, words.data());
  return texture;
}

std::vector<uint32_t> readTable(const Table& view) {
  const bool integer = view.format == TableFormat::uint32;
  std::vector<uint32_t> texels(elementCount(view.size));
  glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
  glGetTextureImage(view.texture->name(), 0, integer ? GL_RGBA_INTEGER : GL_RGBA, integer ? GL_UNSIGNED_INT : GL_FLOAT,
                    static_cast<GLsizei>(texels.size() * sizeof(uint32_t)), texels.data());
  if (!view.transposed) return texels;
  std::vector<uint32_t> table(texels.size());
  const auto width = static_cast<std::size_t>(view.size.x), height = static_cast<std::size_t>(view.size.y);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < kChannels; ++c)
        table[(y * width + x) * kChannels + c] = texels[(x * height + y) * kChannels + c];
  return table;
}

std::vector<uint64_t> fixedElements(const std::vector<uint16_t>& halves, double scale, double ceiling) {
  std::vector<uint64_t> elements;
  for (const uint16_t half : halves) {
    const double v = glm::unpackHalf1x16(half);
    elements.push_back(static_cast<uint64_t>(std::nearbyint(std::clamp(v, 0.0, ceiling) * scale)));
  }
  return elements;
}

std::vector<double> realElements(const std::vector<uint16_t>& halves, const glm::vec4& mean) {
  std::vector<double> elements;
  for (std::size_t i = 0; i < halves.size(); ++i)
    elements.push_back(static_cast<double>(glm::unpackHalf1x16(halves[i])) - mean[static_cast<int>(i % kChannels)]);
  return elements;
}

namespace {

std::string place(glm::ivec2 size, std::size_t element) {
  const std::size_t pixel = element / kChannels, width = static_cast<std::size_t>(size.x);
  return std::to_string(size.x) + "x" + std::to_string(size.y) + " at (" + std::to_string(pixel % width) + ", " +
         std::to_string(pixel / width) + ") channel " + std::to_string(element % kChannels);
}

}  // namespace

void expectExact(glm::ivec2 size, const std::vector<uint32_t>& table, const std::vector<uint64_t>& elements) {
  const auto expected = inclusiveTable(size, elements);
  ASSERT_EQ(table.size(), expected.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    ASSERT_EQ(table[i], static_cast<uint32_t>(expected[i])) << place(size, i);
}

double float32Bound(glm::ivec2 size) {
  const double error = (size.x + size.y + 63) * 0x1p-24;
  return error / (1 - error);
}

void expectWithinBound(glm::ivec2 size, const std::vector<uint32_t>& table, const std::vector<double>& elements) {
  auto magnitudes = elements;
  for (auto& magnitude : magnitudes) magnitude = std::abs(magnitude);
  const auto expected = inclusiveTable(size, elements);
  const auto sums = inclusiveTable(size, magnitudes);
  const double bound = float32Bound(size);
  ASSERT_EQ(table.size(), expected.size());
  for (std::size_t i = 0; i < table.size(); ++i)
    ASSERT_NEAR(std::bit_cast<float>(table[i]), expected[i], bound * sums[i]) << place(size, i);
}

}  // namespace satdof::test
