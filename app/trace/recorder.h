#pragma once
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "app/trace/cuda.h"
#include "app/trace/trace.h"
#include "cuda/emulator/watch.h"

namespace satdof::trace {

// Merges the accesses of the threads of a warp into instructions: accesses of one place in the code, each thread's n-th
// since the last barrier of the warp or block, are one. They stay in the order of the program; blocks in the order of
// their turns.
class Recorder : public emulator::Observer {
 public:
  // Keeps the steps if `keeps`; else it only counts. `banks` of shared memory: 32, or 16 for the half warps of the G80.
  Recorder(bool keeps, const std::vector<NamedMemory>& names, unsigned banks);

  void began(const emulator::Launch& launch) override;
  void beganBlock(const emulator::Place& block) override;
  void accessed(const emulator::Access& access) override;
  void passedWarp(const emulator::Place& last, const void* code) override;
  void passedBarrier(const emulator::Place& block, const void* code) override;
  void endedBlock(const emulator::Place& block) override;
  void ended() override;

  // Whether a trace has more than kMostLanes accesses; the rest is missing.
  bool isFull() const { return full_; }
  // Of all launches; without request, fault and result.
  Trace finish();

 private:
  static constexpr int kNone = -1;

  // An instruction of a warp that its lanes run through, in a list.
  struct Node {
    const void* code;
    unsigned repetition;
    What what;
    std::uint8_t bytes;
    std::uint32_t buffer;
    int next;
    std::uint64_t turn;  // of the last lane
    std::vector<Lane> lanes;
  };
  struct Kept {
    Step step;
    std::uint64_t turn;
    std::vector<Lane> lanes;
  };
  struct Walker {  // a lane
    int at = kNone;
    std::vector<std::pair<const void*, unsigned>> repetitions;
  };
  struct Warp {
    std::vector<Node> nodes;
    std::size_t used = 0;  // of `nodes`, which keep their memory
    int first = kNone;
    std::array<Walker, 32> walkers;
    std::vector<Kept> steps;   // since the last barrier of the block
    std::uint64_t length = 0;  // their number, also if not kept
  };
  struct Block {
    std::vector<Warp> warps;
    std::uint64_t depth = 0;
    std::optional<emulator::Place> place = {};  // while it runs
  };

  struct Region {
    std::uintptr_t begin = 0, end = 0;
    std::uint32_t buffer = 0;
  };

  std::uint32_t bufferOf(const emulator::Access& access);
  std::uint32_t sourceOf(const void* code);
  bool pollsAgain(const Warp& warp, unsigned lane, const emulator::Access& access) const;
  int nodeOf(Warp& warp, unsigned lane, const emulator::Access& access, std::uint32_t buffer);
  void finishWrite();
  Warp& warpOf(const emulator::Place& place);
  Step stepOf(What what, const emulator::Place& place, const void* code);
  void closeStretch(Warp& warp, const emulator::Place& block, std::uint32_t number);
  void closeBlockStretch(const emulator::Place& block);
  void count(const Step& step, std::uint64_t leastSectors);
  void keep(const Kept& kept);
  void sortByTurns();

  bool keeps_, full_ = false;
  unsigned banks_;
  Trace trace_;
  std::unordered_map<const void*, std::uint32_t> sourceOfCode_;
  std::map<std::uintptr_t, Region> regions_;
  Region last_;
  std::vector<std::uintptr_t> addresses_;  // of the buffers
  std::vector<NamedMemory> names_;
  int scratch_ = 0;

  std::array<Block, emulator::Turns::kMost> blocks_;  // by slot
  std::vector<std::uint64_t> turns_;                  // of the steps of the launch
  struct Write {
    std::uintptr_t address;
    unsigned bytes;
    Warp* warp;
    int node;
    std::size_t lane;
  };
  std::optional<Write> write_;
};

}  // namespace satdof::trace
