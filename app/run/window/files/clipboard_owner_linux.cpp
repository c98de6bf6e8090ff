#include <poll.h>
#include <xcb/xcb.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "app/core/text/formatted.h"
#include "app/run/window/files/clipboard_owner.h"

namespace satdof {

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

std::string utf8OfLatin1(std::string_view text) {
  std::string found;
  for (const unsigned char c : text) {
    if (c >= 0x80) found += static_cast<char>(0xC0 | c >> 6);
    found += static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3F));
  }
  return found;
}

// An X connection with a window that receives selections. Waits for other programs until a deadline.
class Requestor {
 public:
  explicit Requestor(double limitS)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(limitS))), limitS_(limitS) {
    int number = 0;
    connection_ = xcb_connect(nullptr, &number);
    if (failed()) return;
    auto screens = xcb_setup_roots_iterator(xcb_get_setup(connection_));
    for (; number > 0 && screens.rem > 1; --number) xcb_screen_next(&screens);
    window_ = xcb_generate_id(connection_);
    const std::uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(connection_, 0, window_, screens.data->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                      XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
  }
  ~Requestor() { xcb_disconnect(connection_); }
  Requestor(const Requestor&) = delete;
  Requestor& operator=(const Requestor&) = delete;

  bool failed() const { return xcb_connection_has_error(connection_) != 0; }

  xcb_atom_t atom(std::string_view name) {
    const auto cookie = xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(name.size()), name.data());
    const Owned<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(connection_, cookie, nullptr));
    return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  }

  xcb_window_t owner(xcb_atom_t selection) {
    const auto cookie = xcb_get_selection_owner(connection_, selection);
    const Owned<xcb_get_selection_owner_reply_t> reply(xcb_get_selection_owner_reply(connection_, cookie, nullptr));
    return reply ? reply->owner : xcb_window_t{XCB_WINDOW_NONE};
  }

  void release(xcb_atom_t selection) {
    xcb_set_selection_owner(connection_, XCB_WINDOW_NONE, selection, XCB_CURRENT_TIME);
    owner(selection);  // waits until the server has released it
  }

  // Requests the selection. Returns whether its owner can convert it to this form; received() then returns its bytes.
  bool convert(xcb_atom_t selection, xcb_atom_t form) {
    property_ = atom("SATDOF_SELECTION");
    xcb_convert_selection(connection_, window_, selection, form, property_, XCB_CURRENT_TIME);
    for (;;) {
      const auto event = next();
      if (kind(*event) != XCB_SELECTION_NOTIFY) continue;
      const auto& notify = reinterpret_cast<const xcb_selection_notify_event_t&>(*event);
      if (notify.target == form) return notify.property != XCB_ATOM_NONE;
    }
  }

  std::string received(std::size_t limitBytes) {
    const xcb_atom_t inPieces = atom("INCR");
    std::string bytes;
    if (take(bytes, limitBytes) != inPieces) return bytes;
    bytes.clear();
    for (;;) {
      const auto event = next();
      if (kind(*event) != XCB_PROPERTY_NOTIFY) continue;
      const auto& notify = reinterpret_cast<const xcb_property_notify_event_t&>(*event);
      if (notify.atom != property_ || notify.state != XCB_PROPERTY_NEW_VALUE) continue;
      const std::size_t before = bytes.size();
      take(bytes, limitBytes);
      if (bytes.size() == before) return bytes;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  using Event = Owned<xcb_generic_event_t>;

  static int kind(const xcb_generic_event_t& event) { return event.response_type & 0x7F; }

  Event next() {
    for (;;) {
      if (Event event{xcb_poll_for_event(connection_)}) return event;
      if (failed()) throw std::runtime_error("the display is gone");
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
      if (left <= 0) throw std::runtime_error(formatted("its owner did not answer within %g s", limitS_));
      xcb_flush(connection_);
      pollfd socket{xcb_get_file_descriptor(connection_), POLLIN, 0};
      ::poll(&socket, 1, static_cast<int>(left));
    }
  }

  // Appends the property and deletes it. Returns its type.
  xcb_atom_t take(std::string& bytes, std::size_t limitBytes) {
    const auto words = static_cast<std::uint32_t>(limitBytes / 4 + 1);
    const auto cookie = xcb_get_property(connection_, 1, window_, property_, XCB_GET_PROPERTY_TYPE_ANY, 0, words);
    const Owned<xcb_get_property_reply_t> reply(xcb_get_property_reply(connection_, cookie, nullptr));
    if (!reply) throw std::runtime_error("the display is gone");
    const auto* const value = static_cast<const char*>(xcb_get_property_value(reply.get()));
    bytes.append(value, static_cast<std::size_t>(xcb_get_property_value_length(reply.get())));
    if (reply->bytes_after > 0 || bytes.size() > limitBytes)
      throw std::runtime_error("it holds more than " + std::to_string(limitBytes / 1024) + " KiB");
    return reply->type;
  }

  Clock::time_point deadline_;
  double limitS_;
  xcb_connection_t* connection_ = nullptr;
  xcb_window_t window_ = XCB_WINDOW_NONE;
  xcb_atom_t property_ = XCB_ATOM_NONE;
};

constexpr const char* kClipboard = "CLIPBOARD";

}  // namespace

bool clipboardReached() { return std::getenv("DISPLAY") != nullptr; }

std::string clipboardText(double limitS, std::size_t limitBytes) try {
  Requestor requestor(limitS);
  if (requestor.failed()) throw std::runtime_error("there is no X display");
  const xcb_atom_t clipboard = requestor.atom(kClipboard);
  if (requestor.convert(clipboard, requestor.atom("UTF8_STRING"))) return requestor.received(limitBytes);
  if (requestor.convert(clipboard, XCB_ATOM_STRING)) return utf8OfLatin1(requestor.received(limitBytes));
  return {};
} catch (const std::runtime_error& error) {
  throw std::runtime_error(std::string("cannot read the clipboard: ") + error.what());
}

std::uintptr_t clipboardOwner() {
  Requestor requestor(0.0);
  return requestor.failed() ? 0 : requestor.owner(requestor.atom(kClipboard));
}

void leaveHangingManager(double limitS) {
  Requestor requestor(limitS);
  if (requestor.failed()) return;
  const xcb_atom_t manager = requestor.atom("CLIPBOARD_MANAGER");
  if (requestor.owner(manager) == XCB_WINDOW_NONE) return;
  try {
    requestor.convert(manager, requestor.atom("TARGETS"));
  } catch (const std::runtime_error&) {
    requestor.release(requestor.atom(kClipboard));
  }
}

}  // namespace satdof
