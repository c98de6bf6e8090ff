#pragma once
#include <random>

namespace satdof::test {

// Seeded random numbers: uniform(low, high) is a float in [low, high), uniform.bits() has 32 random bits.
class Uniform {
 public:
  explicit Uniform(std::mt19937::result_type seed) : bits(seed) {}
  float operator()(float low, float high) { return std::uniform_real_distribution(low, high)(bits); }

  std::mt19937 bits;
};

}  // namespace satdof::test
