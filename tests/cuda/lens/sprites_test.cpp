#include "cuda/lens/sprites.h"

#include <algorithm>
#include <cmath>

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/image.h"
#include "tests/support/uniform.h"

namespace satdof::cuda {

namespace {

class SpriteScene {
 public:
  static constexpr int kWidth = 200, kHeight = 130;
  static constexpr unsigned kCount = 900;
  static constexpr int kTexels = kSpritesPerRow * kSpriteTexels, kRows = spriteRows(kCount);

  SpriteScene()
      : sprites_(kTexels, kRows),
        command_(1, 1),
        depth_(kWidth, kHeight),
        image_(kWidth, kHeight),
        panes_(kWidth, kHeight) {
    test::Uniform uniform(2009);
    std::vector<float4> texels(std::size_t{1} * kTexels * kRows);
    for (unsigned i = 0; i < kCount; ++i) {
      float4* const texel = &texels[std::size_t{kSpriteTexels} * i];
      texel[0] = {uniform(-9, kWidth + 9), uniform(-9, kHeight + 9), uniform(2, 30), 0.0f};
      texel[1] = {uniform(1, 40), uniform(1, 40), uniform(1, 40), 1.0f};
      texel[2] = {0.0f, 0.0f, 0.0f, 1.0f};
    }
    sprites_.write(texels);
    command_.write({uint4{kSpriteVertices, kCount, 0, 0}});
    depth_.write(std::vector<float>(std::size_t{1} * kWidth * kHeight));
  }

  // Panes with discs of 1 px, the right half of the image; opacity 0: none.
  std::vector<float> draw(unsigned indices, float opacity = 0.0f) {
    image_.write(std::vector<Half4>(std::size_t{1} * kWidth * kHeight));
    std::vector<Half4> panes(std::size_t{1} * kWidth * kHeight);
    for (std::size_t i = 0; i < panes.size(); ++i)
      if (i % kWidth >= kWidth / 2) panes[i] = {{__float2half(0.4f * opacity), {}, {}, __float2half(opacity)}};
    panes_.write(panes);
    cudaArray* const shown = opacity > 0.0f ? panes_.get() : nullptr;
    makeSprites(kWidth, kHeight, kCount, indices)
        ->draw({sprites_.get(), command_.get(), depth_.get(), image_.get(), shown, shown},
               {.lens = {.alpha = -10.0f, .beta = 5.0f}, .aperture = {}, .blended = opacity > 0.0f}, nullptr);
    SATDOF_CUDA(cudaDeviceSynchronize());
    std::vector<float> values;
    for (const Half4& texel : image_.read())
      for (const __half& channel : texel.c) values.push_back(__half2float(channel));
    return values;
  }

 private:
  ArrayOf<float4> sprites_;
  ArrayOf<uint4> command_;
  ArrayOf<float> depth_;
  ArrayOf<Half4> image_, panes_;
};

using SpritesTest = GpuTest<>;

TEST_F(SpritesTest, PanesDimFartherSprites) {
  SpriteScene scene;
  constexpr std::size_t kWidth = SpriteScene::kWidth, kChannels = 4;
  const std::vector<float> whole = scene.draw(kSpriteIndices), dimmed = scene.draw(kSpriteIndices, 0.5f);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const std::size_t x = i / kChannels % kWidth;
    if (x < 20) {
      ASSERT_EQ(dimmed[i], whole[i]) << i << ": no ray to it passes the panes";
    } else if (x >= kWidth - 20) {
      ASSERT_NEAR(dimmed[i], 0.5f * whole[i], 1e-3f + 4e-3f * std::abs(whole[i])) << i;
    }
  }
}

TEST_F(SpritesTest, ListsThatAreTooShortGiveTheSameImage) {
  SpriteScene scene;
  const std::vector<float> whole = scene.draw(kSpriteIndices), again = scene.draw(kSpriteIndices);
  EXPECT_EQ(whole, again);
  EXPECT_GT(*std::max_element(whole.begin(), whole.end()), 0.5f);
  for (const unsigned indices : {12u, 3000u}) {  // of 12 bins
    const std::vector<float> got = scene.draw(indices);
    for (std::size_t i = 0; i < whole.size(); ++i)
      ASSERT_NEAR(got[i], whole[i], 1e-3f + 2e-3f * std::abs(whole[i])) << i << ", " << indices << " indices";
  }
}

}  // namespace

}  // namespace satdof::cuda
