#include "app/run/available.h"

#include <gtest/gtest.h>

#include "app/device/device.h"
#include "tests/support/gl_fixture.h"

namespace satdof {
namespace {

class WithAvailable : public GlTest {};

TEST_F(WithAvailable, ReplacesUnavailableChoices) {
  Settings wanted;
  wanted.technique.device = wanted.split.b.device = DeviceId::cuda;
  wanted.technique.lens.on = LensOn::cuda;
  wanted.filter.variant = FilterVariant::cudaTiled;
  wanted.scene.bodies.solver = BodySolver::cudaTree;
  Settings expected = wanted;
  if (!availability(DeviceId::cuda).available) {
    expected.technique.device = expected.split.b.device = DeviceId::automatic;
    expected.technique.lens.on = LensOn::automatic;
    expected.filter.variant = FilterVariant::automatic;
    expected.scene.bodies.solver = BodySolver::automatic;
  }
  EXPECT_EQ(withAvailable(wanted), expected);
}

TEST_F(WithAvailable, KeepsAvailableChoices) {
  Settings settings;
  settings.technique.device = DeviceId::glFragment;
  settings.scene.bodies.solver = BodySolver::cpuLoop;
  settings.lens.fNumber = 4.0f;
  EXPECT_EQ(withAvailable(settings), settings);
}

}  // namespace
}  // namespace satdof
