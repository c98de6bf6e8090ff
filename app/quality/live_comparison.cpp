#include "app/quality/live_comparison.h"

#include <utility>

#include "app/core/pixels.h"

namespace satdof {

LiveComparison::LiveComparison(glm::ivec2 size) : size_(size), reads_(pixelCount(size) * 4, 4) {
  for (auto& image : images_) {
    image.texture = gl::Texture(GL_RGBA32F, size);
    image.framebuffer = gl::Framebuffer(image.texture);
    image.rgb.resize(pixelCount(size) * 3);
  }
  thread_ = std::jthread([this](std::stop_token stop) { measure(stop); });
}

LiveComparison::~LiveComparison() = default;

void LiveComparison::request(const DisplayImage& display, const gl::Texture& a, const gl::Texture& b,
                             const HalfImage& halfImage) {
  requested_ = 0;
  request(display, a);
  request(display, b);
  for (int half = 0; half < 2; ++half)
    if (const gl::Texture* image = halfImage(half)) request(display, *image);
}

void LiveComparison::request(const DisplayImage& display, const gl::Texture& image) {
  Image& copy = images_[requested_++];
  copy.texels = {};
  display(image, copy.framebuffer);
  reads_.request(copy.texture, {0, 0}, size_, 4);
}

void LiveComparison::update(const DisplayImage& display, const gl::Texture& a, const gl::Texture& b,
                            const HalfImage& halfImage, const Settings& settings, float progress) {
  const std::lock_guard lock(mutex_);
  if (measured_) result_ = std::exchange(measured_, std::nullopt);
  pending_ = true;
  if (measuring_) return;
  if (reads_.inFlight() > 0) {
    for (std::size_t i = 0; i < requested_; ++i)
      if (images_[i].texels.empty() && (images_[i].texels = reads_.poll()).empty()) return;
    measuring_ = true;
    wake_.notify_one();
  } else if (const Subject now{settings, progress}; subject_ != now) {
    subject_ = now;
    request(display, a, b, halfImage);
  } else {
    pending_ = false;
  }
}

void LiveComparison::measure(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return measuring_; })) {
    const float progress = subject_->progress;
    lock.unlock();
    for (std::size_t k = 0; k < requested_; ++k)
      for (std::size_t i = 0, n = images_[k].rgb.size() / 3; i < n; ++i)
        for (std::size_t channel = 0; channel < 3; ++channel)
          images_[k].rgb[3 * i + channel] = images_[k].texels[4 * i + channel];
    Result measured{imageMetrics(images_[0].rgb, images_[1].rgb, size_), std::nullopt, progress};
    if (requested_ == 4) measured.noiseFloor = imageMetrics(images_[2].rgb, images_[3].rgb, size_);
    lock.lock();
    measured_ = measured;
    measuring_ = false;
  }
}

}  // namespace satdof
