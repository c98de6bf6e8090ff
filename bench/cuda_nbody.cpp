#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bench/cuda_device.h"
#include "cuda/nbody/gravity.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::bench {

namespace {

constexpr float kSoftening = 0.01f;

enum class Masses { equal, varied };

// A Plummer sphere with the scale radius 1 and a total mass of about 1, cut at 10 radii.
std::vector<float4> plummerSphere(std::uint32_t bodies, Masses masses) {
  std::mt19937 random(bodies);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<float4> positions(bodies);
  for (float4& position : positions) {
    double radius = 0;
    do radius = 1 / std::sqrt(std::pow(uniform(random), -2.0 / 3) - 1);
    while (!(radius < 10));
    const double height = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
    const double flat = std::sqrt(1 - height * height);
    const double mass = masses == Masses::equal ? 1 : 0.5 + uniform(random);
    position = {static_cast<float>(radius * flat * std::cos(angle)),
                static_cast<float>(radius * flat * std::sin(angle)), static_cast<float>(radius * height),
                static_cast<float>(mass / bodies)};
  }
  return positions;
}

// The root mean square of the relative errors of a sample of accelerations; the reference sums in double
// precision.
double relativeError(const std::vector<float4>& positions, const std::vector<float4>& accelerations) {
  const std::size_t samples = std::clamp<std::size_t>(200'000'000 / positions.size(), 50, 1000);
  double squares = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    const std::size_t i = s * positions.size() / samples;
    double sum[3] = {};
    for (const float4& source : positions) {
      const double x = double{source.x} - positions[i].x, y = double{source.y} - positions[i].y,
                   z = double{source.z} - positions[i].z;
      const double r2 = x * x + y * y + z * z + double{kSoftening} * kSoftening;
      const double scale = source.w / (r2 * std::sqrt(r2));
      sum[0] += scale * x;
      sum[1] += scale * y;
      sum[2] += scale * z;
    }
    const float4 a = accelerations[i];
    squares += (std::pow(a.x - sum[0], 2) + std::pow(a.y - sum[1], 2) + std::pow(a.z - sum[2], 2)) /
               (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  }
  return std::sqrt(squares / static_cast<double>(samples));
}

Result gravity(cuda::GravityOptions options, Masses masses) {
  options.softening = kSoftening;
  const std::vector<float4> bodies = plummerSphere(options.bodies, masses);
  const cuda::DeviceArray<float4> positions(options.bodies), accelerations(options.bodies);
  SATDOF_CUDA(cudaMemcpy(positions.data(), bodies.data(), positions.bytes(), cudaMemcpyHostToDevice));
  const auto gravity = cuda::makeGravity(options);
  Result result;
  result.time = timeOnDevice(
      [&](cudaStream_t stream) { gravity->run(positions.data(), accelerations.data(), false, stream); }, Input::warm);
  result.bytes = 2 * static_cast<double>(positions.bytes());
  std::vector<float4> computed(options.bodies);
  SATDOF_CUDA(cudaMemcpy(computed.data(), accelerations.data(), accelerations.bytes(), cudaMemcpyDeviceToHost));
  result.counters["rmsError"] = relativeError(bodies, computed);
  if (options.method != cuda::GravityMethod::tree)
    result.counters["interactionsPerSecond"] = 1e6 * options.bodies * options.bodies / result.time.medianUs();
  return result;
}

}  // namespace

void addDeviceGravity() {
  using cuda::GravityMethod;
  for (const std::uint32_t bodies : {1u << 10, 1u << 12, 1u << 14, 1u << 16, 1u << 18}) {
    const auto add = [&](const char* name, GravityMethod method, Masses masses) {
      addRow(path({"nbody", name, std::to_string(bodies)}),
             [=] { return gravity({.method = method, .bodies = bodies}, masses); });
    };
    add("naive", GravityMethod::naive, Masses::varied);
    add("tiled", GravityMethod::tiled, Masses::varied);
    add("tiled-equal-masses", GravityMethod::tiled, Masses::equal);
  }
  for (const std::uint32_t bodies : {1u << 14, 1u << 16, 1u << 18, 1u << 20, 1u << 22})
    for (const TraversalInfo& info : kTraversals)
      addRow(path({"nbody", std::string("tree-").append(info.name), std::to_string(bodies)}), [=] {
        return gravity({.method = GravityMethod::tree, .bodies = bodies, .traversal = info.value}, Masses::varied);
      });
}

}  // namespace satdof::bench
