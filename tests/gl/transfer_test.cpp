#include "app/gl/transfer.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/gl_fixture.h"

namespace satdof::gl {
namespace {

class TransferTest : public GlTest {};

// Bands of one byte (one row), of one row and a bit, of two rows, and of the whole image.
TEST_F(TransferTest, EveryBandGivesTheSameTexels) {
  for (const glm::ivec2 size : {glm::ivec2{1, 1}, glm::ivec2{7, 5}, glm::ivec2{33, 2}, glm::ivec2{3, 65}}) {
    std::vector<float> sent(static_cast<std::size_t>(size.x * size.y));
    std::iota(sent.begin(), sent.end(), 1.0f);
    const std::size_t row = static_cast<std::size_t>(size.x) * sizeof(float);
    for (const std::size_t band : {std::size_t{1}, row + 1, 2 * row, kBandBytes}) {
      const Texture texture(GL_R32F, size);
      upload(texture, kRedFloat, sent.data(), band);
      std::vector<float> read(sent.size());
      download(texture, kRedFloat, read.data(), band);
      EXPECT_EQ(read, sent);

      const Buffer buffer(static_cast<GLsizeiptr>(2 * sent.size() * sizeof(float)), nullptr, GL_DYNAMIC_STORAGE_BIT);
      const std::size_t offset = sent.size() * sizeof(float);
      glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer.name());
      download(texture, kRedFloat, reinterpret_cast<void*>(offset), band);
      glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
      std::vector<float> stored(sent.size());
      glGetNamedBufferSubData(buffer.name(), static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(offset),
                              stored.data());
      EXPECT_EQ(stored, sent);
    }
  }
}

TEST_F(TransferTest, RowsOfBytesHaveNoPadding) {
  const Texture texture(GL_RGBA8, {5, 3});
  std::vector<unsigned char> sent(60);
  std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(1));
  upload(texture, {GL_RGBA, GL_UNSIGNED_BYTE, 4}, sent.data());
  const auto rgb = readRgb<unsigned char>(texture, GL_UNSIGNED_BYTE);
  ASSERT_EQ(rgb.size(), 45u);
  for (std::size_t i = 0; i < rgb.size(); ++i) EXPECT_EQ(rgb[i], sent[i / 3 * 4 + i % 3]);
}

TEST_F(TransferTest, RowsHaveTheUsualAlignmentAfterwards) {
  const Texture texture(GL_R32F, {3, 2});
  std::vector<float> texels(6);
  upload(texture, kRedFloat, texels.data());
  download(texture, kRedFloat, texels.data());
  for (const GLenum direction : {GL_UNPACK_ALIGNMENT, GL_PACK_ALIGNMENT}) {
    GLint alignment = 0;
    glGetIntegerv(direction, &alignment);
    EXPECT_EQ(alignment, 4);
  }
}

}  // namespace
}  // namespace satdof::gl
