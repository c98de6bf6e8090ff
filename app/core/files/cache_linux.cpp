#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

#include "app/core/files/cache.h"
#include "app/core/files/descriptor_linux.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

Descriptor opened(const fs::path& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

std::shared_ptr<const void> heldFile(const fs::path& path) {
  auto file = std::make_shared<Descriptor>(opened(path));
  if (!file->open() || ::flock(file->get(), LOCK_SH) != 0) return nullptr;
  return file;
}

std::optional<bool> removedUnheld(const fs::path& path) {
  const Descriptor file = opened(path);
  if (!file.open() && errno == ENOENT) return true;
  if (!file.open()) return std::nullopt;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return errno == EWOULDBLOCK ? std::optional(false) : std::nullopt;
  std::error_code failed;
  fs::remove_all(path, failed);
  return !failed;
}

}  // namespace satdof
