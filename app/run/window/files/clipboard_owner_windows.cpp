#include <windows.h>

#include <stdexcept>

#include "app/run/window/files/clipboard_owner.h"

namespace satdof {

namespace {

struct OpenClipboardScope {
  bool open = OpenClipboard(nullptr) != 0;
  OpenClipboardScope() = default;
  OpenClipboardScope(const OpenClipboardScope&) = delete;
  OpenClipboardScope& operator=(const OpenClipboardScope&) = delete;
  ~OpenClipboardScope() {
    if (open) CloseClipboard();
  }
};

}  // namespace

bool clipboardReached() { return true; }

// The system asks the owner, without a limit of time.
std::string clipboardText(double, std::size_t limitBytes) {
  const OpenClipboardScope scope;
  if (!scope.open) throw std::runtime_error("cannot read the clipboard: another program holds it");
  const HANDLE data = GetClipboardData(CF_UNICODETEXT);
  const auto* const text = data == nullptr ? nullptr : static_cast<const wchar_t*>(GlobalLock(data));
  if (text == nullptr) return {};
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string found;
  const bool fits = bytes > 0 && static_cast<std::size_t>(bytes) <= limitBytes;
  if (fits) {
    found.resize(static_cast<std::size_t>(bytes));
    WideCharToMultiByte(CP_UTF8, 0, text, -1, found.data(), bytes, nullptr, nullptr);
    found.pop_back();  // the zero at the end
  }
  GlobalUnlock(data);
  if (fits) return found;
  throw std::runtime_error("cannot read the clipboard: it holds more than " + std::to_string(limitBytes / 1024) +
                           " KiB");
}

std::uintptr_t clipboardOwner() { return reinterpret_cast<std::uintptr_t>(GetClipboardOwner()); }

void leaveHangingManager(double) {}

}  // namespace satdof
