#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "app/core/file_names.h"
#include "app/core/files.h"
#include "app/core/formatted.h"

namespace satdof {

// 32 hex digits of the bytes, to name a file in a cache: FNV-1a from two starts.
inline std::string hashed(std::string_view bytes) {
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
  for (const char c : bytes) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    b = (b ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return formatted("%016llx%016llx", static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
}

// A folder for the work of a program, removed at the end with its contents. Also removes such folders of killed programs after a day.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& in)
      : path_(in / ("work-" + std::to_string(std::random_device()()))) {
    createFolders(in);
    std::error_code failed;
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
    for (const auto& entry : std::filesystem::directory_iterator(in, failed))
      if (entry.path().filename().string().starts_with("work-") && entry.last_write_time(failed) < old)
        std::filesystem::remove_all(entry.path(), failed);
    if (!std::filesystem::create_directory(path_, failed))
      throw std::runtime_error(failureText("create the folder", path_, failed.message()));
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace satdof
