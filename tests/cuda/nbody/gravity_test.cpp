#include "cuda/nbody/gravity.h"

#include <algorithm>
#include <cstring>

#include "cuda/nbody/split.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/nbody/bodies.h"

namespace satdof::cuda {

namespace {

constexpr std::uint32_t kSizes[] = {1, 2, 3, 31, 33, 127, 513, 1000, 4097};

std::vector<float4> computed(Gravity& gravity, const std::vector<float4>& bodies, bool withPotential) {
  const PoisonedArray<float4> positions(bodies), accelerations(bodies.size());
  gravity.run(positions.data(), accelerations.data(), withPotential, nullptr);
  const auto after = positions.read();
  EXPECT_EQ(std::memcmp(after.data(), bodies.data(), bodies.size() * sizeof(float4)), 0)
      << "the input changed";
  return accelerations.read();
}

// The largest error of an acceleration, of the root mean square of all; the same for potentials.
struct Error {
  double acceleration, potential;
};
Error errorOf(const std::vector<float4>& result, const std::vector<Acceleration>& expected) {
  double squares = 0, potentials = 0;
  Error worst{0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Acceleration& e = expected[i];
    const Acceleration difference{result[i].x - e.x, result[i].y - e.y, result[i].z - e.z};
    squares += e.length() * e.length();
    potentials += e.potential * e.potential;
    if (!std::isfinite(difference.length())) return {INFINITY, INFINITY};
    worst.acceleration = std::max(worst.acceleration, difference.length());
    worst.potential = std::max(worst.potential, std::abs(result[i].w - e.potential));
  }
  const double n = static_cast<double>(expected.size());
  if (squares > 0) worst.acceleration /= std::sqrt(squares / n);
  if (potentials > 0) worst.potential /= std::sqrt(potentials / n);
  return worst;
}

struct MethodRow {
  GravityMethod method;
  const char* name;
};
constexpr MethodRow kAllPairs[] = {{GravityMethod::naive, "naive"}, {GravityMethod::tiled, "tiled"}};

class AllPairsTest : public GpuTest<testing::TestWithParam<MethodRow>> {
 protected:
  static std::unique_ptr<Gravity> make(std::size_t bodies, float softening) {
    return makeGravity(
        {.method = GetParam().method, .bodies = static_cast<std::uint32_t>(bodies), .softening = softening});
  }
  static void check(const std::vector<float4>& bodies, float softening, double tolerance) {
    SCOPED_TRACE(testing::Message() << bodies.size() << " bodies, softening " << softening);
    const auto expected = referenceGravity(bodies, std::max(softening, kLeastSoftening));
    const auto gravity = make(bodies.size(), softening);
    const auto plain = computed(*gravity, bodies, false);
    const auto full = computed(*gravity, bodies, true);
    EXPECT_LE(errorOf(plain, expected).acceleration, tolerance);
    EXPECT_LE(errorOf(full, expected).acceleration, tolerance);
    EXPECT_LE(errorOf(full, expected).potential, tolerance);
    EXPECT_TRUE(std::all_of(plain.begin(), plain.end(), [](const float4& a) { return a.w == 0; }));
  }
};

TEST_P(AllPairsTest, AgreesWithDoublePrecision) {
  for (const std::uint32_t size : affordable(kSizes))
    for (const MassesOf masses : {MassesOf::equal, MassesOf::random}) {
      check(randomBodies(size, size, masses), 0.01f, 1e-5);
      check(randomBodies(size, size + 1, masses), 0.0f, 1e-5);
    }
}

TEST_P(AllPairsTest, BodiesAtOnePlaceDoNotPull) {
  for (const float softening : {0.0f, 0.25f}) {
    const std::vector<float4> bodies(257, float4{3.0f, -2.0f, 1.0f, 0.5f});
    for (const float4& a : computed(*make(bodies.size(), softening), bodies, true)) {
      EXPECT_EQ(a.x, 0);
      EXPECT_EQ(a.y, 0);
      EXPECT_EQ(a.z, 0);
      const double expected = -0.5 * 256 / std::max(softening, kLeastSoftening);
      EXPECT_NEAR(a.w / expected, 1, 1e-5);
    }
  }
}

TEST_P(AllPairsTest, PairsOfCoincidentBodies) {
  auto bodies = randomBodies(500, 3);
  bodies.insert(bodies.end(), bodies.begin(), bodies.begin() + 400);
  check(bodies, 0.05f, 1e-5);
}

// Two clusters of radius 1e-6 and 1e3, and massless bodies among them.
TEST_P(AllPairsTest, ClustersOfDifferentScale) {
  auto bodies = randomBodies(600, 11);
  const auto wide = randomBodies(700, 12);
  for (float4& body : bodies) body = {body.x * 1e-6f, body.y * 1e-6f, body.z * 1e-6f, body.w * 1e-3f};
  for (const float4& body : wide)
    bodies.push_back({body.x * 1e3f + 2e3f, body.y * 1e3f, body.z * 1e3f, body.w * 1e5f});
  for (std::size_t i = 0; i < bodies.size(); i += 7) bodies[i].w = 0;
  check(bodies, 0.0f, 1e-5);
}

TEST_P(AllPairsTest, SameBitsAgain) {
  for (const std::uint32_t size : affordable({33u, 1000u, 20000u})) {
    const auto bodies = randomBodies(size, 5);
    const auto once = computed(*make(size, 0.01f), bodies, true);
    const auto gravity = make(size, 0.01f);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto again = computed(*gravity, bodies, true);
      EXPECT_EQ(std::memcmp(once.data(), again.data(), size * sizeof(float4)), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, AllPairsTest, testing::ValuesIn(kAllPairs),
                         [](const auto& test) { return testName(test.param.name); });

class GravityTest : public GpuTest<> {};

TEST_F(GravityTest, OptionsThatDoNotFitThrow) {
  EXPECT_THROW(makeGravity({.bodies = 10, .softening = -1.0f}), std::runtime_error);
  EXPECT_THROW(makeGravity({.bodies = 10, .softening = NAN}), std::runtime_error);
  EXPECT_THROW(makeGravity({.bodies = 10, .openingAngle = -0.1f}), std::runtime_error);
  EXPECT_THROW(makeGravity({.bodies = (1u << 27) + 1}), std::runtime_error);
}

TEST_F(GravityTest, NoBodies) {
  makeGravity({.bodies = 0})->run(nullptr, nullptr, true, nullptr);
  kick(nullptr, nullptr, 1, 0, nullptr);
  drift(nullptr, nullptr, 1, 0, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// Positions, velocities and accelerations on the device, moved by the leapfrog.
class System {
 public:
  System(const Galaxy& galaxy, const GravityOptions& options)
      : positions_(galaxy.positions),
        velocities_(galaxy.velocities),
        accelerations_(galaxy.positions.size()),
        bodies_(static_cast<std::uint32_t>(galaxy.positions.size())),
        gravity_(makeGravity(options)),
        sums_(makeConservedSums(bodies_)) {
    gravity_->run(positions_.data(), accelerations_.data(), false, nullptr);
  }
  void step(float dt) {
    kick(velocities_.data(), accelerations_.data(), dt / 2, bodies_, nullptr);
    drift(positions_.data(), velocities_.data(), dt, bodies_, nullptr);
    gravity_->run(positions_.data(), accelerations_.data(), false, nullptr);
    kick(velocities_.data(), accelerations_.data(), dt / 2, bodies_, nullptr);
  }
  Conserved conserved() {
    const PoisonedArray<float4> withPotentials(bodies_);
    const PoisonedArray<Conserved> sums(1);
    gravity_->run(positions_.data(), withPotentials.data(), true, nullptr);
    sums_->run(positions_.data(), velocities_.data(), withPotentials.data(), sums.data(), nullptr);
    return sums.read()[0];
  }
  Galaxy read() const { return {positions_.read(), velocities_.read()}; }

 private:
  PoisonedArray<float4> positions_, velocities_, accelerations_;
  std::uint32_t bodies_;
  std::unique_ptr<Gravity> gravity_;
  std::unique_ptr<ConservedSums> sums_;
};

TEST_F(GravityTest, SumsOfConservedQuantities) {
  for (const std::uint32_t size : affordable({1u, 33u, 1000u, 70001u})) {
    const auto positions = randomBodies(size, 1), velocities = randomBodies(size, 2);
    auto accelerations = randomBodies(size, 3);
    double expected[8] = {};
    for (std::size_t i = 0; i < size; ++i) {
      const float4 p = positions[i], v = velocities[i];
      const double m = p.w;
      expected[0] += m / 2 * (double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z);
      expected[1] += m / 2 * accelerations[i].w;
      expected[2] += m * v.x;
      expected[3] += m * v.y;
      expected[4] += m * v.z;
      expected[5] += m * (double{p.y} * v.z - double{p.z} * v.y);
      expected[6] += m * (double{p.z} * v.x - double{p.x} * v.z);
      expected[7] += m * (double{p.x} * v.y - double{p.y} * v.x);
    }
    const PoisonedArray<float4> p(positions), v(velocities), a(accelerations);
    const PoisonedArray<Conserved> sums(1);
    makeConservedSums(size)->run(p.data(), v.data(), a.data(), sums.data(), nullptr);
    const Conserved result = sums.read()[0];
    double values[8];
    static_assert(sizeof(values) == sizeof(result));
    std::memcpy(values, &result, sizeof(values));
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(values[k], expected[k], 1e-12) << k;
  }
}

TEST_F(GravityTest, LeapfrogRunsBackwards) {
  const Galaxy start = plummerSphere(1000, 4);
  System system(start, {.method = GravityMethod::tiled, .bodies = 1000, .softening = 0.05f});
  for (int i = 0; i < 100; ++i) system.step(0.01f);
  double moved = 0;
  const Galaxy far = system.read();
  for (int i = 0; i < 100; ++i) system.step(-0.01f);
  const Galaxy back = system.read();
  double error = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    moved = std::max<double>(moved, std::abs(far.positions[i].x - start.positions[i].x));
    error = std::max<double>(error, std::abs(back.positions[i].x - start.positions[i].x));
    error = std::max<double>(error, std::abs(back.velocities[i].x - start.velocities[i].x));
    EXPECT_EQ(back.positions[i].w, start.positions[i].w);
  }
  EXPECT_GT(moved, 0.3);
  EXPECT_LT(error, 1e-4);
}

TEST_F(GravityTest, PlummerSphereKeepsEnergyAndMomentum) {
  if (!affordable(4096)) GTEST_SKIP() << "slow";
  System system(plummerSphere(4096, 8), {.method = GravityMethod::tiled, .bodies = 4096, .softening = 0.03f});
  const Conserved start = system.conserved();
  const double energy = start.kinetic + start.potential;
  EXPECT_LT(start.potential, 0);
  EXPECT_NEAR(-2 * start.kinetic / start.potential, 1, 0.1) << "not in equilibrium";
  double drift = 0;
  for (int i = 1; i <= 1000; ++i) {
    system.step(0.01f);
    if (i % 100 != 0) continue;
    const Conserved now = system.conserved();
    drift = std::max(drift, std::abs((now.kinetic + now.potential - energy) / energy));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(now.momentum[k], start.momentum[k], 1e-6);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(now.angularMomentum[k], start.angularMomentum[k], 1e-4);
  }
  EXPECT_LE(drift, 1e-3);
  RecordProperty("drift", std::to_string(drift));
}

// Every pair once, whatever the sizes; a device is filled by few bodies.
TEST(PairSplitTest, CoversAllPairs) {
  for (const std::uint32_t bodies : {1u, 2u, 31u, 33u, 1000u, 4097u, 16384u, 262144u, 1u << 27})
    for (const std::uint32_t group : {32u, 512u, 2048u})
      for (const std::uint32_t resident : {1u, 13u, 1056u}) {
        const PairSplit split = splitPairs(bodies, group, resident);
        EXPECT_GE(std::uint64_t{split.groups} * group, bodies);
        EXPECT_LT(std::uint64_t{split.groups - 1} * group, bodies);
        EXPECT_GE(std::uint64_t{split.chunks} * split.chunkSize, bodies);
        EXPECT_LT(std::uint64_t{split.chunks - 1} * split.chunkSize, bodies);
      }
  EXPECT_GE(splitPairs(16384, 512, 1056).blocks(), 900u);
}

}  // namespace

}  // namespace satdof::cuda
