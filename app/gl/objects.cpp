#include "app/gl/objects.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "app/gl/context.h"

namespace satdof::gl {

void destroyTexture(GLuint name) { glDeleteTextures(1, &name); }
void destroyBuffer(GLuint name) { glDeleteBuffers(1, &name); }
void destroyFramebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
void destroyVertexArray(GLuint name) { glDeleteVertexArrays(1, &name); }
void destroyProgram(GLuint name) { glDeleteProgram(name); }
void destroyShader(GLuint name) { glDeleteShader(name); }
void destroyQuery(GLuint name) { glDeleteQueries(1, &name); }

namespace {

GLuint create(void (*make)(GLsizei, GLuint*)) {
  GLuint name = 0;
  make(1, &name);
  return name;
}

std::uint64_t texturesMade = 0, buffersMade = 0;

GLuint createTexture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  return name;
}

// A failed allocation only sets the error flag; using the object may then crash the driver.
void requireStorage(GLuint buffer, GLsizeiptr bytes) {
  GLint64 found = 0;
  glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &found);
  if (found != bytes)
    throw std::runtime_error("cannot allocate a buffer of " + std::to_string(bytes) +
                             " bytes in OpenGL: out of memory; choose a smaller size");
}

void requireStorage(GLuint texture, glm::ivec2 size) {
  GLint found = 0;
  glGetTextureLevelParameteriv(texture, 0, GL_TEXTURE_WIDTH, &found);
  if (found != size.x)
    throw std::runtime_error("cannot allocate an image of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                             " pixels in OpenGL: out of memory; choose a smaller size");
}

struct StatusReason {
  GLenum status;
  const char* reason;
};
constexpr StatusReason kStatusReasons[] = {
    {GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT, "an attachment has no storage"},
    {GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, "it has no attachment"},
    {GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE, "its attachments differ in samples"},
    {GL_FRAMEBUFFER_UNSUPPORTED, "the driver cannot draw into these formats"},
    {0, "OpenGL reports an error"},
};

void requireComplete(GLuint framebuffer, glm::ivec2 size) {
  const GLenum status = glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER);
  if (status == GL_FRAMEBUFFER_COMPLETE) return;
  const auto known = std::ranges::find(kStatusReasons, status, &StatusReason::status);
  const std::string reason =
      known == std::end(kStatusReasons) ? "status " + std::to_string(status) : std::string(known->reason);
  throw std::runtime_error("cannot make a framebuffer of " + std::to_string(size.x) + " x " + std::to_string(size.y) +
                           " pixels: " + reason + "; choose a smaller size, or update the graphics driver");
}

}  // namespace

Texture::Texture(GLenum format, glm::ivec2 size, int samples, int levels)
    : Object(createTexture(samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D)),
      generation_(++texturesMade),
      format_(format),
      size_(size) {
  if (samples > 1) {
    glTextureStorage2DMultisample(name(), samples, format, size.x, size.y, GL_TRUE);
    requireStorage(name(), size);
    return;
  }
  glTextureStorage2D(name(), levels, format, size.x, size.y);
  requireStorage(name(), size);
  glTextureParameteri(name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTextureParameteri(name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

Buffer::Buffer(GLsizeiptr bytes, const void* data, GLbitfield flags)
    : Object(create(glCreateBuffers)), generation_(++buffersMade), bytes_(bytes) {
  glNamedBufferStorage(name(), bytes, data, flags);
  requireStorage(name(), bytes);
}

Framebuffer::Framebuffer(const Texture& colour, const Texture* depth) : Object(create(glCreateFramebuffers)) {
  glNamedFramebufferTexture(name(), GL_COLOR_ATTACHMENT0, colour.name(), 0);
  if (depth != nullptr) glNamedFramebufferTexture(name(), GL_DEPTH_ATTACHMENT, depth->name(), 0);
  requireComplete(name(), colour.size());
}

Framebuffer::Framebuffer(const Texture& colour0, const Texture& colour1, const Texture* depth)
    : Object(create(glCreateFramebuffers)) {
  glNamedFramebufferTexture(name(), GL_COLOR_ATTACHMENT0, colour0.name(), 0);
  glNamedFramebufferTexture(name(), GL_COLOR_ATTACHMENT1, colour1.name(), 0);
  if (depth != nullptr) glNamedFramebufferTexture(name(), GL_DEPTH_ATTACHMENT, depth->name(), 0);
  const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glNamedFramebufferDrawBuffers(name(), 2, buffers);
  requireComplete(name(), colour0.size());
}

VertexArrayObject makeVertexArray() { return VertexArrayObject(create(glCreateVertexArrays)); }

void copyColumns(const Texture& from, const Texture& to, int firstColumn) {
  const glm::ivec2 size = to.size();
  glCopyImageSubData(from.name(), GL_TEXTURE_2D, 0, firstColumn, 0, 0, to.name(), GL_TEXTURE_2D, 0, firstColumn, 0, 0,
                     size.x - firstColumn, size.y, 1);
}

void copyRegion(const Texture& from, glm::ivec2 corner, const Texture& to) {
  glCopyImageSubData(from.name(), GL_TEXTURE_2D, 0, corner.x, corner.y, 0, to.name(), GL_TEXTURE_2D, 0, 0, 0, 0,
                     to.size().x, to.size().y, 1);
}

void drawFullScreen(GLuint targetFramebuffer, glm::ivec2 size, Blend blend) {
  // Core profiles need a bound vertex array. It is deleted with its context.
  static GLuint empty = 0;
  static int context = 0;
  if (std::exchange(context, contextNumber()) != contextNumber()) empty = create(glCreateVertexArrays);
  glBindVertexArray(empty);
  glBindFramebuffer(GL_FRAMEBUFFER, targetFramebuffer);
  glViewport(0, 0, size.x, size.y);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  if (blend == Blend::replace) {
    glDisable(GL_BLEND);
  } else {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  }
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
}

}  // namespace satdof::gl
