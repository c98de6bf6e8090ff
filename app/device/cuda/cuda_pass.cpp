#include "app/device/cuda/cuda_pass.h"

#include <algorithm>
#include <stdexcept>

namespace satdof {

namespace {

cuda::TexelFormat texelFormat(GLenum format) {
  switch (format) {
    case GL_RGBA16F:
      return cuda::TexelFormat::rgba16f;
    case GL_RGBA32F:
      return cuda::TexelFormat::rgba32f;
    case GL_RGBA32UI:
      return cuda::TexelFormat::rgba32ui;
    case GL_R32F:
      return cuda::TexelFormat::r32f;
    default:
      throw std::runtime_error("cannot share a texture of OpenGL format " + std::to_string(format) +
                               " with CUDA: unknown format; add it to texelFormat()");
  }
}

}  // namespace

void CudaCrossing::stopSharing() {
  graph_ = std::make_unique<cuda::GraphRing>();
  for (const auto& work : works_) work->forgetArrays();
  interop_.reset();
  generations_.clear();
}

void CudaCrossing::reset() {
  graph_ = std::make_unique<cuda::GraphRing>();
  works_.clear();
  interop_.reset();
  generations_.clear();
}

bool CudaCrossing::share(std::initializer_list<Shared> textures) {
  const auto isKnown = [](const Shared& shared, std::uint64_t generation) {
    return shared.texture.generation() == generation;
  };
  if (interop_ != nullptr && std::ranges::equal(textures, generations_, isKnown)) return false;
  stopSharing();
  std::vector<cuda::SharedTexture> shared;
  for (const auto& [texture, access] : textures) {
    shared.push_back(
        {texture.name(), texelFormat(texture.format()), texture.size().x, texture.size().y, access});
    generations_.push_back(texture.generation());
  }
  interop_ = cuda::makeInterop(std::move(shared));
  return true;
}

void CudaCrossing::cross(bool changed, const Enqueue& enqueue, Timings& timings) {
  try {
    std::span<cudaArray* const> arrays;
    {
      const auto scope = timings.cpu("map");
      arrays = interop_->map(stream_);
    }
    graph_->run(
        changed, [&] { enqueue(arrays, stream_); }, stream_);
  } catch (...) {
    stopSharing();
    throw;
  }
  {
    const auto scope = timings.cpu("unmap");
    interop_->unmap(stream_);
  }
  for (const auto& work : works_)
    for (const auto& [stage, timeUs] : work->stageTimes()) timings.report(stage, Clock::gpu, timeUs);
}

std::string CudaCrossing::state() const {
  if (interop_ == nullptr) return {};
  return std::string("interop: ") + (interop_->direct() ? "direct" : "staged") +
         (graph_->replaying() ? ", graph" : "");
}

}  // namespace satdof
