#include "cuda/nbody/gravity.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "cuda/nbody/factories.h"

namespace satdof::cuda {

namespace {

constexpr std::uint32_t kMaxBodies = 1u << 27;

using Factory = std::unique_ptr<Gravity> (*)(const GravityOptions&);

// For no bodies.
class NoGravity : public Gravity {
 public:
  void run(const float4*, float4*, bool, CUstream_st*) override {}
  std::vector<StageTime> stageTimes() const override { return {}; }
  size_t runs() const override { return 0; }
};

Factory factoryOf(GravityMethod method) {
  switch (method) {
    case GravityMethod::naive:
      return makeNaiveGravity;
    case GravityMethod::tiled:
      return makeTiledGravity;
    case GravityMethod::tree:
      return makeTreeGravity;
  }
  throw std::runtime_error("unknown gravity method " + std::to_string(static_cast<int>(method)));
}

void requireNotNegative(float value, const char* name) {
  if (std::isfinite(value) && value >= 0) return;
  throw std::runtime_error(std::string("cannot compute gravity with ").append(name) + " " + std::to_string(value) +
                           ": choose 0 or more");
}

// The largest number of bodies, in steps of 1/8, for which the scratch memory can be allocated; 0 if there is
// none.
std::uint32_t bodiesThatFit(GravityOptions options, Factory make) {
  for (std::uint32_t bodies = options.bodies; bodies >= 8;) {
    options.bodies = bodies -= bodies / 8;
    try {
      make(options);
      return bodies;
    } catch (const std::runtime_error&) {
    }
  }
  return 0;
}

}  // namespace

std::unique_ptr<Gravity> makeGravity(const GravityOptions& options) {
  requireNotNegative(options.softening, "softening");
  requireNotNegative(options.openingAngle, "opening angle");
  if (options.bodies > kMaxBodies)
    throw std::runtime_error("cannot compute the gravity of " + std::to_string(options.bodies) +
                             " bodies: choose at most " + std::to_string(kMaxBodies));
  if (options.bodies == 0) return std::make_unique<NoGravity>();
  GravityOptions checked = options;
  checked.softening = std::max(options.softening, kMinSoftening);
  const Factory make = factoryOf(options.method);
  try {
    return make(checked);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot compute the gravity of " + std::to_string(options.bodies) + " bodies: " +
                             error.what() + ": " + std::to_string(bodiesThatFit(checked, make)) + " would fit");
  }
}

}  // namespace satdof::cuda
