#pragma once
#include "app/gl/program.h"
#include "app/sat/sat_backend.h"

namespace satdof {

// The macros that shaders/box_sum.glsl needs for tables of `format`.
gl::Defines satDefines(SatFormat format);

// Binds the table to texture unit 2 and sets the uniforms transposed, unit and offset of a program that
// includes shaders/box_sum.glsl.
void bindTable(const gl::Program& program, const SatView& table);

}  // namespace satdof
