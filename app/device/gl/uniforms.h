#pragma once
#include "app/device/scene_frame.h"
#include "app/device/table.h"
#include "app/gl/program.h"

namespace satdof {

// The macros that shaders/sat/box_sum.glsl needs for tables of `format`.
gl::Defines tableDefines(TableFormat format);

// Sets the uniforms of shaders/common/look.glsl.
void setLook(const gl::Program& program, const SceneLook& look);

// Binds the table to texture unit 2 and sets the uniform `transposed`.
void bindTable(const gl::Program& program, const Table& table);

}  // namespace satdof
