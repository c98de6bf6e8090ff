#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"

namespace satdof {

// The photographs that are open together.
struct PhotoStrip {
  struct Photo {
    std::filesystem::path file;
    std::optional<Settings> left;  // as it was left: its focus, and its look if ownLooks
  };
  // All photographs, while they are exported.
  struct Export {
    std::size_t at = 0;       // that is being read or written
    std::size_t written = 0;  // files
    std::size_t flat = 0;     // of these, without depth: saved as they are
    std::string failures;     // a line for each photograph that was not written
  };

  std::vector<Photo> photos;
  std::size_t at = 0;               // that is shown, or that could not be shown
  bool ownLooks = false;            // each photograph has its look; else one look is for all
  bool focused = false;             // the arrow keys step
  std::optional<std::size_t> goTo;  // asks for this photograph
  std::optional<Export> exporting;
  std::size_t scrollTo = 0;                      // `at` when the strip was drawn last
  bool exportNow = false, cancelExport = false;  // asks for these

  bool shown() const { return photos.size() > 1; }
  void step(int steps) {
    const auto last = static_cast<std::ptrdiff_t>(photos.size()) - 1;
    const auto to = static_cast<std::ptrdiff_t>(goTo.value_or(at)) + steps;
    if (shown() && !exporting && to >= 0 && to <= last) goTo = static_cast<std::size_t>(to);
  }
};

}  // namespace satdof
