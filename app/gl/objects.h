#pragma once
#include <cstdint>
#include <glm/vec2.hpp>
#include <utility>

#include "app/gl/gl.h"

// Move-only owners of OpenGL objects, created by direct state access. All need a current context.
namespace satdof::gl {

template <void (*Destroy)(GLuint)>
class Object {
 public:
  Object() = default;
  explicit Object(GLuint name) : name_(name) {}
  Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~Object() {
    if (name_ != 0) Destroy(name_);
  }
  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

void destroyTexture(GLuint name);
void destroyBuffer(GLuint name);
void destroyFramebuffer(GLuint name);
void destroyVertexArray(GLuint name);
void destroyProgram(GLuint name);
void destroyShader(GLuint name);
void destroyQuery(GLuint name);

using Shader = Object<destroyShader>;
using ProgramObject = Object<destroyProgram>;
using VertexArrayObject = Object<destroyVertexArray>;
using Query = Object<destroyQuery>;

// A two-dimensional texture with immutable storage, nearest filtering and clamping to the edge.
class Texture : public Object<destroyTexture> {
 public:
  Texture() = default;
  // `format`: sized internal format (GL_RGBA16F). `samples` > 1: multisampled. Throws std::runtime_error without
  // memory.
  Texture(GLenum format, glm::ivec2 size, int samples = 1, int levels = 1);
  GLenum format() const { return format_; }
  glm::ivec2 size() const { return size_; }
  void bind(GLuint unit) const { glBindTextureUnit(unit, name()); }
  // Unique for every texture: OpenGL may reuse the names of deleted textures.
  std::uint64_t generation() const { return generation_; }

 private:
  std::uint64_t generation_ = 0;
  GLenum format_ = 0;
  glm::ivec2 size_{0};
};

// A buffer with immutable storage.
class Buffer : public Object<destroyBuffer> {
 public:
  Buffer() = default;
  // `flags`: of glNamedBufferStorage(). Throws std::runtime_error without memory.
  Buffer(GLsizeiptr bytes, const void* data, GLbitfield flags = 0);
  GLsizeiptr bytes() const { return bytes_; }
  // Unique for every buffer: OpenGL may reuse the names of deleted buffers.
  std::uint64_t generation() const { return generation_; }

 private:
  std::uint64_t generation_ = 0;
  GLsizeiptr bytes_ = 0;
};

// A framebuffer with one or two colour attachments. `depth`: null for none. Throws std::runtime_error if it is
// incomplete.
class Framebuffer : public Object<destroyFramebuffer> {
 public:
  Framebuffer() = default;
  explicit Framebuffer(const Texture& colour, const Texture* depth = nullptr);
  Framebuffer(const Texture& colour0, const Texture& colour1, const Texture* depth);
};

// A texture and a framebuffer that draws into it.
struct Target {
  Texture texture;
  Framebuffer framebuffer;

  Target() = default;
  explicit Target(glm::ivec2 size, GLenum format = GL_RGBA16F) : texture(format, size), framebuffer(texture) {}
};

VertexArrayObject makeVertexArray();

// Fills `to` with the region of `from` at `corner`. Both textures have the same format.
void copyRegion(const Texture& from, glm::ivec2 corner, const Texture& to);
// Copies the columns from `firstColumn` on. Both textures have the same size and format.
void copyColumns(const Texture& from, const Texture& to, int firstColumn = 0);

enum class Blend { replace, byAlpha };  // byAlpha keeps the alpha of the target
// Draws `size` pixels of `targetFramebuffer` with the current program, whose vertex shader must be
// shaders/common/fullscreen.vert. Sets the viewport. Leaves culling, the depth test and blending disabled.
void drawFullScreen(GLuint targetFramebuffer, glm::ivec2 size, Blend blend = Blend::replace);

}  // namespace satdof::gl
