#pragma once
#include "app/device/scene_frame.h"
#include "app/device/table.h"
#include "app/gl/program.h"

namespace satdof {

// The macros that shaders/sat/box_sum.glsl needs for tables of `format`.
gl::Defines tableDefines(TableFormat format);

// The block of shaders/sat/element.glsl.
struct alignas(16) ElementBlock {
  glm::vec4 mean{0.0f};
  float scale = 1.0f, ceiling = 1.0f;
};

// The struct Look of shaders/common/look.glsl.
struct alignas(16) ToneLook {
  glm::vec2 highlights{0.0f};  // SceneLook::highlightsFrom, SceneLook::highlights
  int photograph = 0;
};
ToneLook toneOf(const SceneLook& look);

// Binds the table to texture unit 2 and sets the uniform `transposed`.
void bindTable(const gl::Program& program, const Table& table);

}  // namespace satdof
