#pragma once
#include "app/device/device.h"
#include "app/gl/program.h"
#include "shaders/lens/thin_lens.h"

namespace satdof {

// The macros that shaders/sat/box_sum.glsl needs for tables of `format`.
gl::Defines tableDefines(TableFormat format);

// Sets the uniform `ThinLens lens`.
void setThinLens(const gl::Program& program, const ThinLens& lens);

// Binds the table to texture unit 2 and sets the uniforms transposed, unit and offset of a program that
// includes shaders/sat/box_sum.glsl.
void bindTable(const gl::Program& program, const Table& table);

}  // namespace satdof
