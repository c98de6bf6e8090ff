#pragma once
#include <cstddef>
#include <filesystem>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"

namespace satdof {

// The file of a shot.
enum class CameraPathFormat : int;
struct ShotFile {
  std::filesystem::path path;
  std::optional<CameraPathFormat> of{};  // the other program whose camera path it is; none: a shot of satdof
  std::string text{};                    // its contents when it was opened or saved
};

// A shot with its file and its playhead, kept while another one is shown.
struct LeftShot {
  std::shared_ptr<const Shot> shot = std::make_shared<const Shot>();
  std::shared_ptr<ShotFile> file = std::make_shared<ShotFile>();
  double timeS = 0;
};

// The photographs that are open together.
struct PhotoStrip {
  struct Photo {
    std::filesystem::path file;
    std::optional<Settings> left;  // settings when it was left: its focus, and its look if ownLooks
    bool hasLook = true;           // `left` has a look; else only a focus that an earlier window remembered
    std::optional<LeftShot> shot{};
    std::filesystem::path depth{};  // of a dropped folder; empty: beside the file
  };
  // Files that an export will write.
  struct Plan {
    std::filesystem::path as;  // captureFile() when the plan was made
    std::filesystem::path folder;
    std::vector<std::string> names;  // the first names
  };
  // Progress of an export of all photographs.
  struct Export {
    std::size_t at = 0;        // index of the photograph that is read or written
    std::size_t written = 0;   // files written
    std::size_t flat = 0;      // of these, photographs without depth, saved unchanged
    std::size_t damaged = 0;   // of these, photographs with missing pixels
    std::string failures;      // a line for each photograph that was not written
    std::string withoutDepth;  // a line for each reason: the depth command failed, or a depth is damaged
  };

  std::vector<Photo> photos;
  std::string film;                   // "frames/%04d.png" if the photographs are the frames of a film; else empty
  std::size_t at = 0;                 // index of the photograph that is shown or could not be shown
  std::filesystem::path unread;       // photograph that was chosen last, until it is shown
  bool ownLooks = false;              // each photograph has a look of its own; else all share one look
  std::optional<Settings> firstLook;  // if ownLooks: look of photographs that were not shown yet
  bool focused = false;               // the arrow keys choose photographs
  bool closes = false;                // the button that closes the strip was pressed once
  std::optional<Plan> planned;
  std::optional<Export> exporting;
  // Corners of the button that cancels the export, in screen coordinates.
  glm::vec2 cancelFrom{0.0f}, cancelTo{0.0f};
  std::optional<std::size_t> scrolledTo;  // `at` when the strip was drawn last

  // Strips that were shown before, the last one last; those that the user closed have `closes`.
  std::vector<PhotoStrip> before;

  bool shown() const { return photos.size() > 1; }
  bool has(const std::filesystem::path& file) const;
  // Shows another strip. Its photographs take what they were left with in this strip and in those before; the choice
  // `ownLooks` stays.
  void replaceBy(PhotoStrip next);
  // Goes back to the last strip with this photograph; without one, shows none.
  void follow(const std::filesystem::path& file);
  // Whether the photograph `at` is not shown: another image or none is.
  bool lacksImage() const { return shown() && photos[at].file == unread; }
};

}  // namespace satdof
