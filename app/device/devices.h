#pragma once
#include <memory>
#include <string>

#include "app/device/device.h"

// The devices without CUDA, as makeTableBuilder() makes them.
namespace satdof {

// Compute shaders: tiles in shared memory, any GPU with OpenGL 4.5.
std::unique_ptr<TableBuilder> makeGlComputeTableBuilder(const Technique& technique);

// Fragment shaders: `technique.reducePasses` reduce passes before recursive doubling.
std::unique_ptr<TableBuilder> makeGlFragmentTableBuilder(const Technique& technique);

// The table is made in memory: colour is downloaded, the table uploaded.
std::unique_ptr<TableBuilder> makeCpuTableBuilder(const Technique& technique);
std::unique_ptr<TableBuilder> makeCpuSequentialTableBuilder(const Technique& technique);

// The internal format of a table.
inline GLenum tableFormat(TableFormat format) {
  return format == TableFormat::uint32 ? GL_RGBA32UI : GL_RGBA32F;
}

// The view of an untransposed table of `source`.
inline Table describeTable(const gl::Texture& table, TableFormat format, const TableSource& source) {
  Table view{.texture = table.name(), .size = table.size(), .format = format, .table = &table};
  if (format == TableFormat::uint32) view.scale = source.scale;
  if (format == TableFormat::float32Mean) view.mean = source.mean;
  return view;
}

// What `automatic` stands for where OpenGL's renderer is `renderer` (GL_RENDERER).
DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
