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

// A linked program from files in shaders/: one .comp, or a .vert and a .frag. Include paths start at the root of the
// repository, as in C++: `#include "shaders/sat/box_sum.glsl"`. Each file is included once. reloadAll() recompiles
// every live Program.
class Program {
 public:
  Program() = default;
  // Starts compiling and linking, in parallel if the driver supports it: create all programs of a pass before using
  // one. Throws std::runtime_error if a file cannot be read. The first use waits for the driver; it throws
  // std::runtime_error with the driver's log, with file names in place of source-string numbers.
  explicit Program(std::vector<std::string> files, Defines defines = {});
  Program(Program&& other) noexcept;
  Program& operator=(Program&& other) noexcept;
  ~Program();

  void use() const { glUseProgram(name()); }
  // Runs the compute program over at least `size` invocations. `group`: the work-group size in its source. Ends with a
  // memory barrier for all later commands.
  void dispatch(glm::ivec2 size, glm::ivec2 group = glm::ivec2(16)) const;
  // The same over a number of work groups.
  void dispatchGroups(glm::ivec2 groups) const { dispatch(groups, glm::ivec2(1)); }
  explicit operator bool() const { return static_cast<bool>(build_.program); }
  GLuint name() const {
    if (!build_.checked) build_.check();
    return build_.program.name();
  }

  // Sets a uniform. Ignores uniforms that the linker removed. Throws std::logic_error for a name that the sources do
  // not declare.
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

  struct Stage {
    Shader shader;
    std::vector<std::string> files;  // of its source, by source-string number
  };
  struct Build {
    ProgramObject program;
    std::vector<Stage> stages;                    // cleared by check()
    std::set<std::string, std::less<>> declared;  // names of uniforms in the sources
    std::size_t sourcesHash = 0;
    bool checked = true;

    // Waits until the program is linked. Throws std::runtime_error.
    void check();
  };
  static Build begin(const std::vector<std::string>& files, const Defines& defines);

  std::vector<std::string> files_;
  Defines defines_;
  mutable Build build_;
  mutable std::map<std::string, GLint, std::less<>> locations_ = {};  // cache of uniform locations

  GLint location(std::string_view uniform) const;
};

// Recompiles every live program from its files. A program that fails keeps its last good version. Returns the logs of
// the failures.
std::vector<std::string> reloadAll();
// Returns a number that changes with reloadAll() and lateCompletions(): older images are then stale, and failures may
// be retried.
int shaderReloads();
// Whether a reload has changed a source: CPU implementations of the shaders may then differ.
bool shadersEdited();

}  // namespace satdof::gl
