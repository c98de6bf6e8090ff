#pragma once
#include "cuda/nbody/gravity.h"

// One factory per GravityMethod, in the source file of that name. The options are valid, and bodies > 0: makeGravity()
// checks them.
namespace satdof::cuda {

std::unique_ptr<Gravity> makeNaiveGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTiledGravity(const GravityOptions& options);
std::unique_ptr<Gravity> makeTreeGravity(const GravityOptions& options);

}  // namespace satdof::cuda
