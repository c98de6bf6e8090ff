#include "app/scene/bodies/solver.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "app/gl/built.h"
#include "app/gl/software.h"
#include "app/scene/bodies/cpu_solver.h"
#include "app/scene/bodies/cuda.h"
#include "app/scene/bodies/gl_solver.h"

namespace satdof {

namespace {

using MakeSolver = std::unique_ptr<Solver> (*)(const BodiesSettings&);
#if SATDOF_HAS_CUDA
constexpr MakeSolver kNaive = on_cuda::makeNaiveSolver, kTiled = on_cuda::makeTiledSolver,
                     kTree = on_cuda::makeTreeSolver;
#else
constexpr MakeSolver kNaive = nullptr, kTiled = nullptr, kTree = nullptr;
#endif
#if SATDOF_HAS_EMULATOR
constexpr MakeSolver kTiledEmulated = on_cuda_emulated::makeTiledSolver,
                     kTreeEmulated = on_cuda_emulated::makeTreeSolver;
#else
constexpr MakeSolver kTiledEmulated = nullptr, kTreeEmulated = nullptr;
#endif

constexpr int kMillion = 1 << 20;

constexpr std::array kSolvers = {
    SolverRow{BodySolver::cpuLoop, "cpu-loop", "all pairs, a plain loop on one core: the baseline", 16384, false, false,
              DeviceKind::processor, makeCpuLoopSolver},
    SolverRow{BodySolver::cpu, "cpu", "all pairs on all cores, vectorised", kMillion / 8, false, false,
              DeviceKind::processor, makeCpuPairsSolver},
    SolverRow{BodySolver::cpuTree, "cpu-tree", "Barnes and Hut 1986 on all cores", 4 * kMillion, true, false,
              DeviceKind::processor, makeCpuTreeSolver},
    SolverRow{BodySolver::glCompute, "gl-compute", "all pairs in compute shaders, tiles in shared memory", kMillion / 2,
              false, false, DeviceKind::openGl, makeGlSolver},
    SolverRow{BodySolver::cudaNaive, "cuda-naive", "all pairs, one thread a body, from global memory", kMillion, false,
              false, DeviceKind::cuda, kNaive},
    SolverRow{BodySolver::cudaTiled, "cuda-tiled", "all pairs, tiles in shared memory", 2 * kMillion, false, false,
              DeviceKind::cuda, kTiled},
    SolverRow{BodySolver::cudaTree, "cuda-tree", "Barnes and Hut 1986, built and walked in parallel", 16 * kMillion,
              true, true, DeviceKind::cuda, kTree},
    SolverRow{BodySolver::cudaTiledEmulated, "cuda-tiled-emulated",
              "the kernels of cuda-tiled, emulated on the processor", 4096, false, false, DeviceKind::emulated,
              kTiledEmulated},
    SolverRow{BodySolver::cudaTreeEmulated, "cuda-tree-emulated", "the kernels of cuda-tree, emulated on the processor",
              16384, true, true, DeviceKind::emulated, kTreeEmulated},
};

constexpr auto kEntries = [] {
  std::array<EnumEntry<BodySolver>, kSolvers.size() + 1> found{};
  found[0] = {BodySolver::automatic, "auto", "the fastest solver available here for the number of bodies"};
  std::ranges::transform(kSolvers, found.begin() + 1, [](const SolverRow& row) {
    return EnumEntry<BodySolver>{row.value, row.name, row.summary};
  });
  return found;
}();

// The solver that `automatic` selects: `pairs` for up to maxPairs bodies, else `tree`.
struct Choice {
  BodySolver pairs;
  int maxPairs;
  BodySolver tree;
};
constexpr Choice kOnCuda{BodySolver::cudaTiled, 32768, BodySolver::cudaTree};
constexpr Choice kOnGpu{BodySolver::glCompute, 65536, BodySolver::cpuTree};
constexpr Choice kOnProcessor{BodySolver::cpu, 4096, BodySolver::cpuTree};

constexpr std::size_t kBodyBytes = 3 * sizeof(glm::vec4);

// Whether OpenGL has the memory: allocates and frees it.
bool fits(std::size_t bodies) {
  try {
    const gl::Buffer trial(static_cast<GLsizeiptr>(bodies * kBodyBytes), nullptr);
    return true;
  } catch (const std::runtime_error&) {
    (void)glGetError();  // clears the error of the trial
    return false;
  }
}

}  // namespace

BodyBuffers::BodyBuffers(int bodies) : count(bodies) {
  if (!fits(static_cast<std::size_t>(bodies))) {
    int most = bodies;
    while (most > 1 && !fits(static_cast<std::size_t>(most))) most -= (most + 7) / 8;
    throw std::runtime_error("cannot hold " + std::to_string(bodies) + " bodies: OpenGL has no " +
                             std::to_string(static_cast<std::size_t>(bodies) * kBodyBytes >> 20) +
                             " MiB; choose at most " + std::to_string(most) + " --bodies");
  }
  const auto bytes = static_cast<GLsizeiptr>(static_cast<std::size_t>(bodies) * sizeof(glm::vec4));
  for (auto* buffer : {&positions, &velocities, &accelerations})
    *buffer = gl::Buffer(bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
}

BodyState Solver::state() const {
  BodyState state;
  const auto read = [&](const gl::Buffer& buffer, std::vector<glm::vec4>& values) {
    values.resize(static_cast<std::size_t>(buffers_.count));
    glGetNamedBufferSubData(buffer.name(), 0, buffer.bytes(), values.data());
  };
  read(buffers_.positions, state.positions);
  read(buffers_.velocities, state.velocities);
  return state;
}

std::span<const SolverRow> solverRows() { return kSolvers; }
std::span<const EnumEntry<BodySolver>> entries(BodySolver) { return kEntries; }

const SolverRow& solverRow(BodySolver solver) {
  const auto found = std::ranges::find(kSolvers, solver, &SolverRow::value);
  if (found == kSolvers.end()) throw std::logic_error("a solver without a row in app/scene/bodies/solver.cpp");
  return *found;
}

const SolverRow& solverOf(const BodiesSettings& settings) {
  if (settings.solver != BodySolver::automatic) return solverRow(settings.solver);
  const Choice& choice = availability(kOnCuda.tree).available ? kOnCuda
                         : gl::isSoftwareRenderer()           ? kOnProcessor
                                                              : kOnGpu;
  return solverRow(settings.count <= choice.maxPairs ? choice.pairs : choice.tree);
}

Availability availability(BodySolver solver) {
  if (solver == BodySolver::automatic) return {true, ""};
  return availability(solverRow(solver).runsOn);
}

Availability availability(Traversal) {
  const auto runs = [](const SolverRow& row) { return row.readsTreeOptions && availability(row.runsOn).available; };
  const auto found = std::ranges::find_if(kSolvers, runs);
  return availability(found == kSolvers.end() ? DeviceKind::cuda : found->runsOn);
}

std::unique_ptr<Solver> makeSolver(const BodiesSettings& settings) {
  const SolverRow& row = solverOf(settings);
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error("cannot move " + std::to_string(settings.count) + " bodies with " + row.name + ": " + why);
  };
  if (const Availability& here = availability(row.value); !here.available)
    refuse(here.reason + "; choose another --solver (--list shows them)");
  if (settings.count > row.maxBodies)
    refuse("at most " + std::to_string(row.maxBodies) +
           ", more bodies take seconds per step; choose fewer --bodies or another --solver");
  return gl::withBuiltPrograms([&] { return row.make(settings); });
}

}  // namespace satdof
