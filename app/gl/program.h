#pragma once
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gl/objects.h"

namespace satdof::gl {

// Name and value of a preprocessor macro put after the #version line.
using Defines = std::vector<std::pair<std::string, std::string>>;

// A linked program made from files in shaders/: one .comp, or a .vert and a .frag. Includes name
// files from the folder above, as in C++: `#include "shaders/sat/box_sum.glsl"`; each file is included once.
// Every live Program takes part in reloadAll().
class Program {
 public:
  Program() = default;
  // Throws std::runtime_error with the driver's log, file names in place of source numbers.
  explicit Program(std::vector<std::string> files, Defines defines = {});
  Program(Program&& other) noexcept;
  Program& operator=(Program&& other) noexcept;
  ~Program();

  void use() const { glUseProgram(object_.name()); }
  explicit operator bool() const { return static_cast<bool>(object_); }
  GLuint name() const { return object_.name(); }

  // Sets a uniform by name. Uniforms that the linker removed are ignored. Throws std::logic_error for a name
  // that the sources do not declare.
  void set(const char* uniform, int value) const;
  void set(const char* uniform, unsigned value) const;
  void set(const char* uniform, float value) const;
  void set(const char* uniform, glm::ivec2 value) const;
  void set(const char* uniform, glm::vec2 value) const;
  void set(const char* uniform, const glm::vec3& value) const;
  void set(const char* uniform, const glm::vec4& value) const;
  void set(const char* uniform, const glm::mat3& value) const;
  void set(const char* uniform, const glm::mat4& value) const;

 private:
  friend std::vector<std::string> reloadAll();
  std::vector<std::string> files_;
  Defines defines_;
  std::set<std::string, std::less<>> declared_;  // names of uniforms in the sources
  ProgramObject object_;
  mutable std::map<std::string, GLint, std::less<>> locations_ = {};  // of those that were set

  GLint location(std::string_view uniform) const;
};

// Compiles every live program anew from its files. A program that fails keeps its last good version; the logs
// of those that failed are returned, empty when all is well.
std::vector<std::string> reloadAll();

}  // namespace satdof::gl
