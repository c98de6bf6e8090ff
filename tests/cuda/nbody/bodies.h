#pragma once
#include <vector_types.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

// Bodies for the tests of gravity, and their gravity by brute force in double precision.
namespace satdof::cuda {

struct Acceleration {
  double x = 0, y = 0, z = 0, potential = 0;
  double length() const { return std::sqrt(x * x + y * y + z * z); }
};

inline std::vector<Acceleration> referenceGravity(const std::vector<float4>& bodies, double softening) {
  std::vector<Acceleration> result(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j) continue;
      const double x = double{bodies[j].x} - bodies[i].x, y = double{bodies[j].y} - bodies[i].y,
                   z = double{bodies[j].z} - bodies[i].z;
      const double inverse = 1 / std::sqrt(x * x + y * y + z * z + softening * softening);
      const double scale = bodies[j].w * inverse * inverse * inverse;
      result[i].x += scale * x;
      result[i].y += scale * y;
      result[i].z += scale * z;
      result[i].potential -= bodies[j].w * inverse;
    }
  return result;
}

enum class MassesOf { equal, random };

// In the unit cube about the origin, of total mass near 1.
inline std::vector<float4> randomBodies(std::uint32_t count, unsigned seed, MassesOf masses = MassesOf::random) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-0.5f, 0.5f), mass(0.5f, 1.5f);
  std::vector<float4> bodies(count);
  for (float4& body : bodies) {
    body.x = place(random);
    body.y = place(random);
    body.z = place(random);
    body.w = (masses == MassesOf::equal ? 1.0f : mass(random)) / static_cast<float>(count);
  }
  return bodies;
}

struct Galaxy {
  std::vector<float4> positions, velocities;
};

// A Plummer sphere in equilibrium: total mass 1, radius 1, within 10 radii; momentum 0. Aarseth, Henon,
// Wielen 1974.
inline Galaxy plummerSphere(std::uint32_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&](double length) {
    const double z = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
    const double flat = std::sqrt(1 - z * z);
    return float4{static_cast<float>(length * flat * std::cos(angle)),
                  static_cast<float>(length * flat * std::sin(angle)), static_cast<float>(length * z), 0.0f};
  };
  Galaxy galaxy;
  double momentum[3] = {};
  for (std::uint32_t i = 0; i < count; ++i) {
    double radius = 0;
    do radius = 1 / std::sqrt(std::pow(uniform(random), -2.0 / 3) - 1);
    while (!(radius < 10));
    double fraction = 0, height = 0;  // of the escape velocity
    do {
      fraction = uniform(random);
      height = 0.1 * uniform(random);
    } while (height > fraction * fraction * std::pow(1 - fraction * fraction, 3.5));
    const double speed = fraction * std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
    galaxy.positions.push_back(direction(radius));
    galaxy.positions.back().w = 1.0f / static_cast<float>(count);
    galaxy.velocities.push_back(direction(speed));
    momentum[0] += galaxy.velocities.back().x;
    momentum[1] += galaxy.velocities.back().y;
    momentum[2] += galaxy.velocities.back().z;
  }
  for (float4& velocity : galaxy.velocities) {
    velocity.x -= static_cast<float>(momentum[0] / count);
    velocity.y -= static_cast<float>(momentum[1] / count);
    velocity.z -= static_cast<float>(momentum[2] / count);
  }
  return galaxy;
}

}  // namespace satdof::cuda
