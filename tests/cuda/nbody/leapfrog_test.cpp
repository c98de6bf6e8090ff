#include "cuda/nbody/leapfrog.h"

#include <cmath>

#include "tests/cuda/gpu_test.h"
#include "tests/cuda/nbody/bodies.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

constexpr float kDt = 1.0f / 64, kSoftening = 0.05f;

struct State {
  std::vector<float4> positions, velocities, accelerations;
};
using test::sameBits;

State run(const std::vector<float4>& positions, const std::vector<float4>& velocities,
          std::initializer_list<int> calls) {
  const auto leapfrog = makeLeapfrog({.method = GravityMethod::tiled,
                                      .bodies = static_cast<std::uint32_t>(positions.size()),
                                      .softening = kSoftening});
  const PoisonedArray<float4> p(positions.size()), v(positions.size()), a(positions.size());
  leapfrog->reset(positions.data(), velocities.data(), nullptr);
  for (const int steps : calls) leapfrog->advance(steps, kDt, {p.data(), v.data(), a.data()}, nullptr);
  SATDOF_CUDA(cudaDeviceSynchronize());
  return {p.read(), v.read(), a.read()};
}

using LeapfrogTest = GpuTest<>;

TEST_F(LeapfrogTest, NoStepsCopyTheState) {
  for (const std::uint32_t size : {1u, 31u, 1000u}) {
    const auto positions = randomBodies(size, 3, MassesOf::random), velocities = randomBodies(size, 4, MassesOf::equal);
    const State state = run(positions, velocities, {0});
    EXPECT_TRUE(sameBits(state.positions, positions));
    EXPECT_TRUE(sameBits(state.velocities, velocities));
    const auto expected = referenceGravity(positions, kSoftening);
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_NEAR(state.accelerations[i].w, expected[i].potential, 1e-4 * (1 + std::abs(expected[i].potential)));
  }
}

TEST_F(LeapfrogTest, DividedRunsAgreeBitForBit) {
  const auto positions = randomBodies(777, 5, MassesOf::random), velocities = randomBodies(777, 6, MassesOf::equal);
  const State once = run(positions, velocities, {12}), divided = run(positions, velocities, {1, 4, 0, 7});
  EXPECT_TRUE(sameBits(once.positions, divided.positions));
  EXPECT_TRUE(sameBits(once.velocities, divided.velocities));
  EXPECT_FALSE(sameBits(once.positions, positions));
}

}  // namespace

}  // namespace satdof::cuda
