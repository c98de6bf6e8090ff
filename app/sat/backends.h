#pragma once
#include <memory>
#include <string>

#include "app/sat/sat_backend.h"

// The backends without CUDA, as makeSatBackend() makes them.
namespace satdof {

// The table is made in memory: colour is downloaded, the table uploaded.
std::unique_ptr<SatBackend> makeCpuBackend(const Method& method);
std::unique_ptr<SatBackend> makeCpuSequentialBackend(const Method& method);

// What `automatic` stands for where OpenGL's renderer is `renderer` (GL_RENDERER).
Backend preferredBackend(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
