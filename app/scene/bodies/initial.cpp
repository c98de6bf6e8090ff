#include "app/scene/bodies/initial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <numbers>
#include <random>
#include <span>
#include <stdexcept>

namespace satdof {

namespace {

using glm::dvec3;
constexpr double kTurn = 2 * std::numbers::pi;

// Reproducible random numbers: the distributions of the standard library differ between implementations, its generators
// do not.
class Random {
 public:
  explicit Random(int seed) : bits_(static_cast<std::uint64_t>(seed)) {}
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * uniform(); }
  dvec3 direction() {
    const double z = between(-1, 1), angle = kTurn * uniform(), level = std::sqrt(1 - z * z);
    return {level * std::cos(angle), level * std::sin(angle), z};
  }
  // Each component has the standard deviation 1.
  dvec3 gaussian() {
    const auto pair = [&] {
      const double radius = std::sqrt(-2 * std::log(1 - uniform())), angle = kTurn * uniform();
      return radius * std::cos(angle);
    };
    const double x = pair(), y = pair(), z = pair();
    return {x, y, z};
  }

 private:
  std::mt19937_64 bits_;
};

struct Body {
  dvec3 position{0.0}, velocity{0.0};
  double mass = 0;
};
using Bodies = std::vector<Body>;

// Draws masses from a power law of exponent -2.35 (Salpeter 1955) over a factor of 16, and scales their sum to `total`.
void setMasses(std::span<Body> bodies, double total, Random& random) {
  const double low = 1, high = std::pow(16.0, -1.35);
  double sum = 0;
  for (Body& body : bodies) {
    body.mass = std::pow(random.between(low, high), -1 / 1.35);
    sum += body.mass;
  }
  for (Body& body : bodies) body.mass *= total / sum;
}

// Converts to single precision, with the centre of mass at rest at the origin.
BodyState finish(Bodies& bodies) {
  dvec3 centre(0.0), momentum(0.0);
  double mass = 0;
  for (const Body& body : bodies) {
    centre += body.mass * body.position;
    momentum += body.mass * body.velocity;
    mass += body.mass;
  }
  BodyState state;
  for (const Body& body : bodies) {
    state.positions.emplace_back(glm::vec3(body.position - centre / mass), static_cast<float>(body.mass));
    state.velocities.emplace_back(glm::vec3(body.velocity - momentum / mass), 0.0f);
  }
  return state;
}

// Samples a body of Plummer's sphere of the given length scale and mass. `largestFraction`: cuts off the outermost
// mass.
Body plummerBody(double scale, double mass, double largestFraction, Random& random) {
  Body body;
  const double inside = random.between(0, largestFraction);
  const double radius = scale / std::sqrt(std::pow(std::max(inside, 1e-12), -2.0 / 3.0) - 1);
  body.position = radius * random.direction();
  // Speeds q in units of the escape speed have the density q^2 (1 - q^2)^3.5, at most 0.1.
  double q = 0, height = 0;
  do {
    q = random.uniform();
    height = random.between(0, 0.1);
  } while (height > q * q * std::pow(1 - q * q, 3.5));
  const double escape = std::sqrt(2 * mass) / std::pow(scale * scale + radius * radius, 0.25);
  body.velocity = q * escape * random.direction();
  return body;
}

// Fraction of the mass of Plummer's sphere within a radius.
double plummerWithin(double scale, double radius) {
  return std::pow(radius * radius / (scale * scale + radius * radius), 1.5);
}

struct Galaxy {
  double mass, bulgeScale, bulgePart;  // bulgePart: fraction of the mass
  double discScale, discRadius;        // exponential surface density
  dvec3 axis;                          // of the rotation
  dvec3 centre, velocity;
};

// Samples the bodies of a galaxy: a bulge, and a disc in circular motion with 5 % velocity dispersion.
void fill(std::span<Body> bodies, const Galaxy& galaxy, Random& random) {
  const auto within = [&](double radius) {  // mass of an exponential disc
    const double t = radius / galaxy.discScale;
    return 1 - (1 + t) * std::exp(-t);
  };
  const double whole = within(galaxy.discRadius);
  const dvec3 u = glm::normalize(glm::cross(galaxy.axis, dvec3(0.3, 0.1, 0.9)));
  const dvec3 v = glm::cross(galaxy.axis, u);
  for (Body& body : bodies) {
    if (random.uniform() < galaxy.bulgePart) {
      body = plummerBody(galaxy.bulgeScale, galaxy.bulgePart * galaxy.mass, 0.95, random);
    } else {
      const double part = whole * random.uniform();
      double low = 0, high = galaxy.discRadius;
      // Bisection inverts within().
      for (int i = 0; i < 40; ++i) (within((low + high) / 2) < part ? low : high) = (low + high) / 2;
      const double radius = low, angle = kTurn * random.uniform();
      const dvec3 outward = std::cos(angle) * u + std::sin(angle) * v;
      const double inside = galaxy.mass * (galaxy.bulgePart * plummerWithin(galaxy.bulgeScale, radius) +
                                           (1 - galaxy.bulgePart) * part / whole);
      const double speed = std::sqrt(inside / std::max(radius, 1e-3));
      body.position = radius * outward + 0.02 * random.gaussian().x * galaxy.axis;
      body.velocity = speed * (glm::cross(galaxy.axis, outward) + 0.05 * random.gaussian());
    }
    body.position += galaxy.centre;
    body.velocity += galaxy.velocity;
  }
}

using MakeState = BodyState (*)(int count, int seed);
struct InitialRow {
  InitialState value;
  const char* name;
  const char* summary;
  MakeState make;
};
constexpr std::array kInitialStates = {
    InitialRow{InitialState::plummer, "plummer", "Plummer's sphere, in equilibrium", plummer},
    InitialRow{InitialState::galaxies, "galaxies", "two discs with bulges, which collide", galaxies},
    InitialRow{InitialState::collapse, "collapse", "a sphere almost at rest, which collapses", collapse},
    InitialRow{InitialState::disc, "disc", "a thin disc around a heavy centre", disc},
};
constexpr auto kEntries = [] {
  std::array<EnumEntry<InitialState>, kInitialStates.size()> found{};
  std::ranges::transform(kInitialStates, found.begin(), [](const InitialRow& row) {
    return EnumEntry<InitialState>{row.value, row.name, row.summary};
  });
  return found;
}();

}  // namespace

BodyState plummer(int count, int seed) {
  Random random(seed);
  Bodies bodies(static_cast<std::size_t>(count));
  const double scale = 3 * std::numbers::pi / 16;
  for (Body& body : bodies) body = plummerBody(scale, 1, 0.97, random);
  setMasses(bodies, 1, random);
  return finish(bodies);
}

BodyState galaxies(int count, int seed) {
  Random random(seed);
  Bodies bodies(static_cast<std::size_t>(count));
  const auto half = std::span(bodies).first(bodies.size() / 2);
  const auto rest = std::span(bodies).subspan(half.size());
  const Galaxy left{.mass = 0.5,
                    .bulgeScale = 0.05,
                    .bulgePart = 0.45,
                    .discScale = 0.16,
                    .discRadius = 0.62,
                    .axis = glm::normalize(dvec3(0.35, 0.8, 0.5)),
                    .centre = {-0.75, -0.14, 0.15},
                    .velocity = {0.42, 0.02, -0.06}};
  Galaxy right = left;
  right.axis = glm::normalize(dvec3(-0.7, 0.45, 0.55));
  right.centre = -left.centre;
  right.velocity = -left.velocity;
  fill(half, left, random);
  fill(rest, right, random);
  if (half.empty()) {
    setMasses(rest, 1, random);
  } else {
    setMasses(half, 0.5, random);
    setMasses(rest, 0.5, random);
  }
  return finish(bodies);
}

BodyState collapse(int count, int seed) {
  Random random(seed);
  Bodies bodies(static_cast<std::size_t>(count));
  constexpr double kRadius = 1.2;
  for (Body& body : bodies) {
    body.position = kRadius * std::cbrt(random.uniform()) * random.direction();
    body.velocity = 0.04 * random.gaussian();
  }
  setMasses(bodies, 1, random);
  return finish(bodies);
}

BodyState disc(int count, int seed) {
  Random random(seed);
  Bodies bodies(static_cast<std::size_t>(count));
  constexpr double kCentreMass = 0.8, kInner = 0.15, kOuter = 1.25;
  const auto others = std::span(bodies).subspan(1);
  const dvec3 axis = glm::normalize(dvec3(0.15, 0.9, 0.4));
  const dvec3 u = glm::normalize(glm::cross(axis, dvec3(0.0, 0.0, 1.0))), v = glm::cross(axis, u);
  // The surface density falls as 1 / r, so equal widths hold equal masses.
  for (Body& body : others) {
    const double part = random.uniform(), angle = kTurn * random.uniform();
    const double radius = kInner + (kOuter - kInner) * part;
    const dvec3 outward = std::cos(angle) * u + std::sin(angle) * v;
    const double speed = std::sqrt((kCentreMass + (1 - kCentreMass) * part) / radius);
    body.position = radius * outward + 0.02 * radius * random.gaussian().x * axis;
    body.velocity = speed * (glm::cross(axis, outward) + 0.02 * random.gaussian());
  }
  setMasses(others, 1 - kCentreMass, random);
  bodies[0].mass = others.empty() ? 1 : kCentreMass;
  return finish(bodies);
}

BodyState initialState(InitialState initial, int count, int seed) {
  const auto row = std::ranges::find(kInitialStates, initial, &InitialRow::value);
  if (row == kInitialStates.end())
    throw std::logic_error("an initial state without a row in app/scene/bodies/initial.cpp");
  return row->make(count, seed);
}

std::span<const EnumEntry<InitialState>> entries(InitialState) { return kEntries; }

}  // namespace satdof
