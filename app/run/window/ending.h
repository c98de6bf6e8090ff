#pragma once
#include <string>

namespace satdof {

// Decides when a window ends that was asked to close, by its user or by a signal.
class Ending {
 public:
  // Whether the window ends: at the first request or, while an image is drawn for a file, at the second. Says so at the
  // first. `requests`: how often the window was asked to close.
  bool ends(int requests, bool capturing);

 private:
  bool told_ = false;
};

// The wait for images and videos that are still being written when the window closes.
class FileWait {
 public:
  FileWait(int requests, double nowS) : requests_(requests), beganS_(nowS) {}
  // Whether to give up the files: at the next request to close or, for images in a folder that does not answer, after
  // some seconds. Says after a moment what is awaited. `file`: what is still being written. `videos`: videos are.
  bool gaveUp(const std::string& file, bool videos, int requests, double nowS);

 private:
  int requests_;
  double beganS_;
  bool told_ = false;
};

}  // namespace satdof
