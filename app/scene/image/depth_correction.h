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

// The depth of the shown picture, which brushes edit. Not thread-safe.
struct EditableDepth {
  DepthMap map;  // of the size of the picture
  HiddenLayer hidden;
  int edits = 0, hiddenEdits = 0;  // number of changes of `map` and of `hidden` since they were read
  PixelRectangle changed;          // pixels of `map` that are not uploaded yet
  std::string damage{};            // why the corrected depth cannot be read, which this depth replaces
  std::string state{};             // fileState() of the corrected depth when it was last read or written
  std::string photoState{};        // fileState() of the photograph when it was read
  std::string content{};           // hash of the photograph's file; empty: unknown
  std::string paintedOn{};         // DepthImage::paintedOn of the corrected depth; empty: unknown
  std::filesystem::path file{};    // the file of the corrected depth, instead of correctedDepthOf()

  // Whether the corrected depth was painted on another photograph of this name.
  bool isOfAnother() const { return !paintedOn.empty() && paintedOn != content; }
};

// Brush strokes on the depth of a picture, with undo and redo that restore every bit.
class DepthCorrection {
 public:
  // Memory for undo; beyond it the oldest strokes become final.
  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

  DepthCorrection(std::shared_ptr<const Picture> picture, std::shared_ptr<EditableDepth> depth)
      : picture_(std::move(picture)), depth_(std::move(depth)) {}

  const std::shared_ptr<const Picture>& picture() const { return picture_; }
  const std::shared_ptr<EditableDepth>& depth() const { return depth_; }

  struct Stroke {
    long step = 0;  // see begin()
    // Depths of the tiles that it changed, by tile: before the stroke, or after it if the stroke is undone.
    std::unordered_map<std::uint32_t, std::vector<float>> tiles{};
  };
  // What undo and redo need.
  struct Strokes {
    std::deque<Stroke> done{}, undone{};
    bool hasFinal = false;  // a stroke cannot be undone any more
  };
  const Strokes& strokes() const { return strokes_; }
  // `strokes`: of another correction whose depths are equal.
  void setStrokes(Strokes strokes) { strokes_ = std::move(strokes); }

  // Starts a stroke at dab.at; `fill` uses the depth there. Clears redo. `step`: kept with the stroke.
  void begin(Dab dab, long step = 0);
  // Applies dabs along the line to `at`.
  void moveTo(glm::vec2 at);
  void end() { isInStroke_ = false; }
  bool isInStroke() const { return isInStroke_; }

  int undoable() const { return static_cast<int>(strokes_.done.size()); }
  int redoable() const { return static_cast<int>(strokes_.undone.size()); }
  void forgetRedo() { strokes_.undone.clear(); }
  // Whether the depth is as it was before the first stroke: all strokes are undone.
  bool undone() const { return strokes_.done.empty() && !strokes_.hasFinal; }
  // Return false if there is nothing to undo or redo, or during a stroke.
  bool undo() { return swapLast(strokes_.done, strokes_.undone); }
  bool redo() { return swapLast(strokes_.undone, strokes_.done); }

 private:
  // Applies dab_.
  void dab();
  PixelRectangle tileRect(std::uint32_t tile) const;
  // Whether the depths of a tile differ from `values`.
  bool differs(std::uint32_t tile, const std::vector<float>& values);
  // Exchanges the depths of the last stroke of `from`, and moves the stroke to `to`.
  bool swapLast(std::deque<Stroke>& from, std::deque<Stroke>& to);
  void forgetOldest();

  std::shared_ptr<const Picture> picture_;
  std::shared_ptr<EditableDepth> depth_;
  Strokes strokes_;
  Dab dab_;
  bool isInStroke_ = false;
};

}  // namespace satdof
