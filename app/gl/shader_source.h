#pragma once
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace satdof::gl {

// Names and values of preprocessor macros, inserted after the #version line.
using Defines = std::vector<std::pair<std::string, std::string>>;

struct ShaderSource {
  std::string text;
  std::vector<std::string> files;  // by source-string number, as in the driver's log
};

// Returns `file` with its includes expanded, each once. read(file): returns the text of a file in shaders/, or throws.
// Throws std::runtime_error if an include leaves shaders/ or the sources exceed the limits.
ShaderSource expandIncludes(const std::string& file, const Defines& defines,
                            const std::function<std::string(const std::string& file)>& read);

// Adds the names of the uniforms that `source` declares outside blocks: `uniform T a, b[2];`.
void collectUniforms(std::string_view source, std::set<std::string, std::less<>>& names);

}  // namespace satdof::gl
