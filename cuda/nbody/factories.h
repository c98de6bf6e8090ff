#pragma once
#include "cuda/nbody/gravity.h"

// One factory per method, in the source file of that name. makeGravity() checks the options before; bodies >
// 0.
namespace satdof::cuda {

std::unique_ptr<Gravity> makeNaiveGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTiledGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTreeGravity(const GravityOptions& options);

}  // namespace satdof::cuda
