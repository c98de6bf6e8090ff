#pragma once
#include <algorithm>
#include <compare>
#include <filesystem>
#include <glm/vec2.hpp>
#include <map>
#include <string>
#include <vector>

namespace satdof {

// Small images for panels. Panels request thumbnails in each layout; ThumbnailMaker makes them between frames.
class Thumbnails {
 public:
  static constexpr int kSide = 160, kPreviewSide = 1280;  // longer side in pixels

  // Identifies a thumbnail: an image file, or the photograph of the window with a ready-made look.
  struct Key {
    std::filesystem::path file;
    std::string look{};
    int side = kSide;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): of the compiler
  };
  struct Image {
    unsigned texture = 0;  // OpenGL name, row 0 at the bottom; 0: none
    glm::vec2 size{0.0f};
  };

  // Call before the panels are laid out.
  void begin() { wanted_.clear(); }
  // Requests a thumbnail. Returns no texture until it is made, or if the file cannot be read.
  Image request(const Key& key) {
    if (std::ranges::find(wanted_, key) == wanted_.end()) wanted_.push_back(key);
    const auto found = made_.find(key);
    return found == made_.end() ? Image() : found->second;
  }

  // The thumbnails that the last layout has requested, in this order.
  const std::vector<Key>& wanted() const { return wanted_; }
  bool made(const Key& key) const { return made_.contains(key); }
  void put(const Key& key, Image image) { made_[key] = image; }
  void forget(const Key& key) { made_.erase(key); }

 private:
  std::vector<Key> wanted_;
  std::map<Key, Image> made_;
};

}  // namespace satdof
