#pragma once
#include <memory>
#include <string>

#include "app/device/device.h"

// The backends without CUDA, as makeSatBackend() makes them.
namespace satdof {

// Compute shaders: tiles in shared memory, any GPU with OpenGL 4.5.
std::unique_ptr<SatBackend> makeGlComputeBackend(const Method& method);

// Fragment shaders: `method.reducePasses` reduce passes before recursive doubling.
std::unique_ptr<SatBackend> makeGlFragmentBackend(const Method& method);

// The table is made in memory: colour is downloaded, the table uploaded.
std::unique_ptr<SatBackend> makeCpuBackend(const Method& method);
std::unique_ptr<SatBackend> makeCpuSequentialBackend(const Method& method);

// The internal format of a table.
inline GLenum tableFormat(SatFormat format) { return format == SatFormat::uint32 ? GL_RGBA32UI : GL_RGBA32F; }

// The view of an untransposed table of `source`.
inline SatView describeTable(const gl::Texture& table, SatFormat format, const SatSource& source) {
  SatView view{.texture = table.name(), .size = table.size(), .format = format, .table = &table};
  if (format == SatFormat::uint32) view.scale = source.scale;
  if (format == SatFormat::float32Mean) view.mean = source.mean;
  return view;
}

// What `automatic` stands for where OpenGL's renderer is `renderer` (GL_RENDERER).
Backend preferredBackend(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
