#pragma once
#include <cstdint>
#include <functional>
#include <future>
#include <string>

struct GLFWwindow;

namespace satdof {

// The clipboard of a window. Does not wait for the program that owns the clipboard.
class WindowClipboard {
 public:
  explicit WindowClipboard(GLFWwindow* window) : window_(window) {}
  ~WindowClipboard();
  WindowClipboard(const WindowClipboard&) = delete;
  WindowClipboard& operator=(const WindowClipboard&) = delete;

  void copy(const std::string& text);
  // Begins to read. A later poll() calls use(text).
  using Use = std::function<void(const std::string& text)>;
  void read(Use use);
  bool reading() const { return use_ != nullptr; }
  // Calls `use` of read() once the text has arrived. Throws std::runtime_error if the clipboard cannot be read,
  // and what `use` throws.
  void poll();

 private:
  // Whether this program owns the clipboard.
  bool owned() const;

  GLFWwindow* window_;
  std::uintptr_t owner_ = 0;  // clipboardOwner() after the last copy()
  Use use_;
  std::future<std::string> text_;
};

}  // namespace satdof
