#include "app/run/window/files/clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <utility>

#include "app/run/window/files/clipboard_owner.h"

namespace satdof {

namespace {

constexpr double kReadLimitS = 2.0;
constexpr double kManagerLimitS = 0.5;
constexpr std::size_t kMaxBytes = std::size_t{64} << 10;  // settings take a few kilobytes

std::string ownText(GLFWwindow* window) {
  const char* const text = glfwGetClipboardString(window);
  return text == nullptr ? "" : text;
}

}  // namespace

WindowClipboard::~WindowClipboard() {
  if (owned()) leaveHangingManager(kManagerLimitS);
}

bool WindowClipboard::owned() const { return owner_ != 0 && clipboardOwner() == owner_; }

void WindowClipboard::copy(const std::string& text) {
  glfwSetClipboardString(window_, text.c_str());
  owner_ = clipboardReached() ? clipboardOwner() : 0;
}

void WindowClipboard::read(Use use) {
  if (text_.valid() && text_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  use_ = std::move(use);
  if (!clipboardReached() || owned()) {
    std::promise<std::string> known;
    text_ = known.get_future();
    known.set_value(ownText(window_));
    return;
  }
  text_ = std::async(std::launch::async, [] {
    struct Wake {
      ~Wake() { glfwPostEmptyEvent(); }
    };
    const Wake wake;
    return clipboardText(kReadLimitS, kMaxBytes);
  });
}

void WindowClipboard::poll() {
  if (!use_ || text_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  const Use use = std::exchange(use_, nullptr);
  use(text_.get());
}

}  // namespace satdof
