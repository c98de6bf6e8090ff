#include "app/core/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/usage_error.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

// A new file next to `target`. Removed on destruction unless renamed.
class Temporary {
 public:
  explicit Temporary(const fs::path& target)
      : path_((fs::path(target) += ".part") += std::to_string(getpid())),
        file_(std::fopen(path_.c_str(), "wbx")) {}
  ~Temporary() {
    if (file_ != nullptr) std::fclose(file_);
    if (made_) std::remove(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool made() const { return made_; }
  bool write(std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() &&
           std::fclose(std::exchange(file_, nullptr)) == 0;
  }
  bool renameTo(const fs::path& target) {
    made_ = std::rename(path_.c_str(), target.c_str()) != 0;
    return !made_;
  }

 private:
  fs::path path_;
  std::FILE* file_;
  bool made_ = file_ != nullptr;
};

std::string failure(const fs::path& path) {
  return "cannot write " + path.string() + ": " + std::strerror(errno);
}

}  // namespace

void writeWholeFile(const fs::path& path, std::string_view bytes) {
  Temporary temporary(path);
  if (!temporary.made() || !temporary.write(bytes) || !temporary.renameTo(path))
    throw std::runtime_error(failure(path));
}

void requireWritable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!path.has_filename() || (fs::exists(status) && !fs::is_regular_file(status)))
    throw UsageError("cannot write " + path.string() + ": not an ordinary file; choose another name");
  if (!Temporary(path).made()) throw UsageError(failure(path));
}

}  // namespace satdof
