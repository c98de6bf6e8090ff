#pragma once
#include <string_view>

namespace satdof::gl {

// Whether a GL_RENDERER string names a software renderer.
bool isSoftwareRenderer(std::string_view renderer);
// Whether the current context has a software renderer.
bool isSoftwareRenderer();

}  // namespace satdof::gl
