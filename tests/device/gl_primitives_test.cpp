#include <algorithm>
#include <numeric>
#include <vector>

#include "app/device/gl/compact.h"
#include "app/device/gl/scan.h"
#include "tests/device/primitives_reference.h"
#include "tests/support/gl_fixture.h"

namespace satdof {

namespace {

using test::randomWords, test::Words;

struct Fold {
  int width;
  unsigned count;
};
constexpr Fold kFolds[] = {{1, 1},     {1, 33},     {7, 2},      {31, 31},        {32, 33},      {33, 1000},
                           {64, 4097}, {100, 4100}, {511, 9973}, {1024, 1 << 18}, {1000, 300007}};

// The texels beyond the array are 77.
gl::Texture folded(int width, const Words& words) {
  const glm::ivec2 size = foldedSize(width, static_cast<unsigned>(words.size()));
  Words texels = words;
  texels.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y), 77);
  gl::Texture texture(GL_R32UI, size);
  glTextureSubImage2D(texture.name(), 0, 0, 0, size.x, size.y, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.data());
  return texture;
}

Words unfolded(const gl::Texture& texture, std::size_t count) {
  Words texels(static_cast<std::size_t>(texture.size().x) * static_cast<std::size_t>(texture.size().y));
  glGetTextureImage(texture.name(), 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                    static_cast<GLsizei>(texels.size() * sizeof(std::uint32_t)), texels.data());
  texels.resize(count);
  return texels;
}

class GlFragmentPrimitivesTest : public GlTest {};

TEST_F(GlFragmentPrimitivesTest, ScansLikeTheStandardLibrary) {
  for (const auto& [width, count] : kFolds)
    for (const int reducePasses : {0, 1, GlFragmentScan::kReducePasses, 32}) {
      GlFragmentScan scan(width, count, reducePasses);
      for (const unsigned seed : {1u, 2u}) {
        const Words in = randomWords(count, 0xffffffffu, seed);
        Words expected(count);
        std::inclusive_scan(in.begin(), in.end(), expected.begin());
        const gl::Texture texture = folded(width, in);
        EXPECT_TRUE(unfolded(scan.run(texture), count) == expected)
            << count << " elements in rows of " << width << ", " << reducePasses << " reduce passes";
        EXPECT_TRUE(unfolded(texture, count) == in) << "the input changed";
      }
    }
}

TEST_F(GlFragmentPrimitivesTest, CompactsLikeTheStandardLibrary) {
  for (const auto& [width, count] : kFolds)
    for (const unsigned capacity : {1u, 33u, count})
      for (const unsigned percent : {0u, 3u, 60u, 100u}) {
        GlFragmentCompactor compactor(width, count, 100, capacity);
        Words flags = randomWords(count, 100, count + percent);
        for (auto& flag : flags) flag = flag < percent;
        Words expected = test::keptIndices(flags);
        const std::size_t kept = expected.size();
        expected.resize(capacity, GlFragmentCompactor::kNone);
        std::fill(expected.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(kept, capacity)), expected.end(),
                  GlFragmentCompactor::kNone);
        const gl::Texture texture = folded(width, flags);
        const auto [indices, sums] = compactor.run(texture);
        EXPECT_TRUE(unfolded(*indices, capacity) == expected)
            << count << " flags in rows of " << width << ", capacity " << capacity << ", " << percent << " percent";
        EXPECT_EQ(unfolded(*sums, count).back(), kept);
      }
}

TEST_F(GlFragmentPrimitivesTest, ArraysThatDoNotFoldThrow) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto most = static_cast<unsigned>(largest);
  EXPECT_EQ(foldedSize(3, 3 * most), glm::ivec2(3, largest));
  EXPECT_THROW(foldedSize(3, 3 * most + 1), std::runtime_error);
  EXPECT_THROW(foldedSize(largest + 1, 4), std::runtime_error);
  EXPECT_THROW(foldedSize(0, 4), std::runtime_error);
  EXPECT_THROW(foldedSize(4, 0), std::runtime_error);
}

}  // namespace

}  // namespace satdof
