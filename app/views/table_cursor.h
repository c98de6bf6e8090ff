#pragma once
#include <glm/vec2.hpp>
#include <optional>

#include "app/gl/async_readback.h"
#include "app/gl/parameter_block.h"
#include "app/gl/program.h"
#include "app/lens/lens.h"
#include "app/views/table_reading.h"

namespace satdof {

// Reads back the table of a lens at one pixel and at the corners of the boxes that the lens sums for this pixel. The
// words arrive unconverted some frames later, without waiting.
class TableCursor {
 public:
  TableCursor();
  // Requests the words of the pixel `at`. `table`: the lens's table in this frame; without a texture, there is no
  // reading. `repeats`: the image has not changed since the last call.
  void read(const SceneFrame& scene, const LensSettings& settings, const LensRow& lens, const Table& table,
            glm::ivec2 at, bool repeats);
  // The newest reading that has arrived.
  const std::optional<TableReading>& reading() const { return reading_; }
  // Whether reading() describes another pixel or image than the last read(): a later read() brings the words.
  bool pending() const { return reads_.inFlight() > 0 || requested_ != at_; }

 private:
  static constexpr std::size_t kWords = 48;  // output of shaders/views/table_cursor.comp

  gl::Program integerProgram_, floatProgram_;
  // Parameters of shaders/views/table_cursor.comp.
  struct alignas(16) Cursor {
    glm::ivec2 at, element, size;
  };
  gl::ParameterBlock radius_{sizeof(RadiusRule)}, cursor_{sizeof(Cursor)};
  gl::Buffer words_;
  AsyncReadback reads_{kWords};
  TableReading request_;  // the reading in flight, without its words
  std::optional<TableReading> reading_;
  std::optional<glm::ivec2> at_;         // pixel of the last read()
  std::optional<glm::ivec2> requested_;  // pixel of the last request for this image
};

}  // namespace satdof
