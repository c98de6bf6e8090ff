#include "app/device/cuda/cuda_pass.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace satdof::on_cuda {

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

cuda::SharedTexture shared(const gl::Texture& texture, cuda::Access access) {
  return {texture.name(), texelFormat(texture.format()), texture.size().x, texture.size().y, access};
}
cuda::SharedBuffer shared(const gl::Buffer& buffer, cuda::Access access) {
  return {buffer.name(), static_cast<std::size_t>(buffer.bytes()), access};
}

}  // namespace

template <class Handle>
void CudaCrossing<Handle>::stopSharing() {
  graph_ = std::make_unique<cuda::FrameGraph>();
  for (const Owned& owned : works_) owned.work->forgetArrays();
  interop_.reset();
  generations_.clear();
  mapped_.clear();
}

template <class Handle>
void CudaCrossing<Handle>::reset() {
  graph_ = std::make_unique<cuda::FrameGraph>();
  works_.clear();
  interop_.reset();
  generations_.clear();
  mapped_.clear();
}

template <class Handle>
bool CudaCrossing<Handle>::share(std::span<const Shared> objects) {
  const auto isKnown = [](const Shared& shared, std::uint64_t generation) {
    return shared.object.generation() == generation;
  };
  if (interop_ != nullptr && std::ranges::equal(objects, generations_, isKnown)) return false;
  stopSharing();
  std::vector<decltype(shared(std::declval<const Object&>(), cuda::Access::read))> described;
  for (const auto& [object, access] : objects) {
    described.push_back(shared(object, access));
    generations_.push_back(object.generation());
  }
  interop_ = cuda::makeInterop(std::move(described));
  return true;
}

template <class Handle>
bool CudaCrossing<Handle>::moved(std::span<const Handle> handles) {
  if (std::ranges::equal(handles, mapped_)) return false;
  if (!mapped_.empty())
    for (const Owned& owned : works_) owned.work->forgetArrays();
  mapped_.assign(handles.begin(), handles.end());
  return true;
}

template <class Handle>
void CudaCrossing<Handle>::run(std::span<const Shared> objects, bool changed, Timings& timings,
                               const Enqueue& enqueue) {
  changed |= share(objects);
  try {
    std::span<const Handle> handles;
    {
      const auto scope = timings.cpu("map");
      handles = interop_->map(stream_);
    }
    changed |= moved(handles);
    graph_->run(
        changed, [&] { enqueue(handles, stream_); }, stream_);
  } catch (...) {
    stopSharing();
    throw;
  }
  {
    const auto scope = timings.cpu("unmap");
    interop_->unmap(stream_);
  }
  std::vector<cuda::StageTime> stages;  // works may have stages of one name, such as two tables
  for (Owned& owned : works_)
    if (std::exchange(owned.runs, owned.work->runs()) != owned.work->runs())
      for (const cuda::StageTime& stage : owned.work->stageTimes()) {
        const auto known = std::ranges::find_if(
            stages, [&](const cuda::StageTime& other) { return std::string_view(other.name) == stage.name; });
        if (known == stages.end())
          stages.push_back(stage);
        else
          known->timeUs += stage.timeUs;
      }
  for (const auto& [name, timeUs] : stages) timings.report(name, Clock::gpu, timeUs);
}

template <class Handle>
std::string CudaCrossing<Handle>::state() const {
  if (interop_ == nullptr) return {};
  return std::string("interop: ") + (interop_->direct() ? "direct" : "staged") + (graph_->replaying() ? ", graph" : "");
}

template class CudaCrossing<cudaArray*>;
template class CudaCrossing<void*>;

}  // namespace satdof::on_cuda
