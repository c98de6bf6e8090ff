#pragma once
#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "app/core/settings.h"
#include "app/gl/async_readback.h"
#include "app/quality/image_metrics.h"
#include "app/render/present.h"

namespace satdof {

// PSNR and SSIM of two images that change from frame to frame, as displayed, without holding a frame up:
// copies of them come over as fences allow, and a thread of its own measures them (about a second at
// 1920x1080). Measures again whenever the settings or the progress are others than those last measured.
class LiveComparison {
 public:
  struct Result {
    ImageMetrics metrics;
    std::optional<ImageMetrics> noiseFloor;  // of the refined image's halves: that of half its samples
    float progress = 0;                      // of the images that were measured
  };

  // Draws half 0 or 1 of the refined image, linear light; false where there are none.
  using DrawHalf = std::function<bool(int half, const gl::Framebuffer& output)>;

  explicit LiveComparison(glm::ivec2 size);
  ~LiveComparison();
  // Once a frame, with the two images in linear light, of the size given; `progress` is that of the refined
  // one.
  void update(const PresentPass& present, const gl::Texture& a, const gl::Texture& b,
              const DrawHalf& drawHalf, const Settings& settings, float progress);
  // The newest; none until there is one.
  const std::optional<Result>& result() const { return result_; }
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

  void request(const PresentPass& present, const gl::Texture& a, const gl::Texture& b,
               const DrawHalf& drawHalf);
  void request(const PresentPass& present, const gl::Texture& image);
  void measure(std::stop_token stop);

  glm::ivec2 size_;
  AsyncReadback reads_;
  std::array<Image, 4> images_;  // both, and the halves of the refined one
  size_t requested_ = 0;         // so many of them
  gl::Texture half_;
  gl::Framebuffer halfFramebuffer_;
  std::optional<Subject> subject_;
  std::optional<Result> result_;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool measuring_ = false;
  struct Measured {
    ImageMetrics metrics;
    std::optional<ImageMetrics> noiseFloor;
  };
  std::optional<Measured> measured_;
  std::jthread thread_;
};

}  // namespace satdof
