#include "cuda/emulator/watch.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace satdof::emulator {

constinit thread_local bool watching = false;

namespace {

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

// The address ranges of this program: all of it, and its zero-initialised data, which holds the __shared__
// variables.
struct Image {
  Range all, zeros;
};

Image imageOfProgram() {
  Image image;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& found = *static_cast<Image*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
          if (found.all.end == 0) found.all.begin = begin;
          found.all.end = end;
          if ((part.p_flags & PF_W) != 0) found.zeros = {begin + part.p_filesz, end};
        }
        return 1;  // the program comes first
      },
      &image);
  return image;
}

// A past access, with which later accesses are compared.
struct PastAccess {
  std::uint32_t launch = 0, block = 0, blockEpoch = 0, warpEpoch = 0;
  std::uint16_t thread = 0;
  std::uint8_t bytes = 0;  // one bit per byte of the word
  bool atomic = false;
  const void* code = nullptr;
};

// The history of a word of 8 bytes.
struct Word {
  PastAccess write, firstRead, lastRead;  // firstRead, lastRead: since the last barrier
  std::uint32_t launch = 0, block = 0;    // shared memory: of `written`
  std::uint8_t written = 0;               // shared memory: one bit per byte that the block has written
};

constexpr std::uintptr_t kWord = 8, kPage = 4096;
constexpr unsigned kSlotShift = 48;  // addresses of a process have fewer bits
using Page = std::array<Word, kPage / kWord>;

// The checks for hazards and for reads of unwritten shared memory.
class Checks {
 public:
  void beganLaunch() { ++launch_; }

  void access(const Access& access) {
    std::uintptr_t at = access.address;
    const std::uintptr_t end = at + access.bytes;
    while (at < end) {
      const std::uintptr_t word = at / kWord * kWord, next = std::min(end, word + kWord);
      const auto bytes = static_cast<std::uint8_t>(((1u << (next - at)) - 1) << (at - word));
      // Resident blocks have their own shared memory, at the same address.
      const std::uintptr_t slot = access.space == Space::shared ? access.place->slot : 0;
      check(wordAt(word | slot << kSlotShift), access, bytes);
      at = next;
    }
  }

 private:
  Word& wordAt(std::uintptr_t address) {
    const std::uintptr_t page = address / kPage;
    auto& [number, words] = recent_[page % recent_.size()];
    if (words == nullptr || page != number) {
      auto& found = pages_[page];
      if (found == nullptr) found = std::make_unique<Page>();
      number = page;
      words = found.get();
    }
    return (*words)[address % kPage / kWord];
  }

  // Whether the two accesses cannot conflict: they touch different bytes, both are atomic, or a barrier is
  // between them.
  bool ordered(const PastAccess& before, const PastAccess& now) const {
    if (before.launch != now.launch || before.bytes == 0 || (before.bytes & now.bytes) == 0) return true;
    if (before.atomic && now.atomic) return true;
    if (before.block != now.block) return false;
    if (before.thread == now.thread || before.blockEpoch != now.blockEpoch) return true;
    return before.thread / 32 == now.thread / 32 && before.warpEpoch != now.warpEpoch;
  }

  void check(Word& word, const Access& access, std::uint8_t bytes) {
    const Place& place = *access.place;
    const PastAccess now{launch_,
                         place.blockIndex,
                         blockEpoch(),
                         warpEpoch(),
                         static_cast<std::uint16_t>(place.index),
                         bytes,
                         access.kind != Kind::read && access.kind != Kind::write,
                         access.code};
    if (access.space == Space::shared) {
      if (word.launch != launch_ || word.block != place.blockIndex)
        word = Word{{}, {}, {}, launch_, place.blockIndex, 0};
      const bool writesOnly = access.kind == Kind::write || access.kind == Kind::relaxedWrite;
      if (!writesOnly && (bytes & ~word.written) != 0)
        fault("reads shared memory that the block has not written", access.code);
      if (access.kind != Kind::read && access.kind != Kind::relaxedRead) word.written |= bytes;
    }
    if (!ordered(word.write, now)) hazard(access, word.write, true);
    if (access.kind == Kind::read) {
      if (word.firstRead.launch != now.launch ||
          ordered(word.firstRead,
                  PastAccess{now.launch, now.block, now.blockEpoch, now.warpEpoch, now.thread, 0xff, false, nullptr}))
        word.firstRead = now;
      word.lastRead = now;
      return;
    }
    for (const PastAccess* const read : {&word.firstRead, &word.lastRead})
      if (!ordered(*read, now)) hazard(access, *read, false);
    word.write = now;
  }

  [[noreturn]] void hazard(const Access& access, const PastAccess& other, bool otherWrites) {
    const auto verb = [](bool writes) { return writes ? "writes" : "reads"; };
    const Place& place = *access.place;
    std::string who = "thread " + std::to_string(other.thread);
    if (other.block != place.blockIndex) who += " of block " + std::to_string(other.block);
    const std::string where = sourceOf(other.code);
    fault(std::string("hazard: thread ") + std::to_string(place.index) + " " + verb(access.kind != Kind::read) + " " +
              (access.space == Space::shared ? "shared" : "global") + " memory that " + who + " " + verb(otherWrites) +
              (where.empty() ? "" : " at " + where) +
              (other.block == place.blockIndex ? ", without a barrier between them" : ", and blocks have no order"),
          access.code);
  }

  std::uint32_t launch_ = 0;
  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<std::pair<std::uintptr_t, Page*>, 1024> recent_{};
};

Checks& checks() {
  static Checks made;
  return made;
}
thread_local bool checksOn = [] {
  const char* const value = std::getenv("SATDOF_EMULATOR_CHECKS");
  return value != nullptr && std::string_view(value) == "on";
}();
thread_local Observer* observer = nullptr;
Range shared;                  // dynamic shared memory, all that a launch can request
std::uintptr_t sharedEnd = 0;  // the end of the part that the launch has requested
Range arguments;               // of the kernel
std::vector<Range> variables;  // __shared__ variables that the launch has accessed

std::map<std::uintptr_t, std::uintptr_t>& allocations() {
  static std::map<std::uintptr_t, std::uintptr_t> all;  // begin, end
  return all;
}
Range lastAllocation;

bool isAllocated(std::uintptr_t begin, std::uintptr_t end) {
  if (lastAllocation.holds(begin)) return end <= lastAllocation.end;
  auto after = allocations().upper_bound(begin);
  if (after == allocations().begin()) return false;
  --after;
  if (begin >= after->second) return false;
  lastAllocation = {after->first, after->second};
  return end <= after->second;
}

std::string hexadecimal(std::uintptr_t value) {
  char text[2 * sizeof value + 3];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(value));
  return text;
}

backtrace_state* lines() {
  static backtrace_state* const state = backtrace_create_state(
      nullptr, 0, [](void*, const char*, int) {}, nullptr);
  return state;
}

}  // namespace

void check(bool on) { checksOn = on; }
bool checking() { return checksOn; }

void observe(Observer* newObserver) { observer = newObserver; }

void allocated(const void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  allocations()[begin] = begin + bytes;
}
void freed(const void* address) {
  lastAllocation = {};
  allocations().erase(reinterpret_cast<std::uintptr_t>(address));
}

namespace {

// Calls a function of the observer. `watching` is off meanwhile: inline library functions may be the copies
// with hooks, from the sources of kernels.
template <class... Parameters, class... Arguments>
void notify(void (Observer::*event)(Parameters...), const Arguments&... given) {
  if (observer == nullptr) return;
  const bool before = std::exchange(watching, false);
  (observer->*event)(given...);
  watching = before;
}

}  // namespace

void beganLaunch(const Launch& launch, const Call& call) {
  const auto begin = reinterpret_cast<std::uintptr_t>(call.arguments.get());
  arguments = {begin, begin + call.bytes};
  checks().beganLaunch();
  variables.clear();
  watching = checksOn || observer != nullptr;
  notify(&Observer::began, launch);
}
void beganBlock(const Place& block, void* dynamicShared, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(dynamicShared);
  shared = {begin, begin + kMaxSharedBytes};
  sharedEnd = begin + bytes;
  notify(&Observer::beganBlock, block);
}
void passedWarp(const Place& last, const void* code) { notify(&Observer::passedWarp, last, code); }
void passedBarrier(const Place& block, const void* code) { notify(&Observer::passedBarrier, block, code); }
void endedBlock(const Place& block) { notify(&Observer::endedBlock, block); }
void endedLaunch() {
  watching = false;
  notify(&Observer::ended);
}

namespace {

Memory symbolAt(std::uintptr_t address);

void addVariable(std::uintptr_t address) {
  if (std::ranges::any_of(variables, [&](const Range& range) { return range.holds(address); })) return;
  const Memory variable = symbolAt(address);
  const std::uintptr_t word = address / kWord * kWord;
  variables.push_back(variable.bytes == 0 ? Range{word, word + kWord}
                                          : Range{variable.begin, variable.begin + variable.bytes});
}

// Finds the memory space of an access, checks the access and passes it to the observer. Stacks, kernel
// arguments and constants are left out.
void handleAccess(const void* address, std::size_t bytes, Kind kind, const void* code) {
  static const Image image = imageOfProgram();
  const auto begin = reinterpret_cast<std::uintptr_t>(address), end = begin + bytes;
  Access access{current, begin, code, static_cast<std::uint8_t>(bytes), kind, Space::shared};
  if (shared.holds(begin)) {
    if (end > sharedEnd)
      fault("accesses dynamic shared memory " + std::to_string(end - shared.begin) + " bytes from its start, of " +
                std::to_string(sharedEnd - shared.begin),
            code);
  } else if (isOnStack(begin) || (kind == Kind::read && (arguments.holds(begin) || isOwn(begin)))) {
    return;
  } else if (image.all.holds(begin)) {
    if (!image.zeros.holds(begin)) {
      if (kind != Kind::read) fault("writes a constant", code);
      return;
    }
    addVariable(begin);
  } else if (isAllocated(begin, end)) {
    access.space = Space::global;
  } else {
    fault("accesses " + std::to_string(bytes) + " bytes at " + hexadecimal(begin) + ", outside all allocations", code);
  }
  if (checksOn) checks().access(access);
  if (observer != nullptr) observer->accessed(access);
}

}  // namespace

void reportAccess(const void* address, std::size_t bytes, Kind kind, const void* code) {
  watching = false;  // as in notify()
  handleAccess(address, bytes, kind, code);
  watching = true;
}

void storeAtomically(void* address, const void* from, std::size_t bytes) {
  if (watching) reportAccess(address, bytes, Kind::relaxedWrite, __builtin_return_address(0));
  std::memcpy(address, from, bytes);
}
void beginChange(const void* address, void* old, std::size_t bytes) {
  if (watching) reportAccess(address, bytes, Kind::atomic, __builtin_return_address(0));
  std::memcpy(old, address, bytes);
}
void endChange(void* address, const void* changed, std::size_t bytes) { std::memcpy(address, changed, bytes); }

void poll(const void* address, void* to, std::size_t bytes) {
  polled();
  if (watching) reportAccess(address, bytes, Kind::relaxedRead, __builtin_return_address(0));
  std::memcpy(to, address, bytes);
}

namespace {

// The function or variable that contains the address.
Memory symbolAt(std::uintptr_t address) {
  Memory found;
  backtrace_syminfo(
      lines(), address,
      [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t begin, std::uintptr_t bytes) {
        if (symbol == nullptr) return;
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                               std::free);
        *static_cast<Memory*>(data) = {begin, bytes, name != nullptr ? name.get() : symbol};
      },
      [](void*, const char*, int) {}, &found);
  return found;
}

// "void satdof::cuda::(anonymous namespace)::name<...>(parameters)" becomes "name<...>".
std::string withoutParameters(std::string name) {
  for (const std::string_view noise : {"(anonymous namespace)::", "satdof::cuda_emulated::", "void "})
    for (auto at = name.find(noise); at != std::string::npos; at = name.find(noise)) name.erase(at, noise.size());
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (name[i] == '(' && depth == 0) name.erase(i);
  }
  return name;
}

}  // namespace

std::string sourceOf(const void* code) {
  std::string found;
  backtrace_pcinfo(
      lines(), reinterpret_cast<std::uintptr_t>(code) - 1,
      [](void* data, std::uintptr_t, const char* file, int line, const char*) {
        if (file == nullptr) return 0;
        std::string_view name(file);
        while (name.starts_with("../")) name.remove_prefix(3);  // ccache names the source from the build folder
        *static_cast<std::string*>(data) = std::string(name) + ":" + std::to_string(line);
        const bool intrinsic = name.find("cuda/emulator/") != name.npos || name.ends_with("runtime/ptx.cuh");
        return intrinsic ? 0 : 1;  // from the innermost outwards
      },
      [](void*, const char*, int) {}, &found);
  return found;
}

std::string nameOf(const void* function) {
  return withoutParameters(symbolAt(reinterpret_cast<std::uintptr_t>(function)).name);
}

std::vector<std::span<std::byte>> sharedMemory() {
  const auto bytesOf = [](const Range& range) {
    return std::span(reinterpret_cast<std::byte*>(range.begin), range.end - range.begin);
  };
  std::vector<std::span<std::byte>> all = {bytesOf({shared.begin, sharedEnd})};
  for (const Range& variable : variables) all.push_back(bytesOf(variable));
  return all;
}

Memory memoryAt(std::uintptr_t address) {
  if (shared.holds(address)) return {shared.begin, sharedEnd - shared.begin, ""};
  if (isAllocated(address, address + 1)) return {lastAllocation.begin, lastAllocation.end - lastAllocation.begin, ""};
  Memory variable = symbolAt(address);
  if (const auto colons = variable.name.rfind("::"); colons != std::string::npos) variable.name.erase(0, colons + 2);
  return variable;
}

}  // namespace satdof::emulator

namespace {

using satdof::emulator::current;
using satdof::emulator::Kind;
using satdof::emulator::watching;

}  // namespace

// The hooks of -fsanitize=thread.
#define SATDOF_HOOK(name, bytes, kind)                                                         \
  void __tsan_##name(void* address) {                                                          \
    if (watching && current != nullptr)                                                        \
      satdof::emulator::reportAccess(address, bytes, Kind::kind, __builtin_return_address(0)); \
  }
#define SATDOF_HOOKS(bytes)                         \
  SATDOF_HOOK(read##bytes, bytes, read)             \
  SATDOF_HOOK(write##bytes, bytes, write)           \
  SATDOF_HOOK(unaligned_read##bytes, bytes, read)   \
  SATDOF_HOOK(unaligned_write##bytes, bytes, write) \
  SATDOF_HOOK(volatile_read##bytes, bytes, read)    \
  SATDOF_HOOK(volatile_write##bytes, bytes, write)

extern "C" {
SATDOF_HOOKS(1)
SATDOF_HOOKS(2)
SATDOF_HOOKS(4)
SATDOF_HOOKS(8)
SATDOF_HOOKS(16)
void __tsan_init() {}
int __tsan_atomic32_fetch_sub(volatile int* address, int value, int) {
  return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);
}
int __tsan_atomic32_fetch_add(volatile int* address, int value, int) {  // counts of std::shared_ptr
  return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
// Guards of static variables.
char __tsan_atomic8_load(const volatile char* address, int) { return *address; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void* address, std::size_t bytes) {
  if (watching && current != nullptr)
    for (std::size_t i = 0; i < bytes; ++i)
      satdof::emulator::reportAccess(static_cast<char*>(address) + i, 1, Kind::read, __builtin_return_address(0));
}
void __tsan_write_range(void* address, std::size_t bytes) {
  if (watching && current != nullptr)
    for (std::size_t i = 0; i < bytes; ++i)
      satdof::emulator::reportAccess(static_cast<char*>(address) + i, 1, Kind::write, __builtin_return_address(0));
}
}
