#pragma once
#include <string_view>

namespace satdof::gl {

// Whether a GL_RENDERER string names a renderer that runs on the processor.
bool isSoftwareRenderer(std::string_view renderer);
// The same of the current context.
bool isSoftwareRenderer();

}  // namespace satdof::gl
