#include "app/gl/parameter_block.h"

#include <algorithm>

namespace satdof::gl {

void ParameterBlock::bind(GLuint binding, std::span<const std::byte> parameters) {
  if (!std::ranges::equal(parameters, held_)) {
    held_.assign(parameters.begin(), parameters.end());
    current_ = (current_ + 1) % buffers_.size();
    gl::Buffer& buffer = buffers_[current_];
    const auto bytes = static_cast<GLsizeiptr>(held_.size());
    if (buffer.bytes() != bytes) buffer = gl::Buffer(bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
    glNamedBufferSubData(buffer.name(), 0, bytes, held_.data());
  }
  glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffers_[current_].name());
}

}  // namespace satdof::gl
