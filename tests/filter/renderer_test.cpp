#include "app/render/renderer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "app/render/changes.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/small_renders.h"

namespace satdof::test {
namespace {

using testing::HasSubstr;
using Texels = std::vector<glm::vec4>;

class FilteredRenderer : public GlTest {
 protected:
  FilteredRenderer() {
    settings.technique.device = settings.split.b.device = DeviceId::cpuSequential;
    settings.technique.lens.kind = settings.split.b.lens.kind = LensKind::box;
  }
  Texels draw() {
    result = renderer.render(settings, {}, timings);
    return download(renderer.image());
  }
  Texels drawFiltered(const char* mask) {
    const MaskName before = settings.filter.mask;
    settings.filter.mask.text = mask;
    Texels image = draw();
    settings.filter.mask = before;
    return image;
  }

  Renderer renderer;
  Settings settings = smallTeapots();
  Timings timings;
  FrameResult result;
};

TEST_F(FilteredRenderer, EveryFilterChangesTheFinalImageAlone) {
  for (const View view : {View::final, View::sharp, View::coc, View::depth, View::table}) {
    settings.technique.view = view;
    const Texels plain = draw();
    for (const MaskEntry& entry : filterMasks()) {
      const bool changes = view == View::final && !MaskName{entry.name}.none();
      EXPECT_EQ(drawFiltered(entry.name) != plain, changes) << entry.name << ", view " << name(view);
    }
  }
}

TEST_F(FilteredRenderer, FiltersTheLensWhenNothingIsBlurred) {
  settings.lens.fNumber = 128.0f;
  EXPECT_NE(drawFiltered("edges"), draw());
}

TEST_F(FilteredRenderer, FiltersBothSidesOfASplit) {
  settings.technique.lens.kind = LensKind::gems;
  const Texels a = drawFiltered("emboss");
  settings.technique.lens.kind = LensKind::box;
  const Texels b = drawFiltered("emboss");
  settings.technique.lens.kind = LensKind::gems;
  settings.split.enabled = true;
  const Texels both = drawFiltered("emboss");
  for (std::size_t i = 0; i < both.size(); ++i) ASSERT_EQ(both[i], i % 96 < 48 ? a[i] : b[i]) << i;
}

TEST_F(FilteredRenderer, TheDifferenceOfEqualSidesStaysBlack) {
  settings.technique.view = View::difference;
  settings.filter.mask.text = "sharpen";
  for (const glm::vec4& texel : draw()) ASSERT_EQ(glm::vec3(texel), glm::vec3(0.0f));
}

TEST_F(FilteredRenderer, TimesTheStageAndNamesTheFilter) {
  settings.filter.mask.text = "blur";
  settings.filter.variant = FilterVariant::glFragment;
  timings.beginFrame();
  draw();
  timings.endFrame();
  timings.finish();
  EXPECT_TRUE(std::ranges::any_of(timings.stats().stages, [](const Stage& stage) { return stage.name == "filter"; }));
  EXPECT_THAT(result.state, HasSubstr("filter gl-fragment, 9x9 separable"));
  settings.technique.view = View::coc;
  draw();
  EXPECT_THAT(result.state, testing::Not(HasSubstr("filter")));
}

TEST_F(FilteredRenderer, AFilterThatCannotBeMadeLeavesTheImage) {
  const Texels plain = draw();
  settings.filter = {.mask = {"edges"}, .form = FilterForm::separable};
  EXPECT_EQ(draw(), plain);
  EXPECT_THAT(result.message, HasSubstr("not separable"));
  settings.filter.form = FilterForm::automatic;
  EXPECT_NE(draw(), plain);
  EXPECT_EQ(result.message, "");
}

TEST_F(FilteredRenderer, AnotherFilterIsAnotherWorkloadOnly) {
  Settings filtered = settings;
  filtered.filter.mask.text = "blur";
  EXPECT_TRUE(changesWorkload(settings, filtered));
  EXPECT_FALSE(restartsReference(settings, filtered));
}

}  // namespace
}  // namespace satdof::test
