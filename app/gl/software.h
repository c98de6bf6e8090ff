#pragma once
#include <string>
#include <string_view>

namespace satdof::gl {

// Returns a string of the current context such as GL_RENDERER; "unknown" if it is unavailable.
std::string driverText(unsigned what);

// Whether a GL_RENDERER string names a software renderer.
bool isSoftwareRenderer(std::string_view renderer);
// Whether the current context has a software renderer.
bool isSoftwareRenderer();

}  // namespace satdof::gl
