#pragma once
#include <cstddef>
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot.h"

namespace satdof {

// A file, and of what program; none: of this one.
enum class CameraPathOf : int;
struct ShotFile {
  std::filesystem::path path;
  std::optional<CameraPathOf> of{};
  std::string text{};  // that it held then
};

// The shot of what is shown, where it was opened or saved, and its playhead.
struct LeftShot {
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::shared_ptr<ShotFile> file = std::make_shared<ShotFile>();
  double timeS = 0;
};

// The photographs that are open together.
struct PhotoStrip {
  struct Photo {
    std::filesystem::path file;
    std::optional<Settings> left;  // as it was left: its focus, and its look if ownLooks
    std::optional<LeftShot> shot{};
  };
  // What an export will write.
  struct Plan {
    std::filesystem::path as;  // captureFile() of all then
    std::filesystem::path folder;
    std::vector<std::string> names;  // the first ones
  };
  // All photographs, while they are exported.
  struct Export {
    std::size_t at = 0;       // that is being read or written
    std::size_t written = 0;  // files
    std::size_t flat = 0;     // of these, without depth: saved as they are
    std::size_t damaged = 0;  // of these, pixels are missing
    std::string failures;     // a line for each photograph that was not written
  };

  std::vector<Photo> photos;
  std::string film;              // "frames/%04d.png" if they are all the frames of a film
  std::size_t at = 0;            // that is shown, or that could not be shown
  std::filesystem::path unread;  // that was asked for last, until it is shown
  bool ownLooks = false;         // each photograph has its look; else one look is for all
  bool focused = false;          // the arrow keys step
  bool closes = false;           // the button that closes the strip was pressed once
  std::optional<Plan> planned;
  std::optional<Export> exporting;
  // Of the button that cancels the export, in screen coordinates.
  glm::vec2 cancelFrom{0.0f}, cancelTo{0.0f};
  std::optional<std::size_t> scrolledTo;  // `at` when the strip was drawn last

  bool shown() const { return photos.size() > 1; }
  // Whether another image, or none, is shown in place of the photograph `at`.
  bool lacksImage() const { return shown() && photos[at].file == unread; }
};

}  // namespace satdof
