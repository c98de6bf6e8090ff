#pragma once
#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "app/core/settings.h"
#include "app/gl/async_readback.h"
#include "app/gl/objects.h"
#include "app/quality/metrics.h"

namespace satdof {

// PSNR and SSIM of two images that change from frame to frame, as displayed. No frame waits: copies of the
// images are read back behind fences, and a worker thread measures them (about a second at 1920x1080). A new
// measurement starts when the settings or the progress have changed since the last one.
class LiveComparison {
 public:
  struct Result {
    ImageMetrics metrics;
    std::optional<ImageMetrics> noiseFloor;  // between the two halves of the refined image's samples
    float progress = 0;                      // of the refined image when it was measured
  };

  // Draws `image` (linear light) into `output` as displayed.
  using DisplayImage = std::function<void(const gl::Texture& image, const gl::Framebuffer& output)>;
  // Half 0 or 1 of the refined image (linear light, of size()), valid until the next call; null if there are no
  // halves.
  using HalfImage = std::function<const gl::Texture*(int half)>;

  explicit LiveComparison(glm::ivec2 size);
  ~LiveComparison();
  // Call once a frame. `a` and `b`: linear light, of size(). `progress`: of the refined image, 0 to 1.
  void update(const DisplayImage& display, const gl::Texture& a, const gl::Texture& b, const HalfImage& halfImage,
              const Settings& settings, float progress);
  // The newest measurement; none until the first has finished.
  const std::optional<Result>& result() const { return result_; }
  // Whether result() belongs to older settings or an older progress than the last update().
  bool pending() const { return pending_; }
  glm::ivec2 size() const { return size_; }

 private:
  struct Subject {
    Settings settings;
    float progress;
    bool operator==(const Subject&) const = default;
  };
  struct Image {
    gl::Texture texture;
    gl::Framebuffer framebuffer;
    std::span<const float> texels;
    std::vector<float> rgb;
  };

  void request(const DisplayImage& display, const gl::Texture& a, const gl::Texture& b, const HalfImage& halfImage);
  void request(const DisplayImage& display, const gl::Texture& image);
  void measure(std::stop_token stop);

  glm::ivec2 size_;
  AsyncReadback reads_;
  std::array<Image, 4> images_;  // a, b and the two halves of the refined image
  std::size_t requested_ = 0;    // images in use: 2 or 4
  std::optional<Subject> subject_;
  bool pending_ = true;
  std::optional<Result> result_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool measuring_ = false;
  std::optional<Result> measured_;
  std::jthread thread_;
};

}  // namespace satdof
