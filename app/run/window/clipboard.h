#pragma once
#include <cstdint>
#include <functional>
#include <future>
#include <string>

struct GLFWwindow;

namespace satdof {

// The clipboard of a window. Nobody waits for the program that owns it.
class WindowClipboard {
 public:
  explicit WindowClipboard(GLFWwindow* window) : window_(window) {}
  ~WindowClipboard();
  WindowClipboard(const WindowClipboard&) = delete;
  WindowClipboard& operator=(const WindowClipboard&) = delete;

  void copy(const std::string& text);
  // Begins to read. poll() hands the text to `use`.
  using Use = std::function<void(const std::string& text)>;
  void read(Use use);
  bool reading() const { return use_ != nullptr; }
  // Hands over the text that read() asked for, once it is there. Throws std::runtime_error if it cannot be read, and
  // what `use` throws.
  void poll();

 private:
  bool owned() const;

  GLFWwindow* window_;
  std::uintptr_t owner_ = 0;  // this program, as the owner of the clipboard after copy()
  Use use_;
  std::future<std::string> text_;
};

}  // namespace satdof
