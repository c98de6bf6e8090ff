#pragma once
#include <cstdlib>
#include <optional>
#include <string>

namespace satdof::test {

// Sets or removes an environment variable; the destructor restores it.
class Environment {
 public:
  // `value`: null removes it.
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  Environment(const char* name, const std::string& value) : Environment(name, value.c_str()) {}
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // The previous value; empty if there was none.
  std::string before() const { return before_.value_or(""); }

 private:
  void set(const char* value) const {
    if (value == nullptr)
      unsetenv(name_);
    else
      setenv(name_, value, 1);
  }
  const char* name_;
  std::optional<std::string> before_;
};

// PATH with this folder in front.
inline std::string inFrontOfPath(const std::string& folder) {
  const char* const path = std::getenv("PATH");
  return folder + ":" + (path == nullptr ? "" : path);
}

}  // namespace satdof::test
