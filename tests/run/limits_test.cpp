#include "app/run/limits.h"

#include <gmock/gmock.h>

#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using testing::HasSubstr, testing::IsEmpty;

class LimitsTest : public GlTest {};

constexpr double kMuch = 1e15;

TEST_F(LimitsTest, ASizeWithinMemoryStays) {
  Settings settings;
  settings.size = {1000, 31};
  EXPECT_THAT(shortage(settings, kMuch), IsEmpty());
  EXPECT_EQ(sizeWithin(settings, kMuch), settings.size);
}

TEST_F(LimitsTest, ASizeBeyondMemoryIsHalvedUntilItFits) {
  Settings settings;
  settings.lens.overscan = Overscan::off;
  settings.size = {1024, 512};
  settings.scene.samples = 1;
  const double enough = 512.0 * 256.0 * 200.0;  // about 120 bytes a pixel
  EXPECT_THAT(shortage(settings, enough), HasSubstr("1024 x 512 is too large"));
  EXPECT_EQ(sizeWithin(settings, enough), glm::ivec2(512, 256));
  EXPECT_EQ(sizeWithin(settings, 0.0), glm::ivec2(1));
  settings.size = {1, 4097};
  EXPECT_EQ(sizeWithin(settings, 200.0 * 2049), glm::ivec2(1, 2048));
}

TEST_F(LimitsTest, ASecondTechniqueASecondLayerAndAFilterNeedMore) {
  Settings settings;
  settings.lens.overscan = Overscan::off;
  settings.size = {1000, 1000};
  settings.scene.samples = 1;
  const double enough = 1e6 * 125.0;
  EXPECT_THAT(shortage(settings, enough), IsEmpty());
  settings.lens.overscan = Overscan::on;
  EXPECT_THAT(shortage(settings, enough), HasSubstr("too large"));
  settings.lens.overscan = Overscan::off;
  settings.split.enabled = true;
  EXPECT_THAT(shortage(settings, enough), HasSubstr("too large"));
  settings.split.enabled = false;
  settings.technique.lens.kind = LensKind::layered;
  EXPECT_THAT(shortage(settings, 1e6 * 215.0), HasSubstr("too large"));
  EXPECT_THAT(shortage(settings, 1e6 * 225.0), IsEmpty());
  settings.lens.layers = 2;
  EXPECT_THAT(shortage(settings, 1e6 * 310.0), HasSubstr("too large")) << "the middle layers";
  EXPECT_THAT(shortage(settings, 1e6 * 330.0), IsEmpty());
  settings.lens.layers = 1;
  settings.filter.mask.text = "blur";
  EXPECT_THAT(shortage(settings, enough), HasSubstr("too large"));
}

TEST_F(LimitsTest, ASizeBeyondTheDriverIsRefused) {
  Settings settings;
  settings.size = {1 << 20, 1};
  EXPECT_THAT(shortage(settings, kMuch), HasSubstr("pixels per side"));
}

}  // namespace
}  // namespace satdof
