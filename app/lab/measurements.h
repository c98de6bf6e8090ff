#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "app/lab/experiment.h"

// Measurements on the CPU and in OpenGL, and their inputs.
namespace satdof::lab {

// Returns pseudo-random words in [0, limit), limit <= 2^32. The same arguments give the same words.
std::vector<std::uint32_t> randomWords(std::size_t count, std::uint64_t limit);
// The same numbers as floats. With a limit of 256, sums of up to 2^16 elements are exact.
std::vector<float> randomFloats(std::size_t count, std::uint32_t limit);
// Returns words 0 or 1, about `percent` of them 1.
std::vector<std::uint32_t> randomFlags(std::size_t count, double percent);
// Returns the bits of half floats in [0, 1).
std::vector<std::uint16_t> randomHalves(std::size_t count);

// Times `work` by the wall clock. Without `reset`, each sample is the mean of as many calls as take about 50
// microseconds. `reset` restores the input before each call, untimed.
std::unique_ptr<Measurement> measureOnProcessor(std::function<void()> work, std::function<void()> reset = nullptr);

// kernelUs() times `work` by OpenGL timestamps, endToEndUs() all three steps by the wall clock. Needs a current
// context.
struct GlSteps {
  std::function<void()> upload, work, download;
};
std::unique_ptr<Measurement> measureOnGl(GlSteps steps);

// Times work on an array of `count` words folded into a texture, see foldedSize(). words(n): returns n input words.
// work(width): returns a function that maps the folded texture of this width to a result texture of the same size.
using FoldedWork = std::function<const gl::Texture&(const gl::Texture& folded)>;
std::unique_ptr<Measurement> measureFolded(std::uint32_t count,
                                           const std::function<std::vector<std::uint32_t>(std::size_t n)>& words,
                                           const std::function<FoldedWork(int width)>& work);

}  // namespace satdof::lab
