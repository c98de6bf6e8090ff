#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/gl/async_readback.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"
#include "app/views/table_reading.h"

namespace satdof {

// Reads from the table of a lens what it holds at one pixel and at the corners of the boxes of this pixel. The words are
// copied as they are and arrive some frames later, without waiting.
class TableCursor {
 public:
  TableCursor();
  // Requests the words of the pixel `at`. `table`: of the lens in this frame; without a texture there is no reading.
  // `repeats`: the image is the one of the last call.
  void read(const SceneFrame& scene, const LensSettings& settings, const LensRow& lens, const Table& table,
            glm::ivec2 at, bool repeats);
  // The newest words that have arrived.
  const std::optional<TableReading>& reading() const { return reading_; }
  // Whether reading() is of another pixel or image than the last read(): a later call brings the words.
  bool pending() const { return reads_.inFlight() > 0 || requested_ != at_; }

 private:
  static constexpr size_t kWords = 48;  // of shaders/views/table_cursor.comp

  gl::Program ofIntegers_, ofFloats_;
  struct alignas(16) Cursor {  // of shaders/views/table_cursor.comp
    glm::ivec2 at, element, size;
  };
  gl::ParameterBlock radius_{sizeof(RadiusRule)}, cursor_{sizeof(Cursor)};
  gl::Buffer words_;
  AsyncReadback reads_{kWords};
  TableReading request_;  // what is known of the words in flight
  std::optional<TableReading> reading_;
  std::optional<glm::ivec2> at_, requested_;  // requested_: of this image
};

}  // namespace satdof
