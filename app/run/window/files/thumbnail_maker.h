#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/core/system/loading.h"
#include "app/gl/objects.h"
#include "app/io/picture.h"
#include "app/run/window/files/thumbnail.h"
#include "app/ui/photographs/thumbnails.h"

namespace satdof {

// An image as displayed: RGBA of 8 bits, bottom row first.
struct SmallImage {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgba;
};

// The picture with its longer side reduced to at most `side` pixels: means of 4 x 4 samples a pixel.
SmallImage reduced(const Picture& picture, int side);

// Makes the thumbnails that the panels ask for. A thread reads files, one at a time; thumbnails of looks are drawn
// between frames.
class ThumbnailMaker {
 public:
  ThumbnailMaker();
  // Takes the file that was read and requests the next one. Returns whether a thumbnail was made.
  bool serve(Thumbnails& thumbnails);
  // Draws one thumbnail of a look that does not show these settings yet. `photo`: size of the photograph. Returns
  // whether there was one.
  bool drawLook(Thumbnails& thumbnails, const Settings& settings, glm::ivec2 photo, Renderer& renderer);
  // Whether a file is being read.
  bool busy() const { return job_.has_value(); }

 private:
  static constexpr std::size_t kMax = 400;  // textures

  // Makes a texture of the image of job_; null: the file cannot be read. Frees the oldest texture beyond the limit.
  void put(Thumbnails& thumbnails, const SmallImage* image);

  Loading<Thumbnails::Key, SmallImage> loading_;
  std::optional<Thumbnails::Key> job_;
  std::map<std::string, Thumbnail> looks_;
  Timings untimed_;
  std::list<std::pair<Thumbnails::Key, gl::Texture>> made_;  // newest last
};

}  // namespace satdof
