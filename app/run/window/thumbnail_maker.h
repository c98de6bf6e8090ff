#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/gl/objects.h"
#include "app/io/picture.h"
#include "app/run/window/thumbnail.h"
#include "app/scene/loading.h"
#include "app/ui/thumbnails.h"

namespace satdof {

// An image as displayed: RGBA of 8 bits, bottom row first.
struct SmallImage {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgba;
};

// The picture with its longer side reduced to at most `side` pixels.
SmallImage reduced(const Picture& picture, int side);

// Makes the thumbnails that the panels ask for: reads their files on a thread of its own, one after the other, and draws looks
// between frames.
class ThumbnailMaker {
 public:
  ThumbnailMaker();
  // Call often. Returns whether a thumbnail was made.
  bool serve(Thumbnails& thumbnails);
  // Draws the first thumbnail of a look that does not show the photograph as it would be with these settings. Returns whether
  // there was one.
  bool drawLook(Thumbnails& thumbnails, const Settings& settings, glm::ivec2 photo, Renderer& renderer);
  // Whether a file is being read.
  bool busy() const { return job_.has_value(); }

 private:
  static constexpr std::size_t kMost = 400;  // textures

  void put(Thumbnails& thumbnails, const SmallImage* image);

  Loading<Thumbnails::Key, SmallImage> loading_;
  std::optional<Thumbnails::Key> job_;
  std::map<std::string, Thumbnail> looks_;
  Timings untimed_;
  std::list<std::pair<Thumbnails::Key, gl::Texture>> made_;  // newest last
};

}  // namespace satdof
