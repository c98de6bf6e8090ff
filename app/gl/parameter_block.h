#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "app/gl/objects.h"

namespace satdof::gl {

// A uniform block: the parameters of a program as one struct of C++ and GLSL, in the layout std140. Such a struct is aligned to 16
// bytes; it has no bool, and no array but of vectors of four.
class ParameterBlock {
 public:
  // `bytes`: the size of the struct.
  explicit ParameterBlock(size_t bytes);
  // Binds the block with these parameters.
  template <class Parameters>
  void bind(GLuint binding, const Parameters& parameters) const {
    bind(binding, std::as_bytes(std::span(&parameters, 1)));
  }

 private:
  void bind(GLuint binding, std::span<const std::byte> parameters) const;

  mutable std::vector<std::byte> held_;  // in the current buffer
  std::array<gl::Buffer, 4> buffers_;    // in turn: earlier draws may still read the others
  mutable size_t current_ = 0;
};

}  // namespace satdof::gl
