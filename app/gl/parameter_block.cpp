#include "app/gl/parameter_block.h"

#include <algorithm>

namespace satdof::gl {

ParameterBlock::ParameterBlock(std::size_t bytes) {
  held_.reserve(bytes);
  for (gl::Buffer& buffer : buffers_)
    buffer = gl::Buffer(static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

void ParameterBlock::bind(GLuint binding, std::span<const std::byte> parameters) const {
  if (!std::ranges::equal(parameters, held_)) {
    held_.assign(parameters.begin(), parameters.end());
    current_ = (current_ + 1) % buffers_.size();
    glNamedBufferSubData(buffers_[current_].name(), 0, static_cast<GLsizeiptr>(held_.size()), held_.data());
  }
  glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffers_[current_].name());
}

}  // namespace satdof::gl
