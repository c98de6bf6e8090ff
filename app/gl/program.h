#pragma once
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/gl/objects.h"
#include "app/gl/shader_source.h"

namespace satdof::gl {

// A linked program from files in shaders/: one .comp, or a .vert and a .frag. Includes name files from the
// root of the repository, as in C++: `#include "shaders/sat/box_sum.glsl"`. Each file is included once.
// reloadAll() recompiles every live Program.
class Program {
 public:
  Program() = default;
  // Begins to compile and link, on the driver's threads where it has them: make all programs of a pass before the first use
  // of one. Throws std::runtime_error for files that cannot be read. The first use waits for the driver, and throws
  // std::runtime_error with its log, in which file names replace source numbers.
  explicit Program(std::vector<std::string> files, Defines defines = {});
  Program(Program&& other) noexcept;
  Program& operator=(Program&& other) noexcept;
  ~Program();

  void use() const { glUseProgram(name()); }
  // Binds the compute program and runs it over `size` invocations, in work groups of `group`, which is what its source says.
  // Later commands see what it writes.
  void dispatch(glm::ivec2 size, glm::ivec2 group = glm::ivec2(16)) const;
  // The same, over as many work groups.
  void dispatchGroups(glm::ivec2 groups) const { dispatch(groups, glm::ivec2(1)); }
  explicit operator bool() const { return static_cast<bool>(build_.program); }
  GLuint name() const {
    if (!build_.checked) build_.check();
    return build_.program.name();
  }

  // Sets a uniform by name. Ignores uniforms that the linker removed. Throws std::logic_error for a name that
  // the sources do not declare.
  void set(const char* uniform, int value) const;
  void set(const char* uniform, unsigned value) const;
  void set(const char* uniform, float value) const;
  void set(const char* uniform, glm::ivec2 value) const;
  void set(const char* uniform, glm::vec2 value) const;
  void set(const char* uniform, const glm::vec4& value) const;
  void set(const char* uniform, const glm::mat3& value) const;
  void set(const char* uniform, const glm::mat4& value) const;

 private:
  friend std::vector<std::string> reloadAll();

  // A shader and the files of its source, by their source numbers.
  struct Stage {
    Shader shader;
    std::vector<std::string> files;
  };
  struct Build {
    ProgramObject program;
    std::vector<Stage> stages;                    // until it is checked
    std::set<std::string, std::less<>> declared;  // names of uniforms in the sources
    size_t sourcesHash = 0;
    bool checked = true;

    // Waits until the program is linked. Throws std::runtime_error.
    void check();
  };
  static Build begin(const std::vector<std::string>& files, const Defines& defines);

  std::vector<std::string> files_;
  Defines defines_;
  mutable Build build_;
  mutable std::map<std::string, GLint, std::less<>> locations_ = {};  // of the uniforms set so far

  GLint location(std::string_view uniform) const;
};

// Recompiles every live program from its files. A program that fails keeps its last good version. Returns the
// logs of the programs that failed.
std::vector<std::string> reloadAll();
// The number of calls of reloadAll() and of lateCompletions() so far: images from before the last one are stale, failures worth another try.
int shaderReloads();
// Whether a reload has found other sources than before: code that repeats shaders on the processor is out of date.
bool shadersEdited();

}  // namespace satdof::gl
