#pragma once
#include <glm/vec4.hpp>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// Positions, masses and velocities, in units in which the gravitational constant and the total mass are 1.
struct BodyState {
  std::vector<glm::vec4> positions;   // w: mass
  std::vector<glm::vec4> velocities;  // w: 0
};

// The functions below return `count` bodies whose masses vary by a factor of 16 (Salpeter); discs have a heavier first
// body. The centre of mass is at rest at the origin. Equal arguments give equal bits.

// Plummer's sphere in equilibrium with energy -1/4, cut off at 97 % of the mass (Aarseth, Henon and Wielen 1974).
BodyState plummer(int count, int seed);
// Two discs with bulges, which meet after 1.3 units of time.
BodyState galaxies(int count, int seed);
// A uniform sphere almost at rest, which collapses in 1.5 units of time.
BodyState collapse(int count, int seed);
// A thin disc in circular motion around the first body, which has 4/5 of the mass.
BodyState disc(int count, int seed);

BodyState initialState(InitialState initial, int count, int seed);

}  // namespace satdof
