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

// What one step of a play passes: an access of one lane, an instruction of a warp, all up to the next barrier or block, or
// a launch.
enum class Unit { access, instruction, barrier, launch };

inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

// A value that a lane computed: the element that it wrote, from one that it had read before.
struct Edge {
  std::uint32_t buffer = 0, from = 0, to = 0;  // elements of one buffer
  std::uint32_t row = 0;                       // barriers of the block, or launches, before the write
};

// How far a block of the launch is.
enum class Progress { waits, runs, done };

// A word in which a block that looks back publishes the sum of its tile, then of all up to it.
enum class TileState { invalid, aggregate, inclusive };
TileState tileStateOf(std::uint64_t word);
std::uint32_t tileSumOf(std::uint64_t word);

// Memory and counters after the first position() steps of a trace, the last of them perhaps in part.
class Player {
 public:
  explicit Player(Trace trace);

  const Trace& trace() const { return trace_; }
  std::size_t position() const { return position_; }
  std::size_t end() const { return trace_.steps.size(); }
  // Costs the steps from the start if it goes back. Later positions than end() are end().
  void seek(std::size_t position);
  // Goes `by` units on, or back if `by` is negative.
  void go(Unit unit, int by);

  // The step that was done last; null at the start.
  const Step* step() const { return position_ == 0 ? nullptr : &trace_.steps[position_ - 1]; }
  std::span<const Lane> lanes(const Step& step) const;
  // Of the last step: the lanes that are done.
  std::span<const Lane> lanesDone() const;
  // The lines of its source file; empty if it is not installed.
  std::span<const std::string> sourceLines() const;
  std::uint32_t launch() const;                                   // of the last step, or the first one
  unsigned warps() const;                                         // of a block of that launch
  std::span<const Progress> blocks() const { return progress_; }  // of that launch
  // The buffers that the launch accesses.
  std::span<const std::uint32_t> buffers() const { return launches_[launch()].buffers; }
  // The positions after which a barrier is passed, or another launch begins.
  std::span<const std::size_t> barriers() const { return barriers_; }
  std::span<const std::size_t> launchStarts() const { return launchStarts_; }

  unsigned elements(std::uint32_t buffer) const;
  // The bits of an element; none: unknown, such as shared memory that the block has not written.
  std::optional<std::uint64_t> value(std::uint32_t buffer, std::uint32_t element) const;
  // The step that wrote it last in this launch and block; kNobody: none.
  std::uint32_t writer(std::uint32_t buffer, std::uint32_t element) const;
  // Within the block of the last step, by barriers, if its blocks have some; else within global memory, by launches.
  std::span<const Edge> edges() const { return byBarriers() ? of().edges : launchEdges_; }
  unsigned rows() const;  // of all edges that come
  unsigned row() const { return byBarriers() ? of().stretch : launch(); }
  // What a lane of the block of the last step holds in a register: the word that it read or wrote last. None: nothing yet.
  std::optional<std::uint64_t> held(std::uint32_t warp, std::uint32_t lane) const;
  // Of all steps up to here.
  const Tally& tally() const { return tally_; }

 private:
  struct Memory {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> known;             // by element
    std::vector<std::uint32_t> writers;  // by element
  };
  struct Element {
    std::uint32_t buffer, element;
  };
  struct Reads {
    std::vector<Element> from;
    bool used = false;                       // by a write: the next read starts a new list
    std::optional<std::uint64_t> word = {};  // the last one
  };
  struct Block {
    std::vector<Memory> shared;  // by buffer
    std::uint32_t stretch = 0;   // barriers passed
    std::vector<Edge> edges;
    std::vector<Reads> reads;  // by thread
  };
  struct LaunchOf {
    std::vector<std::uint32_t> buffers;
    unsigned mostBarriers = 0;           // of a block
    std::vector<std::size_t> lastSteps;  // of each block; none: it does nothing
  };

  bool follows(std::size_t step, Unit unit) const;
  std::size_t after(Unit unit) const;
  std::size_t before(Unit unit) const;
  void restart();
  void enterLaunch(std::uint32_t launch);
  void begin(const Step& step);
  void apply(const Step& step, const Lane& lane);
  void applyNext();  // lane of the last step
  void finish();     // all lanes of the last step
  std::uint32_t elementOf(const Step& step, const Lane& lane) const;
  Memory memoryOf(const Buffer& buffer) const;
  const Memory& memory(std::uint32_t buffer) const;
  bool byBarriers() const { return launches_[launch()].mostBarriers > 1; }
  const Block& of() const { return blocks_.at(block_); }
  Block& enterBlock(std::uint32_t number);

  Trace trace_;
  std::map<std::string, std::vector<std::string>> files_;
  std::vector<LaunchOf> launches_;
  std::vector<std::size_t> launchStarts_, barriers_;
  std::size_t position_ = 0;
  std::size_t lanesDone_ = 0;  // of the last step
  std::optional<std::uint32_t> launch_;
  std::uint32_t block_ = 0;
  std::vector<Memory> memory_;             // global, by buffer
  std::map<std::uint32_t, Block> blocks_;  // of the launch, that have begun
  std::vector<Progress> progress_;
  std::vector<Edge> launchEdges_;
  Tally tally_;
};

// "5", or "0.25" if the bits of 4 bytes are such a float and no small integer; "A 64" or "P 128" of a word with an
// aggregate or an inclusive prefix.
std::string valueText(std::uint64_t bits, const Buffer& of);
// What an element holds, and who wrote it where: for tooltips.
std::string elementText(const Player& player, std::uint32_t buffer, std::uint32_t element);
// "warp 0 of block 1 reads shared memory: 32 words in 2 passes".
std::string stepText(const Trace& trace, const Step& step);

}  // namespace satdof::trace
