#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string_view>
#include <system_error>
#include <typeinfo>

#include "app/lab/machine.h"
#include "app/run/system/crash.h"

// The handler calls only async-signal-safe functions.
namespace satdof {

namespace {

struct FatalSignal {
  int number;
  const char* name;
};
constexpr std::array kSignals = {FatalSignal{SIGSEGV, "SIGSEGV"}, FatalSignal{SIGBUS, "SIGBUS"},
                                 FatalSignal{SIGFPE, "SIGFPE"}, FatalSignal{SIGILL, "SIGILL"},
                                 FatalSignal{SIGABRT, "SIGABRT"}};
constexpr std::size_t kMaxReports = 9;
constexpr unsigned kMaxSeconds = 10;  // for a report; then SIGALRM ends the program
constexpr int kMaxCalls = 100;

// A text of limited length that allocates nothing.
class Text {
 public:
  Text& operator<<(std::string_view text) {
    for (const char each : text)
      if (used_ + 1 < text_.size()) text_[used_++] = each;
    return *this;
  }
  Text& number(std::uint64_t value, unsigned base = 10, int width = 1) {
    std::array<char, 20> digits{};
    int count = 0;
    for (; value > 0 || count < width; value /= base)
      digits[static_cast<std::size_t>(count++)] = "0123456789abcdef"[value % base];
    while (count > 0) *this << std::string_view(&digits[static_cast<std::size_t>(--count)], 1);
    return *this;
  }
  Text& hex(std::uint64_t value) { return (*this << "0x").number(value, 16); }
  // Appends the text to a file and clears it.
  void writeTo(int file) {
    for (std::size_t done = 0; done < used_;) {
      const ssize_t count = ::write(file, text_.data() + done, used_ - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    text_.fill('\0');
    used_ = 0;
  }
  char* data() { return text_.data(); }  // ends with a zero

 private:
  std::array<char, 8192> text_{};
  std::size_t used_ = 0;
};

Text path, report, message;      // not on the stack, which may be full
std::array<char, 65536> stack;   // of the handler on the main thread
const char* thrown = nullptr;    // type of the exception in std::terminate(); "": none; null: no std::terminate()
std::atomic<int> reporting = 0;  // the thread that writes the report; 0: none

int thisThread() { return static_cast<int>(::syscall(SYS_gettid)); }

// "20261126T200501Z", or with separators.
void appendTime(Text& text, std::time_t now, bool separated) {
  using namespace std::chrono;
  const sys_seconds time{seconds(now)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  const std::string_view dash = separated ? "-" : "", colon = separated ? ":" : "";
  text.number(static_cast<std::uint64_t>(static_cast<int>(date.year()))) << dash;
  text.number(static_cast<unsigned>(date.month()), 10, 2) << dash;
  text.number(static_cast<unsigned>(date.day()), 10, 2) << (separated ? " " : "T");
  text.number(static_cast<std::uint64_t>(clock.hours().count()), 10, 2) << colon;
  text.number(static_cast<std::uint64_t>(clock.minutes().count()), 10, 2) << colon;
  text.number(static_cast<std::uint64_t>(clock.seconds().count()), 10, 2) << (separated ? " UTC" : "Z");
}

// "libc.so.6+0x2a1c4": the address in its file, for addr2line.
void appendAddress(Text& text, std::uintptr_t address) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE  // a C library with _dl_find_object()
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) == 0 && found.dlfo_link_map != nullptr) {
    const std::string_view file(found.dlfo_link_map->l_name);
    (text << (file.empty() ? "satdof" : file.substr(file.rfind('/') + 1)) << "+")
        .hex(address - found.dlfo_link_map->l_addr);
    return;
  }
#endif
  text.hex(address);
}

struct Calls {
  Text* text;  // null: only counts
  int count = 0;
};

_Unwind_Reason_Code appendCall(_Unwind_Context* context, void* data) {
  auto& calls = *static_cast<Calls*>(data);
  int isExact = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &isExact);
  if (address == 0 || ++calls.count > kMaxCalls) return _URC_END_OF_STACK;
  if (calls.text == nullptr) return _URC_NO_REASON;
  appendAddress(*calls.text, isExact != 0 ? address : address - 1);
  *calls.text << "\n";
  return _URC_NO_REASON;
}

// Makes the folders of a path. Changes `text` meanwhile.
void makeFolders(char* text) {
  for (char* at = text + 1; *at != '\0'; ++at) {
    if (*at != '/') continue;
    *at = '\0';
    ::mkdir(text, 0700);
    *at = '/';
  }
}

void writeReport(const FatalSignal& signal, const siginfo_t& info) {
  const std::time_t now = std::time(nullptr);
  path << "/crash-";
  appendTime(path, now, false);
  (path << "-").number(static_cast<std::uint64_t>(::getpid())) << ".txt";
  makeFolders(path.data());
  const int file = ::open(path.data(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  (message << "satdof: ended by ") << signal.name
                                   << (file < 0 ? "; no report could be written to "
                                                : "; report, without names and paths: ")
                                   << path.data() << "\n";
  if (file < 0) return message.writeTo(STDERR_FILENO);
  report << "satdof " << lab::version() << ", commit " << lab::commit() << "\n";
  appendTime(report, now, true);
  (report << "\nsignal ").number(static_cast<std::uint64_t>(signal.number)) << " (" << signal.name << ")";
  if (info.si_code <= 0)
    report << (info.si_pid == ::getpid() ? "" : ", sent by another program");
  else
    ((report << ", code ").number(static_cast<std::uint64_t>(info.si_code)) << ", address ")
        .hex(reinterpret_cast<std::uintptr_t>(info.si_addr));
  report << (thisThread() == ::getpid() ? "" : ", not on the main thread") << "\n";
  if (thrown != nullptr)
    report << "std::terminate" << (*thrown == '\0' ? "" : ", exception of type ") << thrown << "\n";
  report << "calls, the innermost first:\n";
  report.writeTo(file);
  Calls calls{&report};
  _Unwind_Backtrace(appendCall, &calls);
  report.writeTo(file);
  ::close(file);
  message.writeTo(STDERR_FILENO);
}

void handle(int number, siginfo_t* info, void*) {
  int reporter = 0;
  if (reporting.compare_exchange_strong(reporter, thisThread())) {
    std::signal(SIGPIPE, SIG_IGN);  // stderr may be closed
    std::signal(SIGALRM, SIG_DFL);
    ::alarm(kMaxSeconds);
    const auto* const row = std::ranges::find(kSignals, number, &FatalSignal::number);
    writeReport(*row, *info);
    ::alarm(0);
  } else if (reporter != thisThread()) {
    for (;;) ::pause();  // the other thread ends the program
  }
  std::signal(number, SIG_DFL);
  ::raise(number);  // when this handler returns
}

[[noreturn]] void terminate() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  thrown = type == nullptr ? "" : type->name();
  std::abort();
}

// Removes the oldest reports, so that one more is within kMaxReports.
void removeOldReports(const std::filesystem::path& folder) {
  const auto found = crashReports(folder);
  std::error_code failed;
  for (std::size_t i = 0; i + kMaxReports <= found.size(); ++i) std::filesystem::remove(folder / found[i], failed);
}

}  // namespace

void reportCrashes(const std::filesystem::path& folder) {
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the file size limit returns an error
  constexpr std::size_t kLongestFolder = 4000;
  if (folder.empty() || folder.native().size() > kLongestFolder) return;
  removeOldReports(folder);
  path << folder.native();
  Calls none{nullptr};
  _Unwind_Backtrace(appendCall, &none);  // the first backtrace may allocate
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const FatalSignal& signal : kSignals) {
    struct sigaction before {};
    if (::sigaction(signal.number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      ::sigaction(signal.number, &action, nullptr);
  }
  std::set_terminate(terminate);
}

}  // namespace satdof
