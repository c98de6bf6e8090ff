#include "app/run/system/portal_dialog.h"

#include <string_view>

#include "app/core/text/formatted.h"

#if SATDOF_HAS_DBUS
#include <dbus/dbus.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/core/text/foreign_text.h"
#endif

// GLFW declares this function only where headers of X11 are included. Null in a GLFW without X11.
extern "C" [[gnu::weak]] unsigned long glfwGetX11Window(GLFWwindow* window);

namespace satdof {

std::string portalWindow(GLFWwindow* window) {
  const unsigned long found = glfwGetX11Window == nullptr ? 0 : glfwGetX11Window(window);
  return found == 0 ? "" : formatted("x11:%lx", found);
}

#if SATDOF_HAS_DBUS

namespace portal {

namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr unsigned kAnswerS = 5;  // limit until the dialog is shown
constexpr char kNoAnswer[] = "did not answer within 5 s";

struct Missing {};

struct Unreference {
  void operator()(DBusMessage* message) const { dbus_message_unref(message); }
};
using Message = std::unique_ptr<DBusMessage, Unreference>;

class Error {
 public:
  Error() { dbus_error_init(&error_); }
  ~Error() { dbus_error_free(&error_); }
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;

  DBusError* get() { return &error_; }
  // Throws if a call set the error.
  void check() const {
    if (!dbus_error_is_set(&error_)) return;
    for (const char* const missing :
         {DBUS_ERROR_SERVICE_UNKNOWN, DBUS_ERROR_NAME_HAS_NO_OWNER, DBUS_ERROR_UNKNOWN_INTERFACE,
          DBUS_ERROR_UNKNOWN_METHOD, DBUS_ERROR_UNKNOWN_OBJECT, DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND})
      if (dbus_error_has_name(&error_, missing)) throw Missing();
    throw std::runtime_error("failed: " + excerpt(error_.message, 200));
  }

 private:
  DBusError error_{};
};

class Connection {
 public:
  // Connects to the session bus. libdbus would start one if there is none: the address is found here.
  Connection() {
    const auto text = [](const char* name) {
      const char* const value = std::getenv(name);
      return std::string(value == nullptr ? "" : value);
    };
    std::string address = text("DBUS_SESSION_BUS_ADDRESS");
    const std::filesystem::path socket = std::filesystem::path(text("XDG_RUNTIME_DIR")) / "bus";
    std::error_code unknown;
    if (address.empty() && socket.is_absolute() && std::filesystem::exists(socket, unknown))
      address = "unix:path=" + socket.string();
    if (address.empty()) throw Missing();
    Error error;
    connection_ = dbus_connection_open_private(address.c_str(), error.get());
    if (connection_ == nullptr) throw Missing();
    dbus_connection_set_exit_on_disconnect(connection_, FALSE);
    dbus_bus_register(connection_, error.get());
    error.check();
  }
  ~Connection() {
    if (connection_ == nullptr) return;
    dbus_connection_close(connection_);
    dbus_connection_unref(connection_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void listen(const std::string& rule) {
    Error error;
    dbus_bus_add_match(connection_, rule.c_str(), error.get());
    error.check();
  }
  Message call(DBusMessage& call) {
    Error error;
    Message reply(dbus_connection_send_with_reply_and_block(connection_, &call, DBUS_TIMEOUT_INFINITE, error.get()));
    error.check();
    return reply;
  }
  // Waits for the next message.
  Message next() {
    for (bool open = true;; open = dbus_connection_read_write(connection_, -1) != FALSE) {
      if (Message message{dbus_connection_pop_message(connection_)}) return message;
      if (!open) throw std::runtime_error("ended, with the bus of the session");
    }
  }

 private:
  DBusConnection* connection_ = nullptr;
};

// Appends a container. `fill` appends its contents.
template <class Fill>
void append(DBusMessageIter& to, int type, const char* signature, const Fill& fill) {
  DBusMessageIter inner;
  dbus_message_iter_open_container(&to, type, signature, &inner);
  fill(inner);
  dbus_message_iter_close_container(&to, &inner);
}

void appendString(DBusMessageIter& to, const char* text) {
  dbus_message_iter_append_basic(&to, DBUS_TYPE_STRING, &text);
}

// Appends an entry of the dictionary of options.
template <class Fill>
void appendOption(DBusMessageIter& options, const char* key, const char* signature, const Fill& fill) {
  append(options, DBUS_TYPE_DICT_ENTRY, nullptr, [&](DBusMessageIter& entry) {
    appendString(entry, key);
    append(entry, DBUS_TYPE_VARIANT, signature, fill);
  });
}

void appendFilter(DBusMessageIter& filters, const char* name, std::span<const char* const> patterns) {
  append(filters, DBUS_TYPE_STRUCT, nullptr, [&](DBusMessageIter& filter) {
    appendString(filter, name);
    append(filter, DBUS_TYPE_ARRAY, "(us)", [&](DBusMessageIter& list) {
      for (const char* const pattern : patterns)
        append(list, DBUS_TYPE_STRUCT, nullptr, [&](DBusMessageIter& item) {
          const dbus_uint32_t kGlob = 0;
          dbus_message_iter_append_basic(&item, DBUS_TYPE_UINT32, &kGlob);
          appendString(item, pattern);
        });
    });
  });
}

// Arguments of FileChooser, in the order of the process's arguments.
struct Arguments {
  const char* method;
  const char* title;
  std::filesystem::path start;
  const char* window;
  const char* filter;
  std::span<const char* const> patterns;
};

Message callOf(const Arguments& asked) {
  Message call(dbus_message_new_method_call(kPortal, "/org/freedesktop/portal/desktop",
                                            "org.freedesktop.portal.FileChooser", asked.method));
  if (!call) throw std::bad_alloc();
  DBusMessageIter arguments;
  dbus_message_iter_init_append(call.get(), &arguments);
  appendString(arguments, asked.window);
  appendString(arguments, asked.title);
  const bool saves = std::string_view(asked.method) == "SaveFile";
  const std::string folder = asked.start.parent_path().string(), name = asked.start.filename().string();
  append(arguments, DBUS_TYPE_ARRAY, "{sv}", [&](DBusMessageIter& options) {
    appendOption(options, "current_folder", "ay", [&](DBusMessageIter& value) {
      append(value, DBUS_TYPE_ARRAY, "y", [&](DBusMessageIter& bytes) {
        const char* const first = folder.c_str();
        dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &first, static_cast<int>(folder.size() + 1));
      });
    });
    appendOption(options, "filters", "a(sa(us))", [&](DBusMessageIter& value) {
      append(value, DBUS_TYPE_ARRAY, "(sa(us))", [&](DBusMessageIter& filters) {
        constexpr const char* kAll = "*";
        appendFilter(filters, asked.filter, asked.patterns);
        appendFilter(filters, "All files", {&kAll, 1});
      });
    });
    if (!saves)
      appendOption(options, "multiple", "b", [](DBusMessageIter& value) {
        const dbus_bool_t yes = TRUE;
        dbus_message_iter_append_basic(&value, DBUS_TYPE_BOOLEAN, &yes);
      });
    else if (dbus_validate_utf8(name.c_str(), nullptr))
      appendOption(options, "current_name", "s", [&](DBusMessageIter& value) { appendString(value, name.c_str()); });
  });
  return call;
}

// The file of a URI. Throws if it is on another machine, or if its name has control characters: the output has one file
// a line.
std::string fileOf(std::string_view uri) {
  const auto odd = [&](const char* why) { return std::runtime_error("chose " + inQuotes(uri, 200) + ", " + why); };
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) throw odd("which is no file of this machine");
  const std::string_view rest = uri.substr(kScheme.size());
  const std::string_view host = rest.substr(0, rest.find('/'));
  if (host.size() == rest.size() || !(host.empty() || host == "localhost"))
    throw odd("which is no file of this machine");
  std::string path;
  for (std::size_t i = host.size(); i < rest.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      const char c = at < rest.size() ? rest[at] : 'x';
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) throw odd("which is not well-formed");
      return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
    };
    const bool coded = rest[i] == '%';
    path += coded ? static_cast<char>(16 * digit(i + 1) + digit(i + 2)) : rest[i];
    if (coded) i += 2;
  }
  if (std::ranges::any_of(path, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw odd("whose name has control characters");
  return path;
}

// The files of a Response(u response, a{sv} results).
std::vector<std::string> filesOf(DBusMessageIter& arguments) {
  std::vector<std::string> files;
  DBusMessageIter results, entry, value, uris;
  dbus_message_iter_next(&arguments);
  dbus_message_iter_recurse(&arguments, &results);
  for (; dbus_message_iter_get_arg_type(&results) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&results)) {
    const char* key = nullptr;
    dbus_message_iter_recurse(&results, &entry);
    dbus_message_iter_get_basic(&entry, &key);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &value);
    if (std::string_view(key) != "uris" || dbus_message_iter_get_arg_type(&value) != DBUS_TYPE_ARRAY ||
        dbus_message_iter_get_element_type(&value) != DBUS_TYPE_STRING)
      continue;
    dbus_message_iter_recurse(&value, &uris);
    for (; dbus_message_iter_get_arg_type(&uris) == DBUS_TYPE_STRING; dbus_message_iter_next(&uris)) {
      const char* uri = nullptr;
      dbus_message_iter_get_basic(&uris, &uri);
      files.push_back(fileOf(uri));
    }
  }
  if (files.empty()) throw std::runtime_error("chose no file");
  return files;
}

// Whether the message says that `portal`, a unique name, lost the name of the portal. D-Bus may start a portal for the
// call: it takes the name then.
bool saysThatItEnded(DBusMessage& message, std::string_view portal) {
  const char *name = nullptr, *before = nullptr;
  return dbus_message_is_signal(&message, DBUS_INTERFACE_DBUS, "NameOwnerChanged") != FALSE &&
         dbus_message_get_args(&message, nullptr, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before,
                               DBUS_TYPE_INVALID) != FALSE &&
         before == portal;
}

// Shows the dialog and waits. Returns the chosen files; none if the user cancelled.
std::vector<std::string> chooseFiles(const Arguments& asked) {
  Connection connection;
  connection.listen(std::string("type='signal',interface='") + kRequest + "',member='Response'");
  connection.listen(std::string("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='") +
                    kPortal + "'");
  const Message reply = connection.call(*callOf(asked));
  ::alarm(0);
  using Clock = std::chrono::steady_clock;
  const auto shown = Clock::now();
  const char *handle = nullptr, *const portal = dbus_message_get_sender(reply.get());
  if (!dbus_message_get_args(reply.get(), nullptr, DBUS_TYPE_OBJECT_PATH, &handle, DBUS_TYPE_INVALID))
    throw std::runtime_error("answered without a dialog");
  for (;;) {
    const Message message = connection.next();
    if (saysThatItEnded(*message, portal)) throw std::runtime_error("ended");
    if (!dbus_message_is_signal(message.get(), kRequest, "Response") || !dbus_message_has_path(message.get(), handle) ||
        !dbus_message_has_sender(message.get(), portal))
      continue;
    if (!dbus_message_has_signature(message.get(), "ua{sv}"))
      throw std::runtime_error("answered something else than files");
    DBusMessageIter arguments;
    dbus_uint32_t response = 0;
    dbus_message_iter_init(message.get(), &arguments);
    dbus_message_iter_get_basic(&arguments, &response);
    if (response == 0) return filesOf(arguments);
    // 2 means that the user closed the dialog, or that it could not be shown. No user closes one within half a second.
    if (response == 2 && Clock::now() - shown < std::chrono::milliseconds(500))
      throw std::runtime_error("showed no dialog");
    return {};
  }
}

}  // namespace

}  // namespace portal

bool hasPortalLibrary() { return true; }

std::optional<int> portalDialog(int argc, const char* const* argv) {
  constexpr std::size_t kArguments = 7;
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  if (words.size() < kArguments || std::string_view(words[1]) != kPortalDialog) return std::nullopt;
  std::signal(SIGALRM, [](int) {
    const auto ignored = ::write(STDOUT_FILENO, portal::kNoAnswer, sizeof portal::kNoAnswer - 1);
    static_cast<void>(ignored);
    ::_exit(kPortalFailed);
  });
  ::alarm(portal::kAnswerS);
  try {
    const auto files =
        portal::chooseFiles({words[2], words[3], words[4], words[5], words[6], words.subspan(kArguments)});
    for (const std::string& file : files) std::puts(file.c_str());
    return files.empty() ? kPortalCancelled : kPortalChose;
  } catch (const portal::Missing&) {
    return kPortalMissing;
  } catch (const std::exception& error) {
    std::puts(error.what());
    return kPortalFailed;
  }
}

#else

bool hasPortalLibrary() { return false; }

std::optional<int> portalDialog(int /*argc*/, const char* const* /*argv*/) { return std::nullopt; }

#endif

}  // namespace satdof
