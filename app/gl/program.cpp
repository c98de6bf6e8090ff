#include "app/gl/program.h"

#include <algorithm>
#include <functional>
#include <glm/gtc/type_ptr.hpp>
#include <sstream>
#include <stdexcept>

#include "app/core/files/data_dir.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/text/number.h"
#include "app/gl/built.h"

namespace satdof::gl {

namespace {

int reloads = 0;
bool edited = false;

// Never destroyed: programs may live in other static objects.
std::vector<Program*>& livePrograms() {
  static auto* const programs = new std::vector<Program*>;
  return *programs;
}

std::string readShader(const std::string& file) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  return readWholeFile(dataDir() / "shaders" / file, kMaxBytes);
}

GLenum stageOf(const std::string& file) {
  if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (file.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  if (file.ends_with(".comp")) return GL_COMPUTE_SHADER;
  throw std::runtime_error("cannot compile the shader " + file + ": its name must end in .vert, .frag or .comp");
}

// Replaces source-string numbers at the start of the lines of a driver's log ("1:" or "1(") by file names.
std::string nameFiles(const std::string& log, const std::vector<std::string>& files) {
  std::istringstream lines(log);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest = line;
    const auto number = takeNumber<std::size_t>(rest);
    if (number && *number < files.size() && (rest.starts_with(':') || rest.starts_with('(')))
      line = files[*number] + std::string(rest);
    out += line + "\n";
  }
  return out;
}

}  // namespace

Program::Build Program::begin(const std::vector<std::string>& files, const Defines& defines) {
  Build build;
  build.program = ProgramObject(glCreateProgram());
  build.checked = false;
  std::string sources;
  for (const auto& file : files) {
    auto [source, included] = expandIncludes(file, defines, readShader);
    collectUniforms(source, build.declared);
    sources += source;
    build.stages.push_back({Shader(glCreateShader(stageOf(file))), std::move(included)});
    const Stage& stage = build.stages.back();
    const char* text = source.c_str();
    glShaderSource(stage.shader.name(), 1, &text, nullptr);
    glCompileShader(stage.shader.name());
    glAttachShader(build.program.name(), stage.shader.name());
  }
  glLinkProgram(build.program.name());
  build.sourcesHash = std::hash<std::string>{}(sources);
  return build;
}

void Program::Build::check() {
  char log[8192] = {};
  std::string names;
  for (const auto& [shader, files] : stages) {
    GLint good = GL_FALSE;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &good);
    if (good == GL_FALSE) {
      glGetShaderInfoLog(shader.name(), sizeof log, nullptr, log);
      throw std::runtime_error("cannot compile the shader " + files.front() + ":\n" + nameFiles(log, files));
    }
    names += (names.empty() ? "" : " + ") + files.front();
  }
  GLint good = GL_FALSE, attached = 0;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &good);
  glGetProgramiv(program.name(), GL_ATTACHED_SHADERS, &attached);
  if (good == GL_FALSE || attached != static_cast<GLint>(stages.size())) {
    glGetProgramInfoLog(program.name(), sizeof log, nullptr, log);
    throw std::runtime_error("cannot link the shaders " + names + ":\n" + log);
  }
  for (const auto& stage : stages) glDetachShader(program.name(), stage.shader.name());
  stages.clear();
  checked = true;
}

Program::Program(std::vector<std::string> files, Defines defines)
    : files_(std::move(files)), defines_(std::move(defines)), build_(begin(files_, defines_)) {
  livePrograms().push_back(this);
}

Program::Program(Program&& other) noexcept
    : files_(std::move(other.files_)),
      defines_(std::move(other.defines_)),
      build_(std::move(other.build_)),
      locations_(std::move(other.locations_)) {
  std::replace(livePrograms().begin(), livePrograms().end(), &other, this);
}

Program& Program::operator=(Program&& other) noexcept {
  if (this == &other) return *this;
  std::erase(livePrograms(), this);
  files_ = std::move(other.files_);
  defines_ = std::move(other.defines_);
  build_ = std::move(other.build_);
  locations_ = std::move(other.locations_);
  std::replace(livePrograms().begin(), livePrograms().end(), &other, this);
  return *this;
}

Program::~Program() { std::erase(livePrograms(), this); }

int shaderReloads() { return reloads + lateCompletions(); }
bool shadersEdited() { return edited; }

std::vector<std::string> reloadAll() {
  ++reloads;
  std::vector<std::string> failures;
  const auto note = [&](std::string failure) {
    if (std::ranges::find(failures, failure) == failures.end()) failures.push_back(std::move(failure));
  };
  std::vector<std::pair<Program*, Program::Build>> builds;
  for (Program* program : livePrograms()) {
    try {
      builds.emplace_back(program, Program::begin(program->files_, program->defines_));
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  }
  for (auto& [program, build] : builds) {
    try {
      build.check();
      edited = edited || build.sourcesHash != program->build_.sourcesHash;
      program->build_ = std::move(build);
      program->locations_.clear();
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  }
  return failures;
}

std::size_t programCount() { return livePrograms().size(); }

void requirePrograms(std::size_t count) {
  for (std::size_t i = count; i < livePrograms().size(); ++i) (void)livePrograms()[i]->name();
}

GLint Program::location(std::string_view uniform) const {
  if (const auto known = locations_.find(uniform); known != locations_.end()) return known->second;
  const std::string name(uniform);
  if (!build_.declared.contains(name.substr(0, name.find_first_of(".["))))
    throw std::logic_error("cannot set the uniform " + name + ": the shader " + files_.back() + " does not declare it");
  return locations_[name] = glGetUniformLocation(this->name(), name.c_str());
}

void Program::dispatch(glm::ivec2 size, glm::ivec2 group) const {
  const glm::uvec2 groups((size + group - 1) / group);
  use();
  glDispatchCompute(groups.x, groups.y, 1);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

void Program::set(const char* uniform, int value) const { glProgramUniform1i(name(), location(uniform), value); }
void Program::set(const char* uniform, unsigned value) const { glProgramUniform1ui(name(), location(uniform), value); }
void Program::set(const char* uniform, float value) const { glProgramUniform1f(name(), location(uniform), value); }
void Program::set(const char* uniform, glm::ivec2 value) const {
  glProgramUniform2i(name(), location(uniform), value.x, value.y);
}
void Program::set(const char* uniform, glm::vec2 value) const {
  glProgramUniform2f(name(), location(uniform), value.x, value.y);
}
void Program::set(const char* uniform, const glm::vec4& value) const {
  glProgramUniform4fv(name(), location(uniform), 1, glm::value_ptr(value));
}
void Program::set(const char* uniform, const glm::mat3& value) const {
  glProgramUniformMatrix3fv(name(), location(uniform), 1, GL_FALSE, glm::value_ptr(value));
}
void Program::set(const char* uniform, const glm::mat4& value) const {
  glProgramUniformMatrix4fv(name(), location(uniform), 1, GL_FALSE, glm::value_ptr(value));
}

}  // namespace satdof::gl
