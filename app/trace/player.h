#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/trace/trace.h"

namespace satdof::trace {

// How far Player::advance() goes: an access of one lane, an instruction of a warp, the instructions of a block up to
// its next barrier or to another block, or a launch.
enum class Unit { access, instruction, barrier, launch };

inline constexpr std::uint32_t kNoWriter = std::numeric_limits<std::uint32_t>::max();

// An edge of the data-flow graph: a lane read element `from` and then wrote element `to` of the same buffer.
struct Edge {
  std::uint32_t buffer = 0, from = 0, to = 0;
  std::uint32_t row = 0;  // barriers of the block, or launches, before the write
};

// Progress of a block of the launch.
enum class Progress { waits, runs, done };

// Status of a tile in decoupled look-back: a block publishes the sum of its tile, then the sum up to the end of its
// tile.
enum class TileState { invalid, aggregate, inclusive };
TileState tileStateOf(std::uint64_t word);
std::uint32_t tileSumOf(std::uint64_t word);

// Plays a trace: reconstructs memory and counters after its first position() steps. Of the last step, only some lanes
// may be done.
class Player {
 public:
  explicit Player(Trace trace);

  const Trace& trace() const { return trace_; }
  std::size_t position() const { return position_; }
  std::size_t end() const { return trace_.steps.size(); }
  // Goes to a position, at most end(). Going back replays the steps from the start.
  void seek(std::size_t position);
  // Goes on by `count` units; back if `count` is negative.
  void advance(Unit unit, int count);

  // The last step; null at the start.
  const Step* step() const { return position_ == 0 ? nullptr : &trace_.steps[position_ - 1]; }
  std::span<const Lane> lanes(const Step& step) const;
  // Lanes of the last step that are done.
  std::span<const Lane> lanesDone() const;
  // Lines of the source file of the last step; empty if the file is not installed.
  std::span<const std::string> sourceLines() const;
  // Launch of the last step; at the start, the first launch. "The launch" below.
  std::uint32_t launch() const;
  unsigned warps() const;  // of a block of the launch
  std::span<const Progress> blocks() const { return progress_; }
  // Buffers that the launch accesses.
  std::span<const std::uint32_t> buffers() const { return launches_[launch()].buffers; }
  // Positions after each barrier, and positions at which each launch starts.
  std::span<const std::size_t> barriers() const { return barriers_; }
  std::span<const std::size_t> launchStarts() const { return launchStarts_; }

  // Number of elements of a buffer.
  unsigned elements(std::uint32_t buffer) const;
  // Bits of an element; none: unknown, such as shared memory that the block has not written.
  std::optional<std::uint64_t> value(std::uint32_t buffer, std::uint32_t element) const;
  // Index of the last step of the launch, and for shared memory of the block, that wrote the element; kNoWriter: none.
  std::uint32_t writer(std::uint32_t buffer, std::uint32_t element) const;
  // The data-flow graph. If blocks of the launch pass several barriers: within the block of the last step, a row
  // between two barriers. Else within global memory, a row a launch.
  std::span<const Edge> edges() const { return edgesByBarriers() ? currentBlock().edges : launchEdges_; }
  unsigned rows() const;  // rows of the whole graph
  unsigned row() const { return edgesByBarriers() ? currentBlock().barriersPassed : launch(); }
  // The word that a lane of the block of the last step read or wrote last; none: nothing yet.
  std::optional<std::uint64_t> lastWord(std::uint32_t warp, std::uint32_t lane) const;
  // Counts of all steps so far.
  const Tally& tally() const { return tally_; }

 private:
  // Contents of a buffer.
  struct Memory {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> known;             // by element
    std::vector<std::uint32_t> writers;  // by element
  };
  struct Element {
    std::uint32_t buffer, element;
  };
  // Elements that a thread has read since its last write, and its last word.
  struct Reads {
    std::vector<Element> from;
    bool used = false;  // a write has used `from`: the next read starts a new list
    std::optional<std::uint64_t> word = {};
  };
  struct Block {
    std::vector<Memory> shared;  // by buffer
    std::uint32_t barriersPassed = 0;
    std::vector<Edge> edges;
    std::vector<Reads> reads;  // by thread
  };
  struct Launch {
    std::vector<std::uint32_t> buffers;
    unsigned mostBarriers = 0;           // of a block
    std::vector<std::size_t> lastSteps;  // of each block
  };

  // Whether a step belongs to the same unit as the step before it.
  bool continuesUnit(std::size_t step, Unit unit) const;
  // Positions one unit after, and one unit before, the current position.
  std::size_t after(Unit unit) const;
  std::size_t before(Unit unit) const;
  void restart();
  void enterLaunch(std::uint32_t launch);
  // Makes a step the last step, with no lane done.
  void begin(const Step& step);
  void apply(const Step& step, const Lane& lane);
  void applyNext();  // the next lane of the last step
  void finish();     // the remaining lanes of the last step
  std::uint32_t elementOf(const Step& step, const Lane& lane) const;
  Memory memoryOf(const Buffer& buffer) const;
  const Memory& memory(std::uint32_t buffer) const;
  bool edgesByBarriers() const { return launches_[launch()].mostBarriers > 1; }
  const Block& currentBlock() const { return blocks_.at(block_); }
  Block& enterBlock(std::uint32_t number);

  Trace trace_;
  std::map<std::string, std::vector<std::string>> files_;  // lines of source files
  std::vector<Launch> launches_;
  std::vector<std::size_t> launchStarts_, barriers_;
  std::size_t position_ = 0;
  std::size_t lanesDone_ = 0;  // lanes of the last step
  std::optional<std::uint32_t> launch_;
  std::uint32_t block_ = 0;
  std::vector<Memory> memory_;             // global memory, by buffer
  std::map<std::uint32_t, Block> blocks_;  // blocks of the launch that have begun
  std::vector<Progress> progress_;
  std::vector<Edge> launchEdges_;
  Tally tally_;
};

// Returns an element as text: "5"; "0.25" if the 4 bytes are a float rather than a small integer; "A 64" or "P 128" for
// a tile word with an aggregate or an inclusive prefix.
std::string valueText(std::uint64_t bits, const Buffer& buffer);
// Returns the value of an element, and the thread, step and source line that wrote it: for tooltips.
std::string elementText(const Player& player, std::uint32_t buffer, std::uint32_t element);
// Returns "Block 1, warp 0 reads shared: 32 lanes, 2 passes".
std::string stepText(const Trace& trace, const Step& step);

}  // namespace satdof::trace
