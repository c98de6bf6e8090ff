#include "app/filter/filter.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "app/filter/stage.h"
#include "app/gl/frame_stats.h"
#include "app/gl/program.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

using testing::HasSubstr;

constexpr glm::ivec2 kSizes[] = {{1, 1}, {1, 7}, {7, 1}, {31, 33}, {97, 61}};

std::vector<FilterVariant> availableVariants() {
  std::vector<FilterVariant> found;
  for (const FilterRow& row : filters())
    if (availability(row.variant).available) found.push_back(row.variant);
  return found;
}

class FilterTest : public GlTest {
 protected:
  Uniform uniform{20070812};
  Image randomImage(glm::ivec2 size) {
    return Image(
        size, [&] { return glm::vec4(uniform(0, 4), uniform(-1, 1), uniform(0, 100), uniform(0, 1)); },
        [] { return 0.5f; });
  }
  FilterMask randomMask(int width, int height) {
    FilterMask mask{.width = width, .height = height, .weights = {}, .offset = 0.25f};
    for (int i = 0; i < width * height; ++i) mask.weights.push_back(uniform(-1, 1));
    separate(mask);
    return mask;
  }
  // The output starts as poison.
  std::vector<glm::vec4> run(const FilterMask& mask, FilterVariant variant, FilterForm form, const Image& image) {
    const gl::Texture output(GL_RGBA16F, image.size);
    const gl::Framebuffer framebuffer(output);
    const glm::vec4 poison(-77.0f);
    glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, &poison.x);
    const auto filter = makeFilter(mask, variant, form);
    filter->resize(image.size);
    Timings timings;
    timings.beginFrame();
    filter->run({*image.frame.colour, output, framebuffer}, timings);
    timings.finish();
    return download(output);
  }
};

// Compares with sums in double. OpenGL may round the result to half in either direction.
void expectConvolved(const Image& image, const FilterMask& mask, const std::vector<glm::vec4>& found) {
  for (int y = 0; y < image.size.y; ++y)
    for (int x = 0; x < image.size.x; ++x) {
      glm::dvec4 sum(0.0), magnitude(0.0);
      for (int j = 0; j < mask.height; ++j)
        for (int i = 0; i < mask.width; ++i) {
          const glm::dvec4 product = double(mask.weights[static_cast<std::size_t>(j * mask.width + i)]) *
                                     glm::dvec4(image.at(std::clamp(x + i - mask.width / 2, 0, image.size.x - 1),
                                                         std::clamp(y + j - mask.height / 2, 0, image.size.y - 1)));
          sum += product;
          magnitude += glm::abs(product);
        }
      const glm::vec4& got = found[static_cast<std::size_t>(y * image.size.x + x)];
      for (int c = 0; c < 3; ++c) {
        const double value = std::clamp(sum[c] + double(mask.offset), -65504.0, 65504.0);
        // Separable masks also round their factors: the term 4e-6, from kSeparableTolerance.
        const double bound = 0x1p-10 * std::abs(value) + 0x1p-24 +
                             (4.0 * double(mask.weights.size()) * 0x1p-24 + 4e-6) * (magnitude[c] + 1.0);
        ASSERT_NEAR(got[c], value, bound) << x << ", " << y << " channel " << c;
      }
      ASSERT_EQ(got.a, image.at(x, y).a) << "alpha of " << x << ", " << y;
    }
}

TEST_F(FilterTest, EveryVariantConvolves) {
  for (const glm::ivec2 size : kSizes) {
    const Image image = randomImage(size);
    for (const FilterVariant variant : availableVariants())
      for (const auto& [width, height] : {std::pair{1, 1}, {3, 3}, {5, 3}, {1, 9}, {63, 1}, {63, 63}}) {
        if (size.x > 40 && width * height > 100) continue;
        SCOPED_TRACE(testing::Message() << name(variant) << " " << size.x << "x" << size.y << " by " << width << "x"
                                        << height);
        const FilterMask mask = randomMask(width, height);
        expectConvolved(image, mask, run(mask, variant, FilterForm::automatic, image));
      }
  }
}

TEST_F(FilterTest, BothFormsOfASeparableMaskAgree) {
  const Image image = randomImage({97, 61});
  for (const FilterVariant variant : availableVariants())
    for (const FilterForm form : {FilterForm::direct, FilterForm::separable}) {
      SCOPED_TRACE(testing::Message() << name(variant) << " " << name(form));
      const FilterMask mask = maskOf({.mask = {"blur"}, .radiusPx = 5});
      expectConvolved(image, mask, run(mask, variant, form, image));
    }
}

TEST_F(FilterTest, TheIdentityLeavesEveryBit) {
  const Image image = randomImage({97, 61});
  FilterMask wide{.width = 5, .height = 3, .weights = std::vector<float>(15)};
  wide.weights[7] = 1.0f;
  separate(wide);
  ASSERT_TRUE(wide.separable());
  for (const FilterVariant variant : availableVariants())
    for (const FilterForm form : {FilterForm::direct, FilterForm::separable})
      for (const FilterMask& mask : {wide, maskOf({})}) {
        if (form == FilterForm::separable && !mask.separable()) continue;
        EXPECT_EQ(run(mask, variant, form, image), image.colour) << name(variant) << " " << name(form);
      }
}

TEST_F(FilterTest, ResultsStayInTheRangeOfHalfFloats) {
  const Image image(
      {3, 3}, [] { return glm::vec4(60000.0f, -60000.0f, 1.0f, 1.0f); }, [] { return 0.5f; });
  const FilterMask mask{.width = 1, .height = 1, .weights = {2.0f}};
  for (const FilterVariant variant : availableVariants())
    for (const glm::vec4& got : run(mask, variant, FilterForm::direct, image))
      EXPECT_EQ(got, glm::vec4(65504.0f, -65504.0f, 2.0f, 1.0f)) << name(variant);
}

TEST_F(FilterTest, MissingVariantsSayWhy) {
  for (const auto& entry : entries(FilterVariant{})) {
    const Availability here = availability(entry.value);
    EXPECT_EQ(here.available, here.reason.empty()) << entry.name;
    if (here.available) continue;
    EXPECT_THAT(reasonOf([&] { makeFilter({}, entry.value, FilterForm::automatic); }), HasSubstr(here.reason))
        << entry.name;
  }
  EXPECT_NE(filterOf(FilterVariant::automatic).variant, FilterVariant::automatic);
}

TEST_F(FilterTest, AStageKeepsItsLastGoodFilter) {
  FilterStage stage;
  FilterSettings wanted;
  stage.choose(wanted, {8, 8});
  EXPECT_FALSE(stage.active());
  wanted.mask.text = "blur";
  stage.choose(wanted, {8, 8});
  EXPECT_TRUE(stage.active());
  EXPECT_THAT(stage.state(), HasSubstr("9x9 separable"));
  wanted.mask.text = "/nowhere/mask.json";
  stage.choose(wanted, {8, 8});
  EXPECT_TRUE(stage.active());
  EXPECT_THAT(stage.failure(), HasSubstr("/nowhere/mask.json"));
  stage.choose(wanted, {9, 8});
  EXPECT_FALSE(stage.active()) << "the last filter has another size";
  wanted.mask.text = "none";
  stage.choose(wanted, {9, 8});
  EXPECT_TRUE(stage.failure().empty());
}

TEST_F(FilterTest, AStageTriesAFailedFilterAgainAfterAReload) {
  const TemporaryFolder folder;
  FilterStage stage;
  const FilterSettings wanted{.mask = {(folder.path() / "mask.json").string()}};
  stage.choose(wanted, {8, 8});
  EXPECT_NE(stage.failure(), "");
  folder.write("mask.json", R"({"width": 1, "height": 1, "weights": [2]})");
  stage.choose(wanted, {8, 8});
  EXPECT_NE(stage.failure(), "") << "not in every frame";
  gl::reloadAll();
  stage.choose(wanted, {8, 8});
  EXPECT_EQ(stage.failure(), "");
  EXPECT_TRUE(stage.active());
}

}  // namespace
}  // namespace satdof::test
