#include "cuda/nbody/gravity.h"

#include <algorithm>

#include "cuda/nbody/split.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/nbody/bodies.h"
#include "tests/support/reason.h"
#include "tests/support/same_bits.h"

namespace satdof::cuda {

namespace {

constexpr std::uint32_t kSizes[] = {1, 2, 3, 31, 33, 127, 513, 1000, 2049, 4097};

// The entries of `sizes` that are affordable; a body costs as much as several elements.
std::vector<std::uint32_t> affordableBodies(std::vector<std::uint32_t> sizes) {
  std::erase_if(sizes, [](std::uint32_t size) { return !affordable(std::size_t{4} * size); });
  return sizes;
}

std::vector<float4> computed(Gravity& gravity, const std::vector<float4>& bodies, bool withPotential) {
  const PoisonedArray<float4> positions(bodies), accelerations(bodies.size());
  gravity.run(positions.data(), accelerations.data(), withPotential, nullptr);
  const auto after = positions.read();
  EXPECT_TRUE(test::sameBits(after, bodies)) << "the input changed";
  return accelerations.read();
}

// The largest error of an acceleration, relative to its length or to the root mean square of all, whichever
// is larger; the same for potentials.
struct Error {
  double acceleration = 0, potential = 0;
};
Error errorOf(const std::vector<float4>& result, const std::vector<Acceleration>& expected) {
  double squares = 0, potentials = 0;
  for (const Acceleration& e : expected) {
    squares += e.length() * e.length();
    potentials += e.potential * e.potential;
  }
  const double n = static_cast<double>(expected.size());
  const auto relative = [](double error, double value, double typical) {
    return error > 0 ? error / std::max(std::abs(value), typical) : 0;
  };
  Error worst;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Acceleration& e = expected[i];
    const Acceleration difference{result[i].x - e.x, result[i].y - e.y, result[i].z - e.z};
    if (!std::isfinite(difference.length())) return {INFINITY, INFINITY};
    worst.acceleration =
        std::max(worst.acceleration, relative(difference.length(), e.length(), std::sqrt(squares / n)));
    worst.potential = std::max(worst.potential,
                               relative(std::abs(result[i].w - e.potential), e.potential, std::sqrt(potentials / n)));
  }
  return worst;
}

struct MethodRow {
  GravityMethod method;
  const char* name;
};
constexpr MethodRow kAllPairs[] = {{GravityMethod::naive, "naive"}, {GravityMethod::tiled, "tiled"}};

// 600 bodies in a radius of 1e-6, and 700 in one of 1e3.
std::vector<float4> clustersOfTwoScales() {
  auto bodies = randomBodies(600, 11);
  const auto wide = randomBodies(700, 12);
  for (float4& body : bodies) body = {body.x * 1e-6f, body.y * 1e-6f, body.z * 1e-6f, body.w * 1e-3f};
  for (const float4& body : wide) bodies.push_back({body.x * 1e3f + 2e3f, body.y * 1e3f, body.z * 1e3f, body.w * 1e5f});
  return bodies;
}

class AllPairsTest : public GpuTest<testing::TestWithParam<MethodRow>> {
 protected:
  static std::unique_ptr<Gravity> make(std::size_t bodies, float softening) {
    return makeGravity(
        {.method = GetParam().method, .bodies = static_cast<std::uint32_t>(bodies), .softening = softening});
  }
  static void check(const std::vector<float4>& bodies, float softening, double tolerance) {
    SCOPED_TRACE(testing::Message() << bodies.size() << " bodies, softening " << softening);
    const auto expected = referenceGravity(bodies, std::max(softening, kMinSoftening));
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
  for (const std::uint32_t size : affordableBodies({std::begin(kSizes), std::end(kSizes)}))
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
      const double expected = -0.5 * 256 / std::max(softening, kMinSoftening);
      EXPECT_NEAR(a.w / expected, 1, 1e-5);
    }
  }
}

TEST_P(AllPairsTest, PairsOfCoincidentBodies) {
  auto bodies = randomBodies(500, 3);
  bodies.insert(bodies.end(), bodies.begin(), bodies.begin() + 400);
  check(bodies, 0.05f, 1e-5);
}

TEST_P(AllPairsTest, ClustersOfDifferentScale) {
  auto bodies = clustersOfTwoScales();
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
      EXPECT_TRUE(test::sameBits(once, again));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, AllPairsTest, testing::ValuesIn(kAllPairs),
                         [](const auto& test) { return testName(test.param.name); });

// The root mean square of the errors of accelerations, each relative to the acceleration of its body.
double relativeError(const std::vector<float4>& result, const std::vector<Acceleration>& expected) {
  double squares = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Acceleration& e = expected[i];
    const Acceleration difference{result[i].x - e.x, result[i].y - e.y, result[i].z - e.z};
    squares += std::pow(difference.length() / e.length(), 2);
  }
  return std::sqrt(squares / static_cast<double>(expected.size()));
}

class TreeTest : public GpuTest<testing::TestWithParam<TraversalInfo>> {
 protected:
  static std::vector<float4> tree(const std::vector<float4>& bodies, float softening, float openingAngle,
                                  bool withPotential = true) {
    const auto gravity = makeGravity({.method = GravityMethod::tree,
                                      .bodies = static_cast<std::uint32_t>(bodies.size()),
                                      .softening = softening,
                                      .openingAngle = openingAngle,
                                      .traversal = GetParam().value});
    auto once = computed(*gravity, bodies, withPotential);
    const Unchecked repeats;
    const auto again = computed(*gravity, bodies, withPotential);
    EXPECT_TRUE(test::sameBits(once, again)) << "other bits";
    return once;
  }
};

TEST_P(TreeTest, AgreesWithDoublePrecision) {
  for (const std::uint32_t size : affordableBodies({1, 2, 31, 33, 1000, 2049, 4097})) {
    SCOPED_TRACE(testing::Message() << size << " bodies");
    const auto bodies = randomBodies(size, size);
    const auto expected = referenceGravity(bodies, 0.01);
    const Error exact = errorOf(tree(bodies, 0.01f, 0.0f), expected);
    EXPECT_LE(exact.acceleration, 1e-5);
    EXPECT_LE(exact.potential, 1e-5);
    const auto approximate = tree(bodies, 0.01f, 0.6f);
    EXPECT_LE(errorOf(approximate, expected).acceleration, size <= 32 ? 1e-5 : 0.02);
    EXPECT_LE(errorOf(approximate, expected).potential, 1e-3);
    const auto plain = tree(bodies, 0.01f, 0.6f, false);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(plain[i].x, approximate[i].x, 1e-5);
      EXPECT_EQ(plain[i].w, 0);
    }
  }
}

TEST_P(TreeTest, PlummerSphereWithinHalfAPercent) {
  for (const std::uint32_t size : affordableBodies({1000, 10007})) {
    const auto bodies = plummerSphere(size, 5).positions;
    const auto expected = referenceGravity(bodies, 0.01);
    const double usual = relativeError(tree(bodies, 0.01f, 0.6f), expected);
    EXPECT_LE(usual, 5e-3);
    EXPECT_LE(relativeError(tree(bodies, 0.01f, 0.3f), expected), usual / 2);
    RecordProperty("error" + std::to_string(size), std::to_string(usual));
  }
}

// A frontier of breadth first traversal holds 128 cells a group on average; these groups open more.
TEST_P(TreeTest, MoreOpenedCellsThanAFrontierHolds) {
  if (!affordable(30000)) GTEST_SKIP() << "slow";
  const auto bodies = randomBodies(30000, 9);
  const auto expected =
      computed(*makeGravity({.method = GravityMethod::tiled, .bodies = 30000, .softening = 0.01f}), bodies, true);
  const auto result = tree(bodies, 0.01f, 0.0f);
  double squares = 0, worst = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const float4 a = result[i], e = expected[i];
    const double x = a.x - e.x, y = a.y - e.y, z = a.z - e.z;
    worst = std::max(worst, x * x + y * y + z * z);
    squares += double{e.x} * e.x + double{e.y} * e.y + double{e.z} * e.z;
    EXPECT_NEAR(a.w, e.w, 1e-4);
  }
  EXPECT_LE(std::sqrt(worst / (squares / 30000)), 2e-5);
}

TEST_P(TreeTest, AllBodiesAtOnePoint) {
  for (const std::uint32_t size : affordable({2u, 33u, 3000u})) {
    const std::vector<float4> bodies(size, float4{3.0f, -2.0f, 1.0f, 0.5f});
    for (const float4& a : tree(bodies, 0.25f, 0.6f)) {
      EXPECT_EQ(a.x, 0);
      EXPECT_EQ(a.y, 0);
      EXPECT_EQ(a.z, 0);
      EXPECT_NEAR(a.w / (-0.5 * (size - 1) / 0.25), 1, 1e-5);
    }
  }
}

TEST_P(TreeTest, CoincidentBodiesAndClustersOfDifferentScale) {
  if (!affordable(1350)) GTEST_SKIP() << "slow";
  auto bodies = clustersOfTwoScales();
  bodies.insert(bodies.end(), bodies.begin(), bodies.begin() + 50);
  for (std::size_t i = 0; i < bodies.size(); i += 7) bodies[i].w = 0;
  const auto expected = referenceGravity(bodies, 1e-8);
  EXPECT_LE(errorOf(tree(bodies, 1e-8f, 0.0f), expected).acceleration, 1e-5);
  EXPECT_LE(errorOf(tree(bodies, 1e-8f, 0.6f), expected).acceleration, 0.02);
}

// Cells halve the distance to the origin again and again: more groups than usual, of few bodies each.
TEST_P(TreeTest, NestedClusters) {
  auto bodies = randomBodies(affordable(16000) ? 4000 : 1500, 13);
  std::mt19937 random(14);
  std::uniform_real_distribution<float> octave(-18, 0);
  for (float4& body : bodies) {
    const float scale = std::exp2(octave(random));
    body = {body.x * scale, body.y * scale, body.z * scale, body.w};
  }
  const auto expected = referenceGravity(bodies, 1e-4);
  EXPECT_LE(errorOf(tree(bodies, 1e-4f, 0.0f), expected).acceleration, 2e-5);
  EXPECT_LE(errorOf(tree(bodies, 1e-4f, 0.6f), expected).acceleration, 0.01);
}

TEST_P(TreeTest, MasslessBodies) {
  auto bodies = randomBodies(1000, 2);
  for (float4& body : bodies) body.w = 0;
  for (const float4& a : tree(bodies, 0.0f, 0.6f)) {
    EXPECT_EQ(a.x, 0);
    EXPECT_EQ(a.w, 0);
  }
}

// On a line and on a plane, cells have two and four children.
TEST_P(TreeTest, FlatSystems) {
  for (const bool line : {true, false}) {
    auto bodies = randomBodies(2000, 6);
    for (float4& body : bodies) {
      body.z = 0.25f;
      if (line) body.y = -1.0f;
    }
    const auto expected = referenceGravity(bodies, 0.01);
    EXPECT_LE(errorOf(tree(bodies, 0.01f, 0.0f), expected).acceleration, 1e-5);
    EXPECT_LE(errorOf(tree(bodies, 0.01f, 0.6f), expected).acceleration, 0.02);
  }
}

INSTANTIATE_TEST_SUITE_P(Traversals, TreeTest, testing::ValuesIn(kTraversals),
                         [](const auto& test) { return testName(test.param.name); });

class GravityTest : public GpuTest<> {};

// Both traversals sum the same terms in different orders.
TEST_F(GravityTest, TraversalsAgree) {
  for (const std::uint32_t size : affordable({33u, 1000u, 20000u})) {
    const auto bodies = plummerSphere(size, 3).positions;
    std::vector<float4> results[2];
    for (const TraversalInfo& info : kTraversals)
      results[static_cast<int>(info.value)] = computed(
          *makeGravity({.method = GravityMethod::tree, .bodies = size, .softening = 0.01f, .traversal = info.value}),
          bodies, true);
    std::vector<Acceleration> first;
    for (const float4& a : results[0]) first.push_back({a.x, a.y, a.z, a.w});
    EXPECT_LE(errorOf(results[1], first).acceleration, 1e-5);
    EXPECT_LE(errorOf(results[1], first).potential, 1e-5);
  }
}

// Stable sorts give one order, exact scans and compactions one tree and one frontier.
TEST_F(GravityTest, SameBitsWithEverySortScanAndCompaction) {
  const Unchecked asInTestsOfEach;
  for (const std::uint32_t size : affordableBodies({1, 33, 2100, 5003})) {
    const auto bodies = plummerSphere(size, 7).positions;
    GravityOptions options{
        .method = GravityMethod::tree, .bodies = size, .softening = 0.01f, .traversal = Traversal::breadthFirst};
    const auto expected = computed(*makeGravity(options), bodies, true);
    const auto check = [&](const GravityOptions& other, const char* name) {
      const auto result = computed(*makeGravity(other), bodies, true);
      EXPECT_TRUE(test::sameBits(result, expected)) << name;
    };
    for (const SortInfo& info : runnable(kSorts)) {
      GravityOptions other = options;
      other.sort = info.value;
      check(other, info.name);
    }
    for (const ScanInfo& info : runnable(kScans)) {
      if (info.value == Scan::fused) continue;
      GravityOptions other = options;
      other.scan = info.value;
      check(other, info.name);
    }
    for (const CompactionInfo& info : runnable(kCompactions)) {
      GravityOptions other = options;
      other.compaction = info.value;
      check(other, info.name);
    }
  }
}

// A graph of a run replays with other positions.
TEST_F(GravityTest, CanBeCaptured) {
  for (const GravityMethod method : {GravityMethod::naive, GravityMethod::tiled, GravityMethod::tree}) {
    const auto bodies = randomBodies(1000, 1), others = randomBodies(1000, 2);
    const auto gravity = makeGravity({.method = method, .bodies = 1000, .softening = 0.01f});
    const auto expected = computed(*gravity, others, false);
    const PoisonedArray<float4> positions(bodies), accelerations(bodies.size());
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    SATDOF_CUDA(cudaStreamCreate(&stream));
    SATDOF_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    gravity->run(positions.data(), accelerations.data(), false, stream);
    SATDOF_CUDA(cudaStreamEndCapture(stream, &graph));
    SATDOF_CUDA(cudaGraphInstantiate(&replay, graph));
    SATDOF_CUDA(cudaMemcpy(positions.data(), others.data(), others.size() * sizeof(float4), cudaMemcpyHostToDevice));
    SATDOF_CUDA(cudaGraphLaunch(replay, stream));
    SATDOF_CUDA(cudaStreamSynchronize(stream));
    const auto result = accelerations.read();
    EXPECT_TRUE(test::sameBits(result, expected));
    SATDOF_CUDA(cudaGraphExecDestroy(replay));
    SATDOF_CUDA(cudaGraphDestroy(graph));
    SATDOF_CUDA(cudaStreamDestroy(stream));
  }
}

TEST_F(GravityTest, StagesAreTimed) {
  const auto gravity = makeGravity({.method = GravityMethod::tree, .bodies = 100, .softening = 0.01f});
  EXPECT_TRUE(gravity->stageTimes().empty());
  computed(*gravity, randomBodies(100, 1), false);
  const auto times = gravity->stageTimes();
  ASSERT_EQ(times.size(), 3u);
  EXPECT_STREQ(times[0].name, "sort");
}

TEST_F(GravityTest, TooLittleMemorySaysWhatFits) {
  if (!affordable(1u << 24)) GTEST_SKIP() << "slow";
  std::size_t free = 0, total = 0;
  SATDOF_CUDA(cudaMemGetInfo(&free, &total));
  const std::size_t most = std::size_t{1} << 30;
  if (free <= most) GTEST_SKIP() << "too little device memory for the test";
  const DeviceArray<char> rest(free - most);
  const std::string reason = test::reasonOf([] { makeGravity({.method = GravityMethod::tree, .bodies = 1u << 24}); });
  EXPECT_NE(reason.find("would fit"), reason.npos) << "2^24 bodies in 1 GiB: " << reason;
  EXPECT_EQ(reason.find(": 0 would fit"), reason.npos) << reason;
}

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

// Sums over all bodies that gravity conserves.
struct Conserved {
  double kinetic, potential;
  double momentum[3];
  double angularMomentum[3];  // about the origin
};

// Positions, velocities and accelerations on the device, moved by the leapfrog.
class System {
 public:
  System(const Galaxy& galaxy, const GravityOptions& options)
      : positions_(galaxy.positions),
        velocities_(galaxy.velocities),
        accelerations_(galaxy.positions.size()),
        bodies_(static_cast<std::uint32_t>(galaxy.positions.size())),
        gravity_(makeGravity(options)) {
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
    gravity_->run(positions_.data(), withPotentials.data(), true, nullptr);
    const Galaxy galaxy = read();
    const std::vector<float4> accelerations = withPotentials.read();
    Conserved sums{};
    for (std::size_t i = 0; i < accelerations.size(); ++i) {
      const float4 at = galaxy.positions[i], velocity = galaxy.velocities[i];
      const double m = at.w, p[] = {at.x, at.y, at.z}, v[] = {velocity.x, velocity.y, velocity.z};
      sums.kinetic += m / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      sums.potential += m / 2 * accelerations[i].w;
      for (int k = 0; k < 3; ++k) {
        const int x = (k + 1) % 3, y = (k + 2) % 3;
        sums.momentum[k] += m * v[k];
        sums.angularMomentum[k] += m * (p[x] * v[y] - p[y] * v[x]);
      }
    }
    return sums;
  }
  Galaxy read() const { return {positions_.read(), velocities_.read()}; }

 private:
  PoisonedArray<float4> positions_, velocities_, accelerations_;
  std::uint32_t bodies_;
  std::unique_ptr<Gravity> gravity_;
};

TEST_F(GravityTest, LeapfrogRunsBackwards) {
  if (!affordable(100000)) GTEST_SKIP() << "200 steps";
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
  if (!affordable(100000)) GTEST_SKIP() << "1000 steps";
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

// The groups cover all bodies, at any sizes; few bodies still fill the device.
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
