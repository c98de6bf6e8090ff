#include "app/gl/program.h"

#include <algorithm>
#include <fstream>
#include <glm/gtc/type_ptr.hpp>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "app/core/data_dir.h"

namespace satdof::gl {

namespace {

int reloads = 0;

std::vector<Program*>& livePrograms() {
  static std::vector<Program*> programs;
  return programs;
}

std::string readShader(const std::string& file) {
  const auto path = dataDir() / "shaders" / file;
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read the shader " + path.string());
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Appends `file` with its includes; `included` lists the files in the order of their source-string numbers.
void expand(const std::string& file, const Defines& defines, std::vector<std::string>& included,
            std::string& out) {
  const auto number = included.size();
  included.push_back(file);
  std::istringstream lines(readShader(file));
  static const std::regex include(R"re(^\s*#\s*include\s+"shaders/([^"]+)"\s*$)re");
  int lineNumber = 0;
  if (number > 0) out += "#line 1 " + std::to_string(number) + "\n";
  for (std::string line; std::getline(lines, line);) {
    ++lineNumber;
    std::smatch match;
    const auto position = "#line " + std::to_string(lineNumber + 1) + " " + std::to_string(number) + "\n";
    if (std::regex_match(line, match, include)) {
      if (std::find(included.begin(), included.end(), match[1].str()) == included.end())
        expand(match[1].str(), defines, included, out);
      out += position;
    } else {
      out += line + "\n";
      if (line.starts_with("#version")) {
        for (const auto& [name, value] : defines) out += "#define " + name + " " + value + "\n";
        out += position;
      }
    }
  }
}

GLenum stageOf(const std::string& file) {
  if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (file.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  if (file.ends_with(".comp")) return GL_COMPUTE_SHADER;
  throw std::runtime_error("cannot compile the shader " + file +
                           ": its name must end in .vert, .frag or .comp");
}

// Replaces the source-string numbers at the start of lines of a driver's log by file names.
std::string nameFiles(const std::string& log, const std::vector<std::string>& files) {
  static const std::regex number(R"(^(\d+)([:(]))");
  std::istringstream lines(log);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, number)) {
      const auto index = std::stoul(match[1].str());
      if (index < files.size()) line = files[index] + match[2].str() + match.suffix().str();
    }
    out += line + "\n";
  }
  return out;
}

using Names = std::set<std::string, std::less<>>;

// Adds the names of the uniforms that `source` declares outside blocks: `uniform T a, b[2];`.
void collectUniforms(const std::string& source, Names& names) {
  static const std::regex declaration(R"(\buniform\s+(?:(?:lowp|mediump|highp)\s+)?\w+\s+([^;{}]+);)");
  static const std::regex identifier(R"(\w+)");
  for (std::sregex_iterator found(source.begin(), source.end(), declaration), end; found != end; ++found) {
    std::istringstream list((*found)[1].str());
    for (std::string item; std::getline(list, item, ',');)
      if (std::smatch match; std::regex_search(item, match, identifier)) names.insert(match[0].str());
  }
}

Shader compile(const std::string& file, const Defines& defines, Names& uniforms) {
  std::vector<std::string> files;
  std::string source;
  expand(file, defines, files, source);
  collectUniforms(source, uniforms);
  Shader shader(glCreateShader(stageOf(file)));
  const char* text = source.c_str();
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint good = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &good);
  if (good == GL_FALSE) {
    char log[8192] = {};
    glGetShaderInfoLog(shader.name(), sizeof log, nullptr, log);
    throw std::runtime_error("cannot compile the shader " + file + ":\n" + nameFiles(log, files));
  }
  return shader;
}

ProgramObject build(const std::vector<std::string>& files, const Defines& defines, Names& uniforms) {
  ProgramObject program(glCreateProgram());
  std::vector<Shader> shaders;
  std::string names;
  for (const auto& file : files) {
    shaders.push_back(compile(file, defines, uniforms));
    glAttachShader(program.name(), shaders.back().name());
    names += (names.empty() ? "" : " + ") + file;
  }
  glLinkProgram(program.name());
  GLint good = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &good);
  if (good == GL_FALSE) {
    char log[8192] = {};
    glGetProgramInfoLog(program.name(), sizeof log, nullptr, log);
    throw std::runtime_error("cannot link the shaders " + names + ":\n" + log);
  }
  for (const auto& shader : shaders) glDetachShader(program.name(), shader.name());
  return program;
}

}  // namespace

Program::Program(std::vector<std::string> files, Defines defines)
    : files_(std::move(files)), defines_(std::move(defines)), object_(build(files_, defines_, declared_)) {
  livePrograms().push_back(this);
}

Program::Program(Program&& other) noexcept
    : files_(std::move(other.files_)),
      defines_(std::move(other.defines_)),
      declared_(std::move(other.declared_)),
      object_(std::move(other.object_)),
      locations_(std::move(other.locations_)) {
  std::replace(livePrograms().begin(), livePrograms().end(), &other, this);
}

Program& Program::operator=(Program&& other) noexcept {
  if (this == &other) return *this;
  std::erase(livePrograms(), this);
  files_ = std::move(other.files_);
  defines_ = std::move(other.defines_);
  object_ = std::move(other.object_);
  declared_ = std::move(other.declared_);
  locations_ = std::move(other.locations_);
  std::replace(livePrograms().begin(), livePrograms().end(), &other, this);
  return *this;
}

Program::~Program() { std::erase(livePrograms(), this); }

int shaderReloads() { return reloads; }

std::vector<std::string> reloadAll() {
  ++reloads;
  std::vector<std::string> failures;
  for (Program* program : livePrograms()) {
    try {
      Names declared;
      program->object_ = build(program->files_, program->defines_, declared);
      program->declared_ = std::move(declared);
      program->locations_.clear();
    } catch (const std::runtime_error& error) {
      failures.emplace_back(error.what());
    }
  }
  return failures;
}

GLint Program::location(std::string_view uniform) const {
  if (const auto known = locations_.find(uniform); known != locations_.end()) return known->second;
  const std::string name(uniform);
  if (!declared_.contains(name.substr(0, name.find_first_of(".["))))
    throw std::logic_error("cannot set the uniform " + name + ": the shader " + files_.back() +
                           " does not declare it");
  return locations_[name] = glGetUniformLocation(object_.name(), name.c_str());
}

void Program::set(const char* uniform, int value) const {
  glProgramUniform1i(name(), location(uniform), value);
}
void Program::set(const char* uniform, unsigned value) const {
  glProgramUniform1ui(name(), location(uniform), value);
}
void Program::set(const char* uniform, float value) const {
  glProgramUniform1f(name(), location(uniform), value);
}
void Program::set(const char* uniform, glm::ivec2 value) const {
  glProgramUniform2i(name(), location(uniform), value.x, value.y);
}
void Program::set(const char* uniform, glm::vec2 value) const {
  glProgramUniform2f(name(), location(uniform), value.x, value.y);
}
void Program::set(const char* uniform, const glm::vec3& value) const {
  glProgramUniform3fv(name(), location(uniform), 1, glm::value_ptr(value));
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
