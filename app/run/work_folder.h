#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"

namespace satdof {

// A temporary folder, which the destructor removes with its contents. The constructor also removes such folders in
// the same place that are older than a day: killed programs left them.
class WorkFolder {
 public:
  // Creates a folder inside `in`. Throws std::runtime_error.
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
    held_ = heldFile(path_);
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
  std::shared_ptr<const void> held_;
};

}  // namespace satdof
