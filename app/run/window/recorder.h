#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/files.h"
#include "app/run/command_line.h"
#include "app/run/film/video.h"
#include "app/run/frame_loop.h"
#include "app/run/window/capture_progress.h"
#include "app/run/window/window_image.h"
#include "app/ui/ui.h"

namespace satdof {

// The file of captures of this name, before their number.
std::filesystem::path captureFile(const CaptureSettings& capture, const std::string& name);

// Captures and records the image of a window as the Capture panel and the command line say. A failure is reported in the
// session and the window stays open, unless the command line asked for the file.
class Recorder {
 public:
  // Captures may show the panels of `ui`; `layOutAgain` lays them out after the progress. `filmed`: the settings of a frame of the shot,
  // from 0 on, with its focus.
  Recorder(Session& session, WindowImage& image, const Ui& ui, const CommandLine& commandLine,
           CaptureProgress& progress, std::function<void()> layOutAgain,
           std::function<Settings(long frame)> filmed)
      : session_(session),
        image_(image),
        ui_(ui),
        commandLine_(commandLine),
        progress_(progress),
        layOutAgain_(std::move(layOutAgain)),
        filmed_(std::move(filmed)) {}

  // `timeS` in all functions: of the image that is shown. Shows the progress if it takes long.
  // `file`: its name; none: the first free number.
  void saveImage(const std::vector<std::filesystem::path>& file, float timeS);
  // Returns the path that was or, late, is written, the first free name of numberedNames() if `numbered`; empty if that failed.
  std::filesystem::path write(const std::filesystem::path& path, float timeS, bool numbered);
  // Adds the best image to the video, at the size that the video began with.
  bool append(float timeS);

  // Starts or ends the sequence of `loop` as the session says.
  void command(FrameLoop& loop);
  // Ends the sequence that is being recorded. A video keeps the frames that it has.
  void cancel();
  // Ends it at once, and reports why.
  void fail(const std::string& reason);
  // Copies the state of the sequence of `loop` to the session.
  void follow(FrameLoop& loop);
  // Whether the next image can be recorded. Waits a few milliseconds for the encoder.
  bool ready();
  // Call when the window ends: a recording keeps its frames, a film that lacks some goes.
  void close();
  // Ends the video that is being recorded. finish() tells when it is written.
  void endVideo();
  // Tells of the files that were finished since the last call. Returns what is still being written: "the video", or the name of a
  // file in a folder that does not answer.
  std::string finish();
  bool finishesVideos() const { return !finishing_.empty(); }
  // Gives up the files that are still being written, with a message.
  void abandon();
  // Whether an image is being drawn for a file.
  bool capturing() const { return capturing_; }

 private:
  void draw(const CaptureOptions& options, float timeS, const WindowImage::Take& take);
  bool startVideo();
  // Ends a video and what it has written, without waiting for a folder that does not answer.
  static void drop(std::unique_ptr<Video> video);
  // Whether a photograph is captured alone, without what the window shows beside it.
  bool alone(const CaptureOptions& options) const;
  // The size of the file; none without one. Throws std::runtime_error.
  std::optional<glm::ivec2> photoSize() const;
  void captureAlone(CaptureOptions& options, glm::ivec2 photo) const;
  void drawPanels(CaptureOptions& options) const;
  // Whether the frames of the film show motion blur.
  bool blurs() const;
  // The options for an image of `settings`, with the motion blur of the film.
  CaptureOptions blurred(CaptureOptions options, const Settings& settings, float timeS) const;
  // How the image of now is written to a file that nobody asked for by name.
  CaptureOptions fileOptions() const;
  std::filesystem::path sequencePath() const;
  // Claims the names of the sequence. Reports a failure.
  bool claim();
  // The files of a film of the shot: those that hold frames of the same film, or files that do not exist. Fills held_. Throws
  // gl::FrameAbandoned if the user cancels.
  std::filesystem::path filmPath();
  bool fitsFilm(const std::filesystem::path& path);
  bool holdsFrame(const std::filesystem::path& file, int frame) const;
  // Counts frames that are there.
  void skipHeld(FrameLoop& loop) const;

  Session& session_;
  WindowImage& image_;
  const Ui& ui_;
  const CommandLine& commandLine_;
  CaptureProgress& progress_;
  std::function<void()> layOutAgain_;
  std::function<Settings(long frame)> filmed_;
  std::unique_ptr<Video> video_;                   // that is being recorded
  std::vector<std::unique_ptr<Video>> finishing_;  // that ffmpeg still writes
  std::unique_ptr<NameClaim> claim_;               // on the names of the sequence
  std::filesystem::path frame_;                    // of the sequence, that was written last
  std::ptrdiff_t saved_ = 0;  // images of a sequence whose end waits for the last of them
  std::vector<bool> held_;    // frames of the film that files hold from the start
  glm::ivec2 videoSize_{0};
  bool videoOfPhoto_ = false;  // without what the window shows beside it
  bool videoAlpha_ = false;
  bool capturing_ = false;
};

}  // namespace satdof
