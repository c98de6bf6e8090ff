// Lets one OpenGL call or one allocation of the program fail, one at a time, in scripted headless runs:
//   satdof_faults gl|memory|reset [POINTS]
// A failed OpenGL call does nothing, gives 0 and leaves GL_OUT_OF_MEMORY. A failed allocation throws std::bad_alloc;
// allocations inside OpenGL do not fail. `reset` loses the OpenGL context. Every run has its own process. It must end with status 1
// and one line that says why, or write the image of the undisturbed run. POINTS limits the points of each script; without
// it, every call fails once. Exit status 1 if a run crashes, hangs, says nothing or writes another image.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/core/files.h"
#include "app/gl/gl.h"
#include "app/run/program.h"

namespace fs = std::filesystem;

namespace {

// What a process that draws tells its parent, even if it crashes.
struct Shared {
  std::atomic<long> calls{0};  // OpenGL calls or allocations so far
  char failedName[64] = "";
};
Shared* shared = nullptr;

// Of the process that draws.
long failing = 0;  // the number of the call that fails; 0: none
bool countsGl = false, countsMemory = false;
bool resets = false;        // only glGetGraphicsResetStatus() counts
bool errorPending = false;  // glGetError() owes an answer

bool fails(const char* name) {
  if (++shared->calls != failing) return false;
  std::strncpy(shared->failedName, name, sizeof shared->failedName - 1);
  return true;
}

GLenum pendingError() { return std::exchange(errorPending, false) ? GL_OUT_OF_MEMORY : GL_NO_ERROR; }

// A function in place of an OpenGL function; `Pointer` is glad's.
template <auto Pointer, class Name>
struct Hook;
template <class R, class... A, R (**Pointer)(A...), class Name>
struct Hook<Pointer, Name> {
  static inline R (*original)(A...) = nullptr;
  static R call(A... arguments) {
    if constexpr (std::is_same_v<R, GLenum> && sizeof...(A) == 0)
      if (errorPending && std::strcmp(Name::text, "glGetError") == 0) return pendingError();
    if constexpr (std::is_same_v<R, GLenum> && sizeof...(A) == 0)
      if (resets && std::strcmp(Name::text, "glGetGraphicsResetStatus") == 0)
        return fails(Name::text) ? GL_INNOCENT_CONTEXT_RESET : original(arguments...);
    if (!resets && fails(Name::text)) {
      errorPending = true;
      return R();
    }
    return original(arguments...);
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
  if (countsGl) hookAll();
  return version;
}

// Where the program's own code lies; the linker defines both.
extern "C" const char __executable_start, etext;  // NOLINT(bugprone-reserved-identifier): names of the linker

namespace {

void* allocate(std::size_t bytes, const void* caller) {
  const auto* const at = static_cast<const char*>(caller);
  if (countsMemory && at >= &__executable_start && at < &etext && fails("operator new"))
    throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, __builtin_return_address(0)); }
void* operator new[](std::size_t bytes) { return allocate(bytes, __builtin_return_address(0)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr const char* kScripts[] = {
    "--lens layered --bokeh --device gl-compute --culling gl-compute",
    "--lens box --device gl-fragment --split --split-lens tent --split-device cpu",
    "--lens gems --device cpu-sequential --filter blur --bit-depth 16",
    "--scene bodies --bodies 40 --solver cpu-tree --lens reference --lens-samples 3",
    "--lens tent --device cpu --view difference --split-lens box",
};
constexpr const char* kCommon =
    "--headless --frames 1 --size 24x16 --teapots 2 --samples 2 --no-autofocus --no-animate";
constexpr int kLongestS = 60;

struct Outcome {
  int status = 0;  // as waitpid() gives it
  long calls = 0;
  std::string failedName, said, image;
};

std::string contents(const fs::path& path) {
  std::error_code missing;
  return fs::exists(path, missing) ? satdof::readFileHead(path, 1 << 20) : std::string();
}

// Runs the program in a child, where call number `point` fails.
Outcome run(const std::string& script, bool memory, long point, const fs::path& folder) {
  const fs::path image = folder / "image.pfm", said = folder / "stderr";
  for (const auto& path : {image, said}) fs::remove(path);
  std::fflush(nullptr);
  new (shared) Shared;
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(said.c_str(), O_CREAT | O_WRONLY, 0600), null = open("/dev/null", O_WRONLY);
    dup2(file, STDERR_FILENO);
    dup2(null, STDOUT_FILENO);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    alarm(kLongestS);
    std::istringstream split(std::string(kCommon) + " " + script + " --capture " + image.string());
    std::vector<std::string> words{"satdof"};
    for (std::string word; split >> word;) words.push_back(word);
    std::vector<const char*> arguments;
    for (const auto& word : words) arguments.push_back(word.c_str());
    countsGl = !memory;
    failing = point;
    countsMemory = memory;
    const int status = satdof::runProgram(static_cast<int>(arguments.size()), arguments.data());
    countsMemory = false;
    _exit(status);
  }
  Outcome outcome;
  waitpid(child, &outcome.status, 0);
  outcome.calls = shared->calls;
  outcome.failedName = shared->failedName;
  outcome.said = contents(said);
  outcome.image = contents(image);
  return outcome;
}

// Why the outcome breaks the promise; empty if it does not.
std::string complaint(const Outcome& outcome, const Outcome& good) {
  if (!WIFEXITED(outcome.status))
    return WTERMSIG(outcome.status) == SIGALRM ? "hangs"
                                               : "ends by signal " + std::to_string(WTERMSIG(outcome.status));
  if (WEXITSTATUS(outcome.status) == 0) return outcome.image == good.image ? "" : "writes another image";
  if (WEXITSTATUS(outcome.status) != 1)
    return "ends with status " + std::to_string(WEXITSTATUS(outcome.status));
  if (!outcome.said.starts_with("satdof: ")) return "does not say why";
  return outcome.image.empty() || outcome.image == good.image ? "" : "fails and leaves another image";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "gl" && what != "memory" && what != "reset") {
    std::fputs("usage: satdof_faults gl|memory|reset [POINTS]\n", stderr);
    return 2;
  }
  resets = what == "reset";
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  shared = new (memory) Shared;
  const long points = argc > 2 ? std::atol(argv[2]) : 0;
  std::string name = fs::temp_directory_path() / "satdof-faults-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return 2;
  const fs::path folder = name;
  long injected = 0, told = 0, same = 0, bad = 0, all = 0;
  for (const char* const script : kScripts) {
    const Outcome good = run(script, what == "memory", 0, folder);
    if (!WIFEXITED(good.status) || WEXITSTATUS(good.status) != 0 || good.image.empty()) {
      std::fprintf(stderr, "the undisturbed run failed: %s\n%s", script, good.said.c_str());
      return 1;
    }
    all += good.calls;
    const double step =
        points == 0 ? 1.0 : std::max(1.0, static_cast<double>(good.calls) / static_cast<double>(points));
    for (double at = 1.0; at <= static_cast<double>(good.calls); at += step) {
      const auto point = static_cast<long>(at);
      const Outcome outcome = run(script, what == "memory", point, folder);
      ++injected;
      if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0) ++same;
      if (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 1) ++told;
      if (const std::string why = complaint(outcome, good); !why.empty()) {
        ++bad;
        std::printf("%s: call %ld (%s) fails: %s\n%s", script, point, outcome.failedName.c_str(), why.c_str(),
                    outcome.said.c_str());
        std::fflush(stdout);
      }
    }
  }
  fs::remove_all(folder);
  std::printf(
      "%s: %ld of %ld points injected: %ld ended with a message, %ld with the same image, %ld badly\n",
      what.c_str(), injected, all, told, same, bad);
  return bad == 0 ? 0 : 1;
}
