#pragma once
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/scene/image/depth_brush.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/hidden.h"

namespace satdof {

// The depth of a picture that is shown, as brushes change it. For one thread.
struct EditableDepth {
  DepthMap map;  // of the size of the picture
  HiddenLayer hidden;
  int edits = 0, hiddenEdits = 0;  // since both were read
  PixelRect changed;               // that scenes have not taken yet
  std::string damage{};            // of the corrected depth, in whose place this one is shown
  std::string state{};             // fileState() of the corrected depth that was read or written last
  std::filesystem::path file{};    // where it is kept instead of correctedDepthOf()
};

// Strokes on the depth of a picture. Each can be undone, to the bit.
class DepthCorrection {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{256}
                                           << 20;  // that undo keeps; older strokes are final

  DepthCorrection(std::shared_ptr<const Picture> picture, std::shared_ptr<EditableDepth> depth)
      : picture_(std::move(picture)), depth_(std::move(depth)) {}

  const std::shared_ptr<const Picture>& picture() const { return picture_; }
  const std::shared_ptr<EditableDepth>& depth() const { return depth_; }

  // A stroke: dab.at is its start; `fill` takes the depth there. Redo is forgotten.
  void begin(Dab dab);
  void moveTo(glm::vec2 at);
  void end() { strokes_ = false; }
  bool strokes() const { return strokes_; }

  int undoable() const { return static_cast<int>(done_.size()); }
  int redoable() const { return static_cast<int>(undone_.size()); }
  // Return false if there is nothing to undo or redo, or while a stroke lasts.
  bool undo() { return swapLast(done_, undone_); }
  bool redo() { return swapLast(undone_, done_); }

 private:
  // The other values of the tiles that a stroke touched, by their number.
  using Stroke = std::unordered_map<std::uint32_t, std::vector<float>>;

  void dab();
  PixelRect tileRect(std::uint32_t tile) const;
  bool differs(std::uint32_t tile, const std::vector<float>& values);
  bool swapLast(std::deque<Stroke>& from, std::deque<Stroke>& to);
  void forgetOldest();

  std::shared_ptr<const Picture> picture_;
  std::shared_ptr<EditableDepth> depth_;
  std::deque<Stroke> done_, undone_;
  Dab dab_;
  bool strokes_ = false;
};

}  // namespace satdof
