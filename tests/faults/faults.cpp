// Scripted headless runs in which one OpenGL call, CUDA call or allocation fails, or OpenGL or CUDA is lost:
//   satdof_faults FAULT [POINTS|stacks[=DEPTH] [PART PARTS]]
//   satdof_faults FAULT at POINT ARGUMENT...
//
// FAULT        what happens at the chosen call
//   gl           an OpenGL call does nothing, returns 0 and leaves GL_OUT_OF_MEMORY
//   memory       an allocation throws std::bad_alloc; allocations inside OpenGL and other libraries do not fail
//   reset        OpenGL is lost: this call and all later ones do nothing until a new context is made
//   cuda         a call of the CUDA runtime does nothing and returns cudaErrorMemoryAllocation
//   cuda-lost    CUDA is lost: this call and all later ones return cudaErrorIllegalAddress
// POINTS       number of calls that fail, one a run, in each script; default or 0: all calls
// stacks       the first call of each call stack fails; stacks differ by their DEPTH innermost calls (default: all
// calls)
// PART PARTS   this process takes share PART, from 1, of the points
// at           one run with these arguments in this process, with a fault at call POINT; with reset and cuda-lost, the
//              signal USR1 also loses OpenGL or CUDA
//
// Each run has a process. It must end with status 1 and one line that says why, or write the image of the undisturbed
// run. The signal TERM ends the runs early, with the summary so far. Exit status: 1 if a run crashes, hangs, says
// nothing or writes another image; 77 if CUDA is needed and cannot run.
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/core/files/files.h"
#include "app/gl/gl.h"
#include "app/run/program.h"
#include "tests/faults/faults.h"
#include "tests/support/temporary_folder.h"

namespace fs = std::filesystem;

namespace {

// Memory in which the drawing process reports to its parent, even if it crashes.
struct Shared {
  std::atomic<long> calls{0};  // OpenGL calls or allocations so far
  char failedName[64] = "";
};
Shared* shared = nullptr;
// Hashes of the call stacks of the first calls of the undisturbed run.
constexpr long kMaxStacks = 1 << 20;
std::uint64_t* stacks = nullptr;
constexpr int kDeepestStack = 100;
int stackDepth = kDeepestStack;  // innermost calls that tell stacks apart

// State of the drawing process.
long failing = 0;                          // the number of the call that fails; 0: none
bool keepsStacks = false;                  // fills `stacks`
bool errorPending = false;                 // glGetError() owes an answer
bool lost = false;                         // the context
bool resetPending = false;                 // glGetGraphicsResetStatus() owes an answer
volatile std::sig_atomic_t losesNext = 0;  // the signal USR1 came
volatile std::sig_atomic_t stopped = 0;    // the signal TERM came

// FNV-1a hash of the return addresses on the stack.
std::uint64_t stackHash() {
  void* frames[kDeepestStack];
  std::uint64_t hash = 0xcbf29ce484222325;
  for (void* const frame : std::span(frames, static_cast<std::size_t>(backtrace(frames, stackDepth))))
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frame)) * 0x100000001b3;
  return hash;
}

}  // namespace

namespace satdof::faults {

Fault fault = Fault::none;

bool fails(const char* name) {
  const long number = ++shared->calls;
  if (keepsStacks && number <= kMaxStacks) stacks[number - 1] = stackHash();
  if (number != failing && losesNext == 0) return false;
  losesNext = 0;
  std::strncpy(shared->failedName, name, sizeof shared->failedName - 1);
  return true;
}

}  // namespace satdof::faults

namespace {

using satdof::faults::Fault, satdof::faults::fault, satdof::faults::fails;

// Whether this OpenGL call does nothing.
bool dropped(const char* name) {
  if (lost) return true;
  if (!fails(name)) return false;
  lost = resetPending = fault == Fault::reset;
  errorPending = !lost;
  return true;
}

// The return value of a dropped glGetError() or glGetGraphicsResetStatus(). The latter reports a loss once, as in Mesa.
GLenum answer(const char* name) {
  if (std::strcmp(name, "glGetGraphicsResetStatus") == 0)
    return std::exchange(resetPending, false) ? GL_INNOCENT_CONTEXT_RESET : GL_NO_ERROR;
  if (std::strcmp(name, "glGetError") == 0 && lost) return GL_CONTEXT_LOST;
  return GL_NO_ERROR;
}

// A function in place of an OpenGL function; `Pointer` is glad's.
template <auto Pointer, class Name>
struct Hook;
template <class R, class... A, R (**Pointer)(A...), class Name>
struct Hook<Pointer, Name> {
  static inline R (*original)(A...) = nullptr;
  static R call(A... arguments) {
    constexpr bool tells = std::is_same_v<R, GLenum> && sizeof...(A) == 0;
    if constexpr (tells)
      if (errorPending && std::strcmp(Name::text, "glGetError") == 0) {
        errorPending = false;
        return GL_OUT_OF_MEMORY;
      }
    if (!dropped(Name::text)) return original(arguments...);
    if constexpr (tells) return answer(Name::text);
    return R();
  }
  static void install() {
    original = *Pointer;
    if (original != nullptr) *Pointer = call;
  }
};

#define X(function)                                \
  struct Name_##function {                         \
    static constexpr const char* text = #function; \
  };
#include "gl_calls.inc"
#undef X

void hookAll() {
#define X(function) Hook<&glad_##function, Name_##function>::install();
#include "gl_calls.inc"
#undef X
}

}  // namespace

// The linker sends the program's call of gladLoadGL() here.
extern "C" int __real_gladLoadGL(GLADloadfunc load);   // NOLINT(bugprone-reserved-identifier)
extern "C" int __wrap_gladLoadGL(GLADloadfunc load) {  // NOLINT(bugprone-reserved-identifier)
  const int version = __real_gladLoadGL(load);
  lost = resetPending = false;
  if (fault == Fault::gl || fault == Fault::reset) hookAll();
  return version;
}

namespace {

struct Range {
  std::uintptr_t begin, end;
};
// Address ranges of the code of the program, the C++ library and the C library.
Range ourCode[8];
std::size_t ourCodes = 0;

// Fills ourCode. The first object that dl_iterate_phdr() names is the program.
void findOurCode() {
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void*) {
        const std::string name = fs::path(object->dlpi_name).filename();
        const bool runtime = name.starts_with("libstdc++.so") || name.starts_with("libc.so");
        if (ourCodes > 0 && !runtime) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i)
          if (const auto& part = object->dlpi_phdr[i]; part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
            ourCode[ourCodes++] = {object->dlpi_addr + part.p_vaddr, object->dlpi_addr + part.p_vaddr + part.p_memsz};
        return ourCodes == std::size(ourCode) ? 1 : 0;
      },
      nullptr);
}

bool isOurs(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(ourCode, ourCode + ourCodes,
                     [&](const Range& range) { return at >= range.begin && at < range.end; });
}

// Whether only our code is on the stack. The direct caller of operator new does not suffice: libraries, such as LLVM
// below OpenGL, call the program's instances of std::string and std::vector.
bool calledByUs(const void* caller) {
  if (!isOurs(caller)) return false;
  void* frames[100];
  return std::all_of(frames, frames + backtrace(frames, std::size(frames)), isOurs);
}

void* allocate(std::size_t bytes, const void* caller) {
  if (fault == Fault::memory && calledByUs(caller) && fails("operator new")) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, __builtin_return_address(0)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, __builtin_return_address(0)); }
// Not inlined: otherwise GCC warns about free() of the result of new.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

struct Script {
  const char* variable;  // of the environment, "NAME=value"; or empty
  const char* arguments;
};
constexpr Script kScripts[] = {
    {"", "--frames 1 --lens layered --bokeh --device gl-compute --culling gl-compute"},
    {"", "--frames 1 --lens box --device gl-fragment --split --split-lens tent --split-device cpu --split-bokeh"},
    {"", "--frames 1 --lens gems --device cpu-sequential --filter blur"},
    {"", "--frames 1 --scene bodies --bodies 40 --solver cpu-tree --lens reference --lens-samples 3"},
    {"", "--frames 1 --lens tent --device cpu --view difference --split-lens box"},
};
// Sixteen equal frames are replayed as a graph.
constexpr Script kCudaScripts[] = {
    {"", "--frames 16 --device cuda --lens layered --bokeh"},
    {"SATDOF_INTEROP=staged", "--frames 2 --device cuda --lens tent --bokeh --compaction billeter --sort merge"},
    {"",
     "--frames 2 --device cuda --lens box --lens-on gl --scan decoupled-lookback --split --split-lens gems "
     "--split-device cuda --split-lens-on cuda-separable --filter blur --filter-variant cuda-tiled"},
    {"",
     "--frames 2 --device cuda --lens layered --lens-on gl --scan warp-shuffle --scene bodies --bodies 40 "
     "--solver cuda-tree --time 0.1"},
    {"SATDOF_INTEROP=staged",
     "--frames 2 --device cuda --lens box --scene bodies --bodies 40 --solver cuda-tiled --time 0.1"},
};
constexpr const char* kCommon = "--headless --size 24x16 --teapots 2 --samples 2 --no-autofocus --no-animate";
constexpr int kSkipped = 77;
constexpr int kLongestS = 240;  // of a run that takes half a second of an idle core

// Zeroed values that processes made by fork() share.
template <class T>
T* sharedMemory(long count) {
  void* const memory = mmap(nullptr, sizeof(T) * static_cast<std::size_t>(count), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("satdof_faults");
    std::exit(2);
  }
  return static_cast<T*>(memory);
}

struct Outcome {
  int status = 0;  // as waitpid() gives it
  long calls = 0;
  std::string failedName, said, image;
};

std::string contents(const fs::path& path) {
  std::error_code missing;
  return fs::exists(path, missing) ? satdof::readFileHead(path, 1 << 20) : std::string();
}

// The arguments of a script that writes `image`.
std::vector<std::string> argumentsOf(const Script& script, const fs::path& image) {
  std::istringstream split(std::string(kCommon) + " " + script.arguments + " --capture " + image.string());
  std::vector<std::string> words;
  for (std::string word; split >> word;) words.push_back(word);
  return words;
}

// Runs the program with one fault and returns its status.
int draw(const std::vector<std::string>& words, Fault what, long point) {
  std::vector<const char*> arguments{"satdof"};
  for (const auto& word : words) arguments.push_back(word.c_str());
  failing = point;
  findOurCode();
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads a library when first called
  std::set_terminate([] {
    void* frames[50];
    backtrace_symbols_fd(frames, backtrace(frames, 50), STDERR_FILENO);
    std::abort();
  });
  fault = what;
  const int status = satdof::runProgram(static_cast<int>(arguments.size()), arguments.data());
  fault = Fault::none;
  return status;
}

// Runs the program in a child, where call number `point` fails, or none with 0.
Outcome run(const Script& script, Fault what, long point, const fs::path& folder) {
  const fs::path image = folder / "image.pfm", said = folder / "stderr";
  for (const auto& path : {image, said}) fs::remove(path);
  std::fflush(nullptr);
  new (shared) Shared;
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGTERM, SIG_DFL);
    const int file = open(said.c_str(), O_CREAT | O_WRONLY, 0600), null = open("/dev/null", O_WRONLY);
    dup2(file, STDERR_FILENO);
    dup2(null, STDOUT_FILENO);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    alarm(kLongestS);
    keepsStacks = stacks != nullptr && point == 0;
    if (*script.variable != '\0') putenv(const_cast<char*>(script.variable));
    _exit(draw(argumentsOf(script, image), what, point));
  }
  Outcome outcome;
  waitpid(child, &outcome.status, 0);
  outcome.calls = shared->calls;
  outcome.failedName = shared->failedName;
  outcome.said = contents(said);
  outcome.image = contents(image);
  return outcome;
}

// Why the outcome is wrong; empty if it is right.
std::string complaint(Fault what, const Outcome& outcome, const Outcome& good) {
  if (!WIFEXITED(outcome.status))
    return WTERMSIG(outcome.status) == SIGALRM ? "hangs" : "ends by signal " + std::to_string(WTERMSIG(outcome.status));
  if (WEXITSTATUS(outcome.status) == 0) return outcome.image == good.image ? "" : "writes another image";
  if (WEXITSTATUS(outcome.status) != 1) return "ends with status " + std::to_string(WEXITSTATUS(outcome.status));
  if (outcome.said.rfind("satdof: ", 0) != 0 && outcome.said.find("\nsatdof: ") == std::string::npos)
    return "does not say why";
  if (what == Fault::reset && outcome.said.find("context is lost") == std::string::npos)
    return "does not say that the context is lost";
  return outcome.image.empty() || outcome.image == good.image ? "" : "fails and leaves another image";
}

// Whether CUDA can run here. Asked in a process of its own: CUDA does not survive fork().
bool cudaRuns() {
  const pid_t child = fork();
  if (child == 0) {
#if SATDOF_HAS_CUDA
    const std::string problem = satdof::faults::cudaProblem();
#else
    const std::string problem = "built without CUDA";
#endif
    if (!problem.empty()) std::fprintf(stderr, "SKIPPED: %s\n", problem.c_str());
    _exit(problem.empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The calls to fail: `points` of them, evenly spread; all if `points` is 0; the first of each stack if stacks are
// recorded.
std::vector<long> pointsOf(long calls, long points) {
  std::vector<long> chosen;
  if (stacks != nullptr) {
    std::unordered_set<std::uint64_t> known;
    for (long call = 1; call <= std::min(calls, kMaxStacks); ++call)
      if (known.insert(stacks[call - 1]).second) chosen.push_back(call);
    return chosen;
  }
  const double step = points == 0 ? 1.0 : std::max(1.0, static_cast<double>(calls) / static_cast<double>(points));
  for (double at = 1.0; at <= static_cast<double>(calls); at += step) chosen.push_back(static_cast<long>(at));
  return chosen;
}

struct Mode {
  const char* name;
  Fault fault;
  std::span<const Script> scripts;
};
constexpr Mode kModes[] = {
    {"gl", Fault::gl, kScripts},
    {"memory", Fault::memory, kScripts},
    {"reset", Fault::reset, kScripts},
    {"cuda", Fault::cuda, kCudaScripts},
    {"cuda-lost", Fault::cudaLost, kCudaScripts},
};

struct Counts {
  long all = 0, injected = 0, told = 0, same = 0, bad = 0;
};
struct Points {
  long limit;        // see pointsOf()
  long part, parts;  // the share of this process, from 1
};

// Runs the script undisturbed, then with a fault at each of the points. Returns whether the undisturbed run succeeded.
bool injectInto(const Script& script, const Mode& mode, const Points& points, const fs::path& folder, Counts& counts) {
  const Outcome good = run(script, mode.fault, 0, folder);
  if (stopped) return true;
  if (!WIFEXITED(good.status) || WEXITSTATUS(good.status) != 0 || good.image.empty()) {
    std::fprintf(stderr, "the undisturbed run failed: %s %s\n%s", script.variable, script.arguments, good.said.c_str());
    return false;
  }
  if (stacks != nullptr && good.calls > kMaxStacks)
    std::fprintf(stderr, "satdof_faults: the stacks of calls after %ld are left out\n", kMaxStacks);
  const std::vector<long> chosen = pointsOf(good.calls, points.limit);
  counts.all += stacks != nullptr ? static_cast<long>(chosen.size()) : good.calls;
  long number = 0;
  for (const long point : chosen) {
    if (number++ % points.parts != points.part - 1) continue;
    const Outcome outcome = run(script, mode.fault, point, folder);
    if (stopped) return true;  // the signal may have ended this run, too
    ++counts.injected;
    if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0) ++counts.same;
    if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1) ++counts.told;
    if (const std::string why = complaint(mode.fault, outcome, good); !why.empty()) {
      ++counts.bad;
      std::printf("%s: %s: %s satdof_faults %s at %ld %s %s --capture image.pfm\n%s", outcome.failedName.c_str(),
                  why.c_str(), script.variable, mode.name, point, kCommon, script.arguments, outcome.said.c_str());
      std::fflush(stdout);
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string name = argc > 1 ? argv[1] : "";
  const Mode* const mode = std::ranges::find(kModes, name, &Mode::name);
  if (mode == std::end(kModes)) {
    std::fputs(
        "usage: satdof_faults gl|memory|reset|cuda|cuda-lost [POINTS|stacks[=DEPTH] [PART PARTS] | at POINT "
        "ARGUMENT...]\n",
        stderr);
    return 2;
  }
  const Fault what = mode->fault;
  shared = sharedMemory<Shared>(1);
  if (argc > 3 && std::strcmp(argv[2], "at") == 0) {
    if (what == Fault::reset || what == Fault::cudaLost) std::signal(SIGUSR1, [](int) { losesNext = 1; });
    return draw({argv + 4, argv + argc}, what, std::atol(argv[3]));
  }
  const std::string_view choice = argc > 2 ? argv[2] : "", kEachStack = "stacks", kDepth = "stacks=";
  const bool eachStack = choice == kEachStack || choice.starts_with(kDepth);
  if (eachStack) stacks = sharedMemory<std::uint64_t>(kMaxStacks);
  if (choice.starts_with(kDepth)) stackDepth = std::clamp(std::atoi(argv[2] + kDepth.size()), 1, kDeepestStack);
  const long points = argc > 2 && !eachStack ? std::atol(argv[2]) : 0;
  const long part = argc > 4 ? std::atol(argv[3]) : 1, parts = argc > 4 ? std::atol(argv[4]) : 1;
  if (points < 0 || part < 1 || part > parts) {
    std::fputs("satdof_faults: POINTS must be 0 or more, PART from 1 to PARTS\n", stderr);
    return 2;
  }
  if ((what == Fault::cuda || what == Fault::cudaLost) && !cudaRuns()) return kSkipped;
  std::signal(SIGTERM, [](int) { stopped = 1; });
  const satdof::test::TemporaryFolder folder;
  Counts counts;
  for (const Script& script : mode->scripts) {
    if (stopped) break;
    if (!injectInto(script, *mode, {points, part, parts}, folder.path(), counts)) return 1;
  }
  std::printf("%s: %ld of %ld points injected: %ld ended with a message, %ld with the same image, %ld badly\n",
              mode->name, counts.injected, counts.all, counts.told, counts.same, counts.bad);
  return counts.bad == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "satdof_faults: %s\n", error.what());
  return 1;
}
