#pragma once
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "app/trace/cuda.h"
#include "app/trace/trace.h"
#include "cuda/emulator/watch.h"

namespace satdof::trace {

// Merges the accesses of the threads of a warp into instructions. The n-th accesses of all threads by the same code
// address, counted since the last barrier of warp or block, are one instruction. Instructions keep the program order;
// blocks keep the order of their turns.
class Recorder : public emulator::Observer {
 public:
  // `keepsSteps`: records the steps; else only counts them. `banks`: of shared memory, 32, or 16 for the half warps of
  // the G80.
  Recorder(bool keepsSteps, const std::vector<NamedMemory>& names, unsigned banks);

  void began(const emulator::Launch& launch) override;
  void beganBlock(const emulator::Place& block) override;
  void accessed(const emulator::Access& access) override;
  void passedWarp(const emulator::Place& last, const void* code) override;
  void passedBarrier(const emulator::Place& block, const void* code) override;
  void endedBlock(const emulator::Place& block) override;
  void ended() override;

  // Whether the trace has more than kMaxLanes accesses: later ones are missing.
  bool isFull() const { return full_; }
  // Returns the trace of all launches, without request, fault and result.
  Trace finish();

 private:
  static constexpr int kNone = -1;

  // An instruction of a warp: a node of the linked list of its instructions since the last barrier.
  struct Node {
    const void* code;
    unsigned repetition;  // how often this code address ran before
    StepKind kind;
    std::uint8_t bytes;
    std::uint32_t buffer;
    int next;
    std::uint64_t turn;  // turn of the lane that arrived last
    std::vector<Lane> lanes;
  };
  struct KeptStep {
    Step step;
    std::uint64_t turn;
    std::vector<Lane> lanes;
  };
  // How far a lane is in the list of its warp.
  struct LanePosition {
    int at = kNone;                                             // its last node
    std::vector<std::pair<const void*, unsigned>> repetitions;  // by code address
  };
  struct Warp {
    std::vector<Node> nodes;
    std::size_t used = 0;  // nodes in use; the others keep their memory
    int first = kNone;
    std::array<LanePosition, kWarpSize> positions;
    std::vector<KeptStep> steps;  // since the last barrier of the block
    std::uint64_t length = 0;     // number of steps since then, also if they are not kept
  };
  struct Block {
    std::vector<Warp> warps;
    std::uint64_t depth = 0;                    // LaunchInfo::depth of this block
    std::optional<emulator::Place> place = {};  // while the block runs
  };

  // Addresses of a buffer.
  struct Region {
    std::uintptr_t begin = 0, end = 0;
    std::uint32_t buffer = 0;
  };

  // Returns the index of the buffer or source line; adds it to the trace if it is new.
  std::uint32_t bufferOf(const emulator::Access& access);
  std::uint32_t sourceOf(const void* code);
  // Whether the lane reads the same word again, in a loop that waits for it. On a GPU, timing decides how often:
  // counted once.
  bool pollsAgain(const Warp& warp, unsigned lane, const emulator::Access& access) const;
  // Returns the node of an access: a later node of the lane's list, or a new one after the lane's last node.
  int nodeOf(Warp& warp, unsigned lane, const emulator::Access& access, std::uint32_t buffer);
  // Stores the value of the pending access: a write has happened by the next event.
  void storePendingValue();
  Warp& warpOf(const emulator::Place& place);
  Step stepOf(StepKind kind, const emulator::Place& place, const void* code);
  // Turns the list of a warp, number `number` of the block, into steps, and empties it.
  void flushWarp(Warp& warp, const emulator::Place& block, std::uint32_t number);
  // Flushes all warps, and interleaves their steps.
  void flushBlock(const emulator::Place& block);
  void count(const Step& step, std::uint64_t leastSectors);
  void keep(const KeptStep& kept);
  void sortByTurns();
  // Copies the contents of a global buffer before the current launch.
  void keepContents(std::uint32_t buffer, std::uintptr_t begin, std::size_t bytes);

  bool keepsSteps_, full_ = false;
  unsigned banks_;
  Trace trace_;
  std::unordered_map<const void*, std::uint32_t> sourceOfCode_;
  std::map<std::uintptr_t, Region> regions_;  // by first address
  Region lastRegion_;
  std::vector<std::uintptr_t> addresses_;  // first address of each buffer
  std::vector<NamedMemory> names_;
  int scratchBuffers_ = 0;  // global buffers without a name

  std::array<Block, emulator::Turns::kMax> blocks_;  // by slot
  std::vector<std::uint64_t> turns_;                 // turn of each step of the launch
  // An access whose value is not stored yet.
  struct PendingValue {
    std::uintptr_t address;
    unsigned bytes;
    Warp* warp;
    int node;
    std::size_t lane;
  };
  std::optional<PendingValue> pending_;
};

}  // namespace satdof::trace
