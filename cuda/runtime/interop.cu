// The loader comes before cuda_gl_interop.h, which includes the system's OpenGL header.
#include <glad/gl.h>

#include "cuda/runtime/interop.h"

#include <cuda_gl_interop.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>

#include "cuda/runtime/check.h"
#include "cuda/runtime/device_array.h"

namespace satdof::cuda {

namespace {

struct Format {
  GLenum channels, type;
  size_t texelBytes;
};

Format describe(TexelFormat format) {
  const auto [channels, bits, isFloat] = layoutOf(format);
  const GLenum order = channels == 1 ? GL_RED : isFloat ? GL_RGBA : GL_RGBA_INTEGER;
  const GLenum type = !isFloat ? GL_UNSIGNED_INT : bits == 16 ? GL_HALF_FLOAT : GL_FLOAT;
  return {order, type, static_cast<size_t>(channels * bits / 8)};
}

// Why objects cannot be shared directly, and what the user can do.
struct Refusal {
  std::string reason, remedy;
};

cudaError_t registerObject(cudaGraphicsResource_t& resource, const SharedTexture& texture) {
  const unsigned hint =
      texture.access == Access::read ? cudaGraphicsRegisterFlagsReadOnly : cudaGraphicsRegisterFlagsWriteDiscard;
  return cudaGraphicsGLRegisterImage(&resource, texture.name, GL_TEXTURE_2D,
                                     hint | cudaGraphicsRegisterFlagsSurfaceLoadStore);
}
cudaError_t registerObject(cudaGraphicsResource_t& resource, const SharedBuffer& buffer) {
  return cudaGraphicsGLRegisterBuffer(
      &resource, buffer.name,
      buffer.access == Access::read ? cudaGraphicsRegisterFlagsReadOnly : cudaGraphicsRegisterFlagsWriteDiscard);
}

void getMapped(cudaArray*& handle, cudaGraphicsResource_t resource) {
  SATDOF_CUDA(cudaGraphicsSubResourceGetMappedArray(&handle, resource, 0, 0));
}
void getMapped(void*& handle, cudaGraphicsResource_t resource) {
  size_t bytes = 0;
  SATDOF_CUDA(cudaGraphicsResourceGetMappedPointer(&handle, &bytes, resource));
}

// Registers the objects with CUDA.
template <class Handle>
class DirectInterop : public SharedObjects<Handle> {
 public:
  explicit DirectInterop(size_t objects) : handles_(objects) { resources_.reserve(objects); }
  ~DirectInterop() override {
    if (mapped_) cudaGraphicsUnmapResources(count(), resources_.data(), nullptr);
    for (const auto resource : resources_) cudaGraphicsUnregisterResource(resource);
  }

  template <class Object>
  cudaError_t add(const Object& object) {
    cudaGraphicsResource_t resource = nullptr;
    const cudaError_t error = registerObject(resource, object);
    if (error == cudaSuccess) resources_.push_back(resource);
    return error;
  }

  std::span<const Handle> map(CUstream_st* stream) override {
    SATDOF_CUDA(cudaGraphicsMapResources(count(), resources_.data(), stream));
    mapped_ = true;
    for (size_t i = 0; i < resources_.size(); ++i) getMapped(handles_[i], resources_[i]);
    return handles_;
  }

  void unmap(CUstream_st* stream) override {
    mapped_ = false;
    SATDOF_CUDA(cudaGraphicsUnmapResources(count(), resources_.data(), stream));
  }

  bool direct() const override { return true; }

 private:
  int count() const { return static_cast<int>(resources_.size()); }

  std::vector<cudaGraphicsResource_t> resources_;
  std::vector<Handle> handles_;
  bool mapped_ = false;
};

// Copies textures through page-locked host memory.
class StagedInterop : public Interop {
 public:
  explicit StagedInterop(std::vector<SharedTexture> textures) : textures_(std::move(textures)) {
    try {
      for (const SharedTexture& texture : textures_) {
        const size_t rowBytes = static_cast<size_t>(texture.width) * describe(texture.format).texelBytes;
        const auto height = static_cast<size_t>(texture.height);
        owned_.emplace_back(texture.format, texture.width, texture.height);
        arrays_.push_back(owned_.back().get());
        copies_.push_back({rowBytes, height, nullptr});
        SATDOF_CUDA(cudaMallocHost(&copies_.back().memory, rowBytes * height));
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~StagedInterop() override { release(); }

  std::span<cudaArray* const> map(CUstream_st* stream) override {
    for (size_t i = 0; i < textures_.size(); ++i) {
      if (textures_[i].access != Access::read) continue;
      const auto& [rowBytes, rows, memory] = copies_[i];
      inBands(i, [&](const Format& format, GLint y, GLsizei count, char* band) {
        glGetTextureSubImage(textures_[i].name, 0, 0, y, 0, textures_[i].width, count, 1, format.channels, format.type,
                             static_cast<GLsizei>(rowBytes * static_cast<size_t>(count)), band);
      });
      SATDOF_CUDA(
          cudaMemcpy2DToArrayAsync(arrays_[i], 0, 0, memory, rowBytes, rowBytes, rows, cudaMemcpyHostToDevice, stream));
    }
    return arrays_;
  }

  void unmap(CUstream_st* stream) override {
    for (size_t i = 0; i < textures_.size(); ++i) {
      const auto& [rowBytes, rows, memory] = copies_[i];
      if (textures_[i].access == Access::write)
        SATDOF_CUDA(cudaMemcpy2DFromArrayAsync(memory, rowBytes, arrays_[i], 0, 0, rowBytes, rows,
                                               cudaMemcpyDeviceToHost, stream));
    }
    SATDOF_CUDA(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < textures_.size(); ++i) {
      if (textures_[i].access != Access::write) continue;
      inBands(i, [&](const Format& format, GLint y, GLsizei count, char* band) {
        glTextureSubImage2D(textures_[i].name, 0, 0, y, textures_[i].width, count, format.channels, format.type, band);
      });
    }
  }

  bool direct() const override { return false; }

 private:
  struct Copy {
    size_t rowBytes, rows;
    void* memory;  // page-locked
  };

  // Calls move(format, first row, number of rows, their host memory) for bands of texture i, of at most 256
  // MB: OpenGL counts bytes in an int.
  template <class Move>
  void inBands(size_t i, Move&& move) const {
    constexpr size_t kBandBytes = size_t{1} << 28;
    const auto& [rowBytes, rows, memory] = copies_[i];
    const Format format = describe(textures_[i].format);
    const size_t most = std::max<size_t>(kBandBytes / rowBytes, 1);
    for (size_t y = 0; y < rows; y += most)
      move(format, static_cast<GLint>(y), static_cast<GLsizei>(std::min(most, rows - y)),
           static_cast<char*>(memory) + y * rowBytes);
  }

  void release() {
    for (const Copy& copy : copies_) cudaFreeHost(copy.memory);
  }

  std::vector<SharedTexture> textures_;
  std::vector<Array> owned_;
  std::vector<cudaArray*> arrays_;
  std::vector<Copy> copies_;
};

// Copies buffers through page-locked host memory.
class StagedBuffers : public BufferInterop {
 public:
  explicit StagedBuffers(std::vector<SharedBuffer> buffers) : buffers_(std::move(buffers)) {
    try {
      for (const SharedBuffer& buffer : buffers_) {
        owned_.emplace_back(buffer.bytes);
        handles_.push_back(owned_.back().data());
        SATDOF_CUDA(cudaMallocHost(&copies_.emplace_back(nullptr), buffer.bytes));
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~StagedBuffers() override { release(); }

  std::span<void* const> map(CUstream_st* stream) override {
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const SharedBuffer& buffer = buffers_[i];
      if (buffer.access != Access::read) continue;
      glGetNamedBufferSubData(buffer.name, 0, static_cast<GLsizeiptr>(buffer.bytes), copies_[i]);
      SATDOF_CUDA(cudaMemcpyAsync(handles_[i], copies_[i], buffer.bytes, cudaMemcpyHostToDevice, stream));
    }
    return handles_;
  }

  void unmap(CUstream_st* stream) override {
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].access == Access::write)
        SATDOF_CUDA(cudaMemcpyAsync(copies_[i], handles_[i], buffers_[i].bytes, cudaMemcpyDeviceToHost, stream));
    SATDOF_CUDA(cudaStreamSynchronize(stream));
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].access == Access::write)
        glNamedBufferSubData(buffers_[i].name, 0, static_cast<GLsizeiptr>(buffers_[i].bytes), copies_[i]);
  }

  bool direct() const override { return false; }

 private:
  void release() {
    for (void* const copy : copies_) cudaFreeHost(copy);
  }

  std::vector<SharedBuffer> buffers_;
  std::vector<DeviceArray<std::byte>> owned_;
  std::vector<void*> handles_;
  std::vector<void*> copies_;  // page-locked
};

// Why this OpenGL context cannot share any object directly; nothing if it probably can.
std::optional<Refusal> whyNotDirect() {
  const char* const value = std::getenv("SATDOF_INTEROP");
  if (value != nullptr && std::string(value) == "staged")
    return Refusal{"SATDOF_INTEROP=staged is set", "unset SATDOF_INTEROP"};
  const std::string vendor = reinterpret_cast<const char*>(glGetString(GL_VENDOR));
  if (vendor.find("NVIDIA") == std::string::npos)
    return Refusal{"OpenGL runs on " + vendor + " " + reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                   "on a laptop with two GPUs start with __NV_PRIME_RENDER_OFFLOAD=1 "
                   "__GLX_VENDOR_LIBRARY_NAME=nvidia"};
  constexpr unsigned kMaxDevices = 16;
  int devices[kMaxDevices];
  unsigned count = 0;
  int current = 0;
  SATDOF_CUDA(cudaGetDevice(&current));
  const cudaError_t error = cudaGLGetDevices(&count, devices, kMaxDevices, cudaGLDeviceListAll);
  (void)cudaGetLastError();
  if (error == cudaSuccess && count > 0 && std::find(devices, devices + count, current) == devices + count)
    return Refusal{
        "OpenGL runs on CUDA device " + std::to_string(devices[0]) + ", CUDA on device " + std::to_string(current),
        "start with CUDA_VISIBLE_DEVICES=" + std::to_string(devices[0])};
  return std::nullopt;
}

// Null if the objects cannot be shared directly; `refusal` then says why.
template <class Handle, class Object>
std::unique_ptr<SharedObjects<Handle>> makeDirect(const std::vector<Object>& objects, Refusal& refusal) {
  if (auto reason = whyNotDirect()) {
    refusal = std::move(*reason);
    return nullptr;
  }
  auto direct = std::make_unique<DirectInterop<Handle>>(objects.size());
  for (const Object& object : objects)
    if (const cudaError_t error = direct->add(object); error != cudaSuccess) {
      (void)cudaGetLastError();
      refusal = {std::string("CUDA cannot register an OpenGL object (") + cudaGetErrorString(error) + ")",
                 "make OpenGL run on the CUDA device: __NV_PRIME_RENDER_OFFLOAD=1 "
                 "__GLX_VENDOR_LIBRARY_NAME=nvidia"};
      return nullptr;
    }
  return direct;
}

template <class Staged, class Handle, class Object>
std::unique_ptr<SharedObjects<Handle>> make(std::vector<Object> objects) {
  Refusal refusal;
  if (auto direct = makeDirect<Handle>(objects, refusal)) return direct;
#ifndef SATDOF_EMULATED
  static bool warned = false;
  if (!warned)
    std::fprintf(stderr, "CUDA and OpenGL share %s through staged copies (slower): %s. To fix: %s.\n",
                 std::is_same_v<Object, SharedBuffer> ? "buffers" : "images", refusal.reason.c_str(),
                 refusal.remedy.c_str());
  warned = true;
#endif
  return std::make_unique<Staged>(std::move(objects));
}

}  // namespace

std::unique_ptr<Interop> makeInterop(std::vector<SharedTexture> textures) {
  return make<StagedInterop, cudaArray*>(std::move(textures));
}

std::unique_ptr<BufferInterop> makeInterop(std::vector<SharedBuffer> buffers) {
  return make<StagedBuffers, void*>(std::move(buffers));
}

}  // namespace satdof::cuda
