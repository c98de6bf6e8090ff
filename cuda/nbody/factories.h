#pragma once
#include "cuda/nbody/gravity.h"

// One factory for each method, in the file of that name. makeGravity() checks the options; bodies > 0.
namespace satdof::cuda {

std::unique_ptr<Gravity> makeNaiveGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTiledGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTreeGravity(const GravityOptions& options);

}  // namespace satdof::cuda
