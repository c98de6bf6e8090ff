#include "app/gl/software.h"

#include <algorithm>
#include <array>

#include "app/gl/gl.h"

namespace satdof::gl {

std::string driverText(unsigned what) {
  const auto* text = reinterpret_cast<const char*>(glGetString(what));
  return text == nullptr ? "unknown" : text;
}

bool isSoftwareRenderer(std::string_view renderer) {
  constexpr std::array kNames = {"llvmpipe", "softpipe", "swrast", "Software"};
  return std::ranges::any_of(kNames, [&](const char* known) { return renderer.find(known) != renderer.npos; });
}

bool isSoftwareRenderer() { return isSoftwareRenderer(driverText(GL_RENDERER)); }

}  // namespace satdof::gl
