#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/ui/history.h"

namespace satdof {

// undo.json in a folder: the settings and shot of the first step, and the difference of each step from the one
// before, as JSON patches.
class UndoFile {
 public:
  explicit UndoFile(const std::filesystem::path& folder) : path_(folder / "undo.json") {}
  // The steps; none without a file that can be read.
  std::vector<UndoStep> read() const;
  // Writes as many of the last steps as fit into 2 MiB. Cost: the differences of new steps, and the bytes of all.
  // Returns whether any fits: a first shot above 1 MiB does not. Throws std::runtime_error on failure.
  bool write(const std::vector<UndoStep>& steps);

 private:
  struct Written {
    UndoStep step;
    std::string difference;  // from the step before, as JSON
  };
  // The difference of a step from the step `before`; taken from written_ if it is there.
  Written difference(const UndoStep& before, const UndoStep& step) const;

  std::filesystem::path path_;
  std::vector<Written> written_;  // steps of the last write()
  bool fits_ = false;             // what it returned
};

}  // namespace satdof
