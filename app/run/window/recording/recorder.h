#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/core/files/files.h"
#include "app/core/system/inquiry.h"
#include "app/run/command_line/command_line.h"
#include "app/run/film/video.h"
#include "app/run/frame_loop.h"
#include "app/run/window/recording/capture_progress.h"
#include "app/run/window/recording/recorded_focus.h"
#include "app/run/window/window_image.h"
#include "app/ui/ui.h"

namespace satdof {

// The file of a capture of this name: folder and format of the Capture panel, without a number.
std::filesystem::path captureFile(const CaptureSettings& capture, const std::string& name);

// Captures and records the image of a window as the Capture panel and the command line say. A failure is reported in
// the session; if the command line named the file, it is thrown.
class Recorder {
 public:
  // `ui`: draws panels over captures. `layOutAgain`: lays out the panels after the progress was shown.
  Recorder(Session& session, WindowImage& image, const Ui& ui, const CommandLine& commandLine,
           CaptureProgress& progress, std::function<void()> layOutAgain, RecordedFocus& focus)
      : session_(session),
        image_(image),
        ui_(ui),
        commandLine_(commandLine),
        progress_(progress),
        layOutAgain_(std::move(layOutAgain)),
        focus_(focus) {}

  // Saves the image; shows the progress if that takes long. `timeS` in all functions: animation time of the image.
  // `file`: its name; empty:
  // the first free number.
  void saveImage(const std::vector<std::filesystem::path>& file, float timeS);
  // Writes the image to `path` or, if `numbered`, to the first free name of numberedNames(path). Returns the file,
  // which a slow folder may receive later; empty if writing failed.
  std::filesystem::path write(const std::filesystem::path& path, float timeS, bool numbered);
  // Draws the current frame of the sequence with its focus. If `cancellable`, shows the progress of slow steps; then
  // throws FrameAbandoned if the user cancels or a step fails, which ends the recording.
  FrameResult drawFrame(Settings settings, float timeS, glm::vec2 cursor, bool cancellable, Timings& timings);
  // Adds the best image to the video, at the size of the video.
  bool append(float timeS);

  // Whether command() can start what the session asks for: false while a thread asks ffmpeg whether it can encode a
  // transparent background. Call every frame.
  bool prepared();
  // Starts or ends the sequence of `loop` as Session::sequence says.
  void command(FrameLoop& loop);
  // Ends the recording, as its user wants. A video keeps its frames.
  void cancel();
  // Ends the recording, removes its video and reports why.
  void fail(const std::string& reason);
  // Copies the progress of the sequence of `loop` to the session. Ends the recording with the sequence.
  void follow(FrameLoop& loop);
  // Whether the next image can be recorded. Waits a few milliseconds for the encoder.
  bool ready();
  // Call when the window closes. A recording keeps its frames; an incomplete video of a shot is removed.
  void close();
  // Ends the video, if one is recorded. finish() reports when it is written.
  void endVideo();
  // Reports files that were finished since the last call. Returns the one still being written: "the video", or a
  // file in a folder that does not answer; empty if nothing is.
  std::string finish();
  bool finishesVideos() const { return !finishing_.empty(); }
  // Gives up the files that are still being written, with a message.
  void abandon();
  // Whether an image is being drawn for a file.
  bool capturing() const { return capturing_; }

 private:
  void draw(const CaptureOptions& options, float timeS, const WindowImage::Take& take);
  bool startVideo();
  // Whether a video would keep a transparent background if its format can.
  bool wantsAlpha() const;
  // Removes a video, without waiting for a folder that does not answer.
  static void remove(std::unique_ptr<Video> video);
  // Whether captures show a photograph without the surroundings that the window shows.
  bool capturesAlone(const CaptureOptions& options) const;
  // The size of the photograph in its file; nothing for other scenes. Throws std::runtime_error.
  std::optional<glm::ivec2> photoSize() const;
  // Sets the size for a capture of the photograph alone.
  void useSize(CaptureOptions& options, glm::ivec2 photo) const;
  // Draws the panels over the image, if captures show them.
  void addPanels(CaptureOptions& options) const;
  // Whether frames have motion blur.
  bool blurs() const;
  // Returns the options with motion blur for an image of `settings`, if blurs().
  CaptureOptions blurred(CaptureOptions options, const Settings& settings, float timeS) const;
  // The options of the Capture panel.
  CaptureOptions fileOptions() const;
  bool recordsImages() const { return session_.sequence && !session_.sequence->video; }
  std::filesystem::path sequencePath() const;
  // Claims the names of the sequence. Returns false after reporting a failure.
  bool claim();
  // The name of the files of a film of the shot: the first whose existing files all hold frames of this film. Fills
  // held_. Throws FrameAbandoned if the user cancels.
  std::filesystem::path filmPath();
  // Whether all existing files of this name hold frames of the film. Fills held_.
  bool fitsFilm(const std::filesystem::path& path);
  bool holdsFrame(const std::filesystem::path& file, int frame) const;
  // Counts the next frames that files hold as written.
  void skipHeld(FrameLoop& loop) const;

  Session& session_;
  WindowImage& image_;
  const Ui& ui_;
  const CommandLine& commandLine_;
  CaptureProgress& progress_;
  std::function<void()> layOutAgain_;
  RecordedFocus& focus_;
  std::unique_ptr<Video> video_;                   // being recorded
  std::vector<std::unique_ptr<Video>> finishing_;  // ended, but ffmpeg still writes
  std::unique_ptr<NameClaim> claim_;               // on the names of the sequence
  std::filesystem::path frame_;                    // last file of the sequence
  std::ptrdiff_t saved_ = 0;    // images of a sequence that has ended, until the last of them is written
  std::vector<bool> held_;      // for each frame of the film, whether a file held it before the recording
  glm::ivec2 recordedSize_{0};  // of a video, or of the window when the recording of images began
  bool videoOfPhoto_ = false;   // see capturesAlone()
  bool videoAlpha_ = false;
  // What ffmpeg cannot do with a transparent background.
  struct Alpha {
    std::string format, missing;  // see alphaMissing()
  };
  Inquiry<Alpha> alphaOf_;
  Alpha alpha_;  // last answer
  bool capturing_ = false;
};

}  // namespace satdof
