#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof::gl {

// A uniform block: the parameters of a program as one struct shared by C++ and GLSL. In std140 layout, the struct is
// aligned to 16 bytes, contains no bool, and its arrays have elements of four components.
class ParameterBlock {
 public:
  // `bytes`: size of the struct.
  explicit ParameterBlock(std::size_t bytes);
  // Uploads the parameters if they changed, and binds the block.
  template <class Parameters>
  void bind(GLuint binding, const Parameters& parameters) const {
    bind(binding, std::as_bytes(std::span(&parameters, 1)));
  }

 private:
  void bind(GLuint binding, std::span<const std::byte> parameters) const;

  mutable std::vector<std::byte> held_;  // contents of the current buffer
  std::array<gl::Buffer, 4> buffers_;    // a ring: earlier draws may still read the other buffers
  mutable std::size_t current_ = 0;
};

}  // namespace satdof::gl
