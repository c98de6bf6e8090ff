#include "app/render/resolve.h"

#include <gtest/gtest.h>

#include "app/gl/software.h"
#include "app/lens/lens.h"
#include "app/render/why_not.h"
#include "app/scene/targets.h"
#include "app/views/views.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

using Resolve = GlTest;

TEST_F(Resolve, NothingStaysAutomaticAndChoicesStay) {
  const ResolvedSettings resolved{Settings()};
  for (const Technique& technique : {resolved.technique, resolved.split.b}) EXPECT_EQ(technique, resolve(Technique()));
  EXPECT_EQ(resolved.lens.overscan, gl::isSoftwareRenderer() ? Overscan::off : Overscan::on);
  EXPECT_EQ(resolved.scene.samples, offeredSamples(0));
  EXPECT_EQ(resolved.lens.layers, 1);
  EXPECT_EQ(ResolvedSettings(resolved), resolved);
  Settings chosen = resolved;
  chosen.lens.overscan = resolved.lens.overscan == Overscan::on ? Overscan::off : Overscan::on;
  chosen.lens.layers = 2;
  chosen.technique.lens = {.kind = LensKind::tent, .on = LensOn::openGl};
  chosen.technique.bokeh.enabled = false;
  EXPECT_EQ(ResolvedSettings(chosen), chosen);
}

TEST_F(Resolve, TheBestReplacesOnlyAutomaticChoices) {
  Settings settings;
  const Settings best = bestSettings(settings);
  EXPECT_TRUE(lensOf(best.technique.lens.kind).layers);
  EXPECT_TRUE(best.technique.bokeh.enabled);
  EXPECT_EQ(best.scene.samples, 4);
  EXPECT_EQ(best.lens.layers, 2);
  EXPECT_EQ(best.lens.overscan, Overscan::on);
  EXPECT_EQ(referenceSettings(settings).lens.overscan, ResolvedSettings(settings).lens.overscan);
  settings.scene.samples = 2;
  settings.lens.layers = 1;
  settings.technique.lens.kind = LensKind::tent;
  settings.technique.bokeh.enabled = false;
  EXPECT_EQ(bestSettings(settings).technique.lens.kind, LensKind::tent);
  EXPECT_FALSE(bestSettings(settings).technique.bokeh.enabled);
  EXPECT_EQ(bestSettings(settings).scene.samples, 2);
  settings.lens.overscan = Overscan::off;
  EXPECT_EQ(bestSettings(settings).lens.overscan, Overscan::off);
  EXPECT_EQ(bestSettings(settings).lens.layers, 1);
  for (const SceneKind kind : {SceneKind::bodies, SceneKind::model}) {
    Settings other;
    other.scene.kind = kind;
    EXPECT_EQ(bestSettings(other).lens.layers, 1);
  }
}

TEST_F(Resolve, AQuickImageSuitsTheView) {
  Settings settings;
  EXPECT_EQ(quickSettings(settings, 0).technique, resolve(settings.technique, Prefer::quality));
  EXPECT_EQ(quickSettings(settings, 1).technique, resolve(settings.technique, Prefer::speedWithSprites));
  EXPECT_EQ(quickSettings(settings, 2).technique, resolve(settings.technique, Prefer::speed));
  settings.technique.view = View::near;
  settings.split.b.view = View::sprites;
  for (int step = 0; step < kQuickSteps; ++step) {
    const Settings shown = quickSettings(settings, step);
    for (const Technique& technique : {shown.technique, shown.split.b})
      EXPECT_EQ(missingFor(technique), "") << name(technique.view) << ", step " << step;
  }
  settings.technique.lens.kind = LensKind::tent;
  EXPECT_EQ(quickSettings(settings, 1).technique, resolve(settings.technique)) << "what is chosen stays";
}

TEST_F(Resolve, AQuickImageWithoutBokehSaysSo) {
  Settings settings;
  settings.technique.device = DeviceId::cpu;
  EXPECT_FALSE(leavesBokehOut(settings, 2)) << "drawn in main memory";
  settings.technique.device = DeviceId::glCompute;
  EXPECT_FALSE(leavesBokehOut(settings, 0)) << "the best lens has bokeh";
  EXPECT_FALSE(leavesBokehOut(settings, 1)) << "as long as that meets the goal";
  EXPECT_EQ(leavesBokehOut(settings, 2), gl::isSoftwareRenderer());
  settings.technique.bokeh.enabled = false;
  EXPECT_FALSE(leavesBokehOut(settings, 2)) << "nothing is left out";
  settings.technique.bokeh.enabled = true;
  settings.technique.lens.kind = LensKind::box;
  EXPECT_FALSE(leavesBokehOut(settings, 2)) << "what is chosen stays";
  settings.technique.lens.kind = LensKind::gems;
  EXPECT_FALSE(leavesBokehOut(settings, 2)) << "the lens has none";
}

TEST_F(Resolve, OnlyAFinishedImageOfAnAutomaticLensConverges) {
  Settings settings;
  EXPECT_EQ(whyNot(settings, "quality.converge"), "");
  EXPECT_TRUE(lensOf(referenceSettings(settings).technique.lens.kind).accumulates);
  settings.lens.lensSamples = 100;
  EXPECT_EQ(referenceSettings(settings).lens.lensSamples, 400);
  settings.lens.lensSamples = 65536;
  EXPECT_EQ(referenceSettings(settings).lens.lensSamples, 65536) << "the most of the setting";
  EXPECT_TRUE(referenceSettings(settings).lens.jitter);
  settings.scene.samples = 4;
  EXPECT_FALSE(referenceSettings(settings).lens.jitter) << "asked for";
  settings.split.enabled = true;
  EXPECT_NE(whyNot(settings, "quality.converge"), "");
  settings = {};
  settings.technique.view = View::coc;
  EXPECT_NE(whyNot(settings, "quality.converge"), "");
  settings = {};
  settings.technique.lens.kind = LensKind::box;
  EXPECT_NE(whyNot(settings, "quality.converge"), "");
}

}  // namespace
}  // namespace satdof
