#include "cuda/emulator/block.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cuda/emulator/watch.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define SATDOF_ASAN 1
#else
#define SATDOF_ASAN 0
#endif

namespace satdof::emulator {

const Place* current = nullptr;
const Launch* launched = nullptr;
std::uintptr_t stacksBegin = 0, stacksEnd = 0;

namespace {

namespace context = boost::context::detail;

constexpr unsigned kWarp = 32;
constexpr unsigned kMaxThreads = 1024;
constexpr std::size_t kStackBytes = 64 << 10;
constexpr unsigned kMaxStacks = kMaxThreads * Turns::kMax;
constexpr unsigned kMaxYields = 1 << 14, kPollsPerYield = 64;

// The stacks of all fibres, with an inaccessible guard page below each.
class Stacks {
 public:
  Stacks() : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* const memory =
        mmap(nullptr, kMaxStacks * step(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      throw std::runtime_error("cannot emulate CUDA kernels: no memory for the stacks of threads");
    memory_ = static_cast<char*>(memory);
    stacksBegin = reinterpret_cast<std::uintptr_t>(memory);
    stacksEnd = stacksBegin + kMaxStacks * step();
  }
  // Protects the guard page of stack i. Returns its lowest address. Call once per stack.
  char* open(unsigned i) const {
    mprotect(memory_ + i * step(), guard_, PROT_NONE);
    return bottom(i);
  }
  char* bottom(unsigned i) const { return memory_ + i * step() + guard_; }

 private:
  std::size_t step() const { return kStackBytes + guard_; }

  std::size_t guard_;
  char* memory_;
};

enum class Wait : std::uint8_t { nothing, block, lanes };

struct Thread {
  Place place;
  unsigned fibre = 0;
  Wait wait = Wait::nothing;
  bool done = false;
  const char* name = "";       // of the CUDA function in which the thread waits
  const void* code = nullptr;  // of the call
  unsigned mask = 0, source = 0;
  std::uint64_t value = 0;
  unsigned polls = 0;
};

struct Fibre {
  context::fcontext_t context = nullptr;
  void* fakeStack = nullptr;  // for the address sanitizer
};

// "(x, y, z)"
std::string text(dim3 at) {
  std::string all = "(";
  all.append(std::to_string(at.x)).append(", ").append(std::to_string(at.y)).append(", ");
  return all.append(std::to_string(at.z)).append(")");
}

std::string placeOf(const Place& place, const void* code) {
  const std::string source = code == nullptr ? "" : sourceOf(code);
  return "block " + text(place.block) + ", thread " + text(place.thread) + (source.empty() ? "" : ", " + source);
}

// A resident block.
struct Block {
  Place place;  // of its first thread
  std::vector<Thread> threads = std::vector<Thread>(kMaxThreads);
  unsigned next = 0, done = 0;           // the next thread to start; number of threads that have ended
  std::vector<unsigned> ready, polling;  // indices of threads; polling threads are ready in the next turn
  std::size_t readyFrom = 0;             // the first thread of `ready` that has not resumed
  unsigned arrived = 0, number = 0;      // at the barrier: threads that have arrived; values that are not 0
  unsigned result = 0;                   // of the last barrier
  unsigned epoch = 0;                    // barriers passed
  std::array<unsigned, kMaxThreads / kWarp> warpEpochs{}, lanesWaiting{};
  std::vector<std::vector<std::byte>> shared;  // copy of sharedMemory() while another block runs

  bool hasReady() const { return readyFrom < ready.size(); }
};

thread_local Turns chosenTurns = [] {
  const char* const value = std::getenv("SATDOF_EMULATOR_TURNS");
  return Turns{.resident = value == nullptr ? 1u : static_cast<unsigned>(std::atoi(value))};
}();

// Schedules the threads of the resident blocks on fibres.
class Machine {
 public:
  void run(const Launch& launch, const Call& call) {
    call_ = &call;
    launched = &launch;
    count_ = launch.block.x * launch.block.y * launch.block.z;
    beganLaunch(launch, call);
    const unsigned all = launch.grid.x * launch.grid.y * launch.grid.z;
    const Turns turns = watching ? chosenTurns : Turns{};
    resident_ = std::clamp(std::min(turns.resident, all), 1u, Turns::kMax);
    while (blocks_.size() < resident_) blocks_.push_back(std::make_unique<Block>());
    std::array<bool, Turns::kMax> runs{};
    unsigned begun = 0, ended = 0;
    for (unsigned round = 0; ended < all && fault_.empty(); ++round)
      for (unsigned i = 0; i < resident_ && fault_.empty(); ++i) {
        const unsigned slot = round % 2 == 0 ? i : resident_ - 1 - i;
        if (!runs[slot]) {
          if (begun == all) continue;
          begin(launch, begun++, slot);
          runs[slot] = true;
        }
        const bool othersRun = begun < all || begun - ended > 1;
        const bool waits = othersRun && blocks_[slot]->place.blockIndex == turns.slow;
        if (waits && round % Turns::kSlowness != 0) continue;
        if (!takeTurn(*blocks_[slot])) continue;
        endedBlock(blocks_[slot]->place);
        runs[slot] = false;
        ++ended;
      }
    endedLaunch();
    current = nullptr;
    launched = nullptr;
    if (fault_.empty()) return;
    fibres_.clear();  // with the frames of the kernel
    idle_.clear();
    throw std::runtime_error("CUDA kernel " + nameOf(launch.kernel) + ": " + std::exchange(fault_, {}));
  }

  unsigned waitForBlock(int value, const char* name, const void* code) {
    Block& block = *block_;
    ++block.arrived;
    block.number += value != 0;
    if (block.arrived == count_) {
      block.result = (block.number != 0 ? 1u : 0u) | (block.number == count_ ? 2u : 0u) | block.number << 2;
      block.arrived = block.number = 0;
      ++block.epoch;
      passedBarrier(block.place, code);
      for (unsigned i = 0; i < count_; ++i)
        if (block.threads[i].wait == Wait::block) makeReady(block.threads[i]);
      return block.result;
    }
    waitIn(Wait::block, name, code);
    return block.result;
  }

  // A shuffle, or a vote if `votes`.
  std::uint64_t joinLanes(unsigned mask, std::uint64_t value, unsigned source, bool votes, const char* name,
                          const void* code) {
    const unsigned index = running_->place.index, lane = index % kWarp, first = index - lane;
    const unsigned lanes = std::min(count_ - first, kWarp);
    const unsigned exist = lanes == kWarp ? ~0u : (1u << lanes) - 1;
    if ((mask >> lane & 1) == 0 || ((mask & ~exist) != 0 && mask != ~0u)) stopWatching();
    if ((mask >> lane & 1) == 0) fault(std::string(name) + ": the mask lacks this lane", code);
    if ((mask & ~exist) != 0 && mask != ~0u) fault(std::string(name) + ": the mask has lanes beyond the block", code);
    mask &= exist;
    running_->mask = mask;
    running_->value = value;
    running_->source = source;
    const auto allArrive = [&] {
      for (unsigned i = 0; i < lanes; ++i) {
        const Thread& other = block_->threads[first + i];
        if (i == lane || (mask >> i & 1) == 0) continue;
        const bool sameName = other.name == name || std::strcmp(other.name, name) == 0;
        if (other.wait != Wait::lanes || other.mask != mask || !sameName) return false;
      }
      return true;
    };
    unsigned& waiting = block_->lanesWaiting[first / kWarp];
    if (waiting + 1 < static_cast<unsigned>(std::popcount(mask)) || !allArrive()) {
      ++waiting;
      waitIn(Wait::lanes, name, code);
      return running_->value;
    }
    waiting -= static_cast<unsigned>(std::popcount(mask)) - 1;
    std::array<std::uint64_t, kWarp> given{};
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < lanes; ++i)
      if (mask >> i & 1) {
        given[i] = block_->threads[first + i].value;
        bits |= (given[i] & 1) << i;
      }
    ++block_->warpEpochs[first / kWarp];
    passedWarp(running_->place, code);
    for (unsigned i = 0; i < lanes; ++i) {
      if ((mask >> i & 1) == 0) continue;
      Thread& thread = block_->threads[first + i];
      const bool reads = !votes && (thread.source >= kWarp || (mask >> thread.source & 1) == 0);
      if (reads) stopWatching();
      if (reads)
        fault(std::string(name) + ": lane " + std::to_string(i) + " reads lane " + std::to_string(thread.source) +
                  ", which the mask lacks",
              code);
      thread.value = votes ? bits : given[thread.source];
      if (i != lane) makeReady(thread);
    }
    return running_->value;
  }

  void polled(const void* code) {
    const unsigned pollsPerYield = resident_ == 1 ? kPollsPerYield : 1;
    if (++running_->polls >= kMaxYields * pollsPerYield) stopWatching();
    if (running_->polls >= kMaxYields * pollsPerYield)
      fault("no progress: the thread polls memory that no thread writes", code);
    if (running_->polls % pollsPerYield != 0) return;
    block_->polling.push_back(running_->place.index);
    suspend(running_->fibre);
  }

  // Call before making the message of a fault: it uses inline library functions, of which the linker may keep
  // the copies with hooks.
  static void stopWatching() { watching = false; }

  [[noreturn]] void fault(const std::string& what, const void* code) {
    stopWatching();
    fault_ = what + " (" + placeOf(running_->place, code) + ")";
    for (;;) suspend(running_->fibre);  // never resumed
  }

  void* shared() { return shared_.data(); }
  bool isOwn(std::uintptr_t address) const {
    const auto within = [&](const void* begin, std::size_t bytes) {
      return address - reinterpret_cast<std::uintptr_t>(begin) < bytes;
    };
    const auto& threads = block_->threads;
    return within(threads.data(), threads.size() * sizeof(Thread)) || within(launched, sizeof *launched) ||
           within(&launched, sizeof(void*)) || within(&current, sizeof(void*));
  }
  unsigned blockEpoch() const { return block_->epoch; }
  unsigned warpEpoch() const { return block_->warpEpochs[running_->place.index / kWarp]; }
  std::uint64_t turn() const { return turn_; }

 private:
  void begin(const Launch& launch, unsigned number, unsigned slot) {
    const auto [width, height, depth] = launch.block;
    const dim3 at{number % launch.grid.x, number / launch.grid.x % launch.grid.y,
                  number / (launch.grid.x * launch.grid.y)};
    Block& block = *blocks_[slot];
    for (unsigned i = 0; i < count_; ++i)
      block.threads[i] = Thread{.place = {{i % width, i / width % height, i / (width * height)}, at, i, number, slot}};
    block.place = block.threads[0].place;
    block.next = block.done = block.arrived = block.number = 0;
    block.lanesWaiting = {};
    block.ready.clear();
    block.polling.clear();
    block.readyFrom = 0;
    block.shared.clear();
    beganBlock(block.place, shared_.data(), launch.sharedBytes);
  }

  // Runs the threads of a block until all of them wait or have ended. Returns whether all have ended.
  bool takeTurn(Block& block) {
    ++turn_;
    switchTo(block);
    block.ready.insert(block.ready.end(), block.polling.begin(), block.polling.end());
    block.polling.clear();
    while (fault_.empty()) {
      if (block.hasReady()) {
        running_ = &block.threads[block.ready[block.readyFrom++]];
        if (!block.hasReady()) {
          block.ready.clear();
          block.readyFrom = 0;
        }
        current = &running_->place;
        resume(running_->fibre);
      } else if (block.next < count_) {
        resume(idleFibre());
      } else if (block.done == count_) {
        return true;
      } else if (!block.polling.empty()) {
        return false;
      } else {
        deadlock();
      }
    }
    return false;
  }

  // Saves the shared memory of the block that ran last, and restores the contents for `block`. Both blocks use the
  // same memory.
  void switchTo(Block& block) {
    if (resident_ > 1 && block_ != &block) {
      const auto memory = sharedMemory();
      if (block_ != nullptr) {
        block_->shared.resize(memory.size());
        for (std::size_t i = 0; i < memory.size(); ++i) block_->shared[i].assign(memory[i].begin(), memory[i].end());
      }
      for (std::size_t i = 0; i < block.shared.size(); ++i) std::ranges::copy(block.shared[i], memory[i].begin());
    }
    block_ = &block;
  }

  unsigned idleFibre() {
    if (!idle_.empty()) {
      const unsigned fibre = idle_.back();
      idle_.pop_back();
      return fibre;
    }
    const auto fibre = static_cast<unsigned>(fibres_.size());
    char* const bottom = stacks_.open(fibre);
#if SATDOF_ASAN
    __asan_unpoison_memory_region(bottom, kStackBytes);
#endif
    fibres_.push_back({context::make_fcontext(bottom + kStackBytes, kStackBytes, enter)});
    return fibre;
  }

  // Switches from the scheduler to a fibre, until the fibre suspends itself.
  void resume(unsigned of) {
#if SATDOF_ASAN
    void* fakeStack = nullptr;
    __sanitizer_start_switch_fiber(&fakeStack, stacks_.bottom(of), kStackBytes);
#endif
    active_ = of;
    fibres_[of].context = context::jump_fcontext(fibres_[of].context, nullptr).fctx;
#if SATDOF_ASAN
    __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
  }

  // Switches from a fibre to the scheduler.
  void suspend([[maybe_unused]] unsigned of) {
#if SATDOF_ASAN
    __sanitizer_start_switch_fiber(&fibres_[of].fakeStack, schedulerBottom_, schedulerBytes_);
#endif
    scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
#if SATDOF_ASAN
    __sanitizer_finish_switch_fiber(fibres_[of].fakeStack, &schedulerBottom_, &schedulerBytes_);
#endif
  }

  static void enter(context::transfer_t transfer);

  // The body of a fibre: starts threads, one after the other, until a thread is ready to resume. A waiting
  // thread keeps the fibre.
  [[noreturn]] void runThreads(unsigned of) {
    for (;;) {
      while (block_->next < count_ && !block_->hasReady()) {
        running_ = &block_->threads[block_->next++];
        running_->fibre = of;
        current = &running_->place;
        call_->run(call_->arguments.get());
        end();
      }
      idle_.push_back(of);
      suspend(of);
    }
  }

  void end() {
    running_->done = true;
    ++block_->done;
    if (block_->arrived == 0) return;
    stopWatching();
    const Thread& waits = *std::ranges::find(block_->threads, Wait::block, &Thread::wait);
    fault(std::string("a thread ends while others wait in ") + waits.name + ": " + placeOf(waits.place, waits.code),
          nullptr);
  }

  void waitIn(Wait wait, const char* name, const void* code) {
    Thread& thread = *running_;
    const bool lacks = wait == Wait::block && block_->done != 0;
    if (lacks) stopWatching();
    if (lacks) fault(std::string(name) + ": not all threads of the block arrive, since some have ended", code);
    thread.wait = wait;
    thread.name = name;
    thread.code = code;
    suspend(thread.fibre);
  }

  void makeReady(Thread& thread) {
    thread.wait = Wait::nothing;
    block_->ready.push_back(thread.place.index);
  }

  void deadlock() {
    std::string what = "deadlock:";
    unsigned reported = 0;
    const void* last = nullptr;
    for (unsigned i = 0; i < count_; ++i) {
      const Thread& thread = block_->threads[i];
      if (thread.wait == Wait::nothing || thread.code == last || reported == 4) continue;
      last = thread.code;
      what +=
          std::string(reported++ == 0 ? " " : "; ") + placeOf(thread.place, thread.code) + " waits in " + thread.name;
    }
    fault_ = what;
  }

  Stacks stacks_;
  const Call* call_ = nullptr;
  std::vector<std::unique_ptr<Block>> blocks_;  // by slot
  Block* block_ = nullptr;
  Thread* running_ = nullptr;
  unsigned count_ = 0, resident_ = 1;  // threads per block; resident blocks
  std::uint64_t turn_ = 0;
  std::vector<Fibre> fibres_;
  std::vector<unsigned> idle_;
  unsigned active_ = 0;
  context::fcontext_t scheduler_ = nullptr;
  [[maybe_unused]] const void* schedulerBottom_ = nullptr;  // of the address sanitizer
  [[maybe_unused]] std::size_t schedulerBytes_ = 0;
  std::string fault_;
  std::vector<uint4> shared_ = std::vector<uint4>(kMaxSharedBytes / sizeof(uint4));
};

std::atomic<Machine*> instance = nullptr;  // faster to read than the guard of a static variable
Machine& machine() {
  if (Machine* const made = instance.load(std::memory_order_relaxed); made != nullptr) return *made;
  static Machine made;
  instance.store(&made, std::memory_order_relaxed);
  return made;
}

void Machine::enter(context::transfer_t transfer) {
  Machine& of = machine();
  of.scheduler_ = transfer.fctx;
#if SATDOF_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &of.schedulerBottom_, &of.schedulerBytes_);
#endif
  of.runThreads(of.active_);
}

}  // namespace

void run(const Launch& launch, const Call& call) {
  static std::mutex oneKernel;
  const std::lock_guard lock(oneKernel);
  machine().run(launch, call);
}

void fault(const std::string& what, const void* code) { machine().fault(what, code); }
unsigned waitForBlock(int value, const char* name) {
  return machine().waitForBlock(value, name, __builtin_return_address(0));
}
std::uint64_t waitForLanes(unsigned mask, std::uint64_t value, unsigned source, const char* name) {
  return machine().joinLanes(mask, value, source, false, name, __builtin_return_address(0));
}
unsigned vote(unsigned mask, bool value, const char* name) {
  return static_cast<unsigned>(machine().joinLanes(mask, value, 0, true, name, __builtin_return_address(0)));
}
void polled() { machine().polled(__builtin_return_address(0)); }
void* dynamicShared() { return machine().shared(); }
bool isOwn(std::uintptr_t address) { return machine().isOwn(address); }
unsigned blockEpoch() { return machine().blockEpoch(); }
unsigned warpEpoch() { return machine().warpEpoch(); }
void takeTurns(const Turns& turns) { chosenTurns = turns; }
std::uint64_t turn() { return machine().turn(); }

}  // namespace satdof::emulator
