#include <array>
#include <vector>

#include "app/filter/filter.h"
#include "app/gl/program.h"

namespace satdof {

namespace {

constexpr GLuint kMaskBinding = 4;  // of the uniform block in shaders/filter/convolve.frag

// The weights, padded to the size of the block.
gl::Buffer weightsOf(const MaskPass& pass) {
  std::array<float, (kMaxMaskSide * kMaxMaskSide + 3) / 4 * 4> weights{};
  std::copy(pass.weights.begin(), pass.weights.end(), weights.begin());
  return {sizeof weights, weights.data()};
}

class GlFilter final : public Filter {
 public:
  explicit GlFilter(const FilterPlan& plan) : plan_(plan) {
    for (const MaskPass& pass : plan_.passes) weights_.push_back(weightsOf(pass));
  }

  void resize(glm::ivec2 size) override {
    if (plan_.passes.size() < 2) return;
    between_ = gl::Texture(GL_RGBA32F, size);
    betweenFramebuffer_ = gl::Framebuffer(between_);
  }

  void run(const FilterImages& images, Timings& timings) override {
    const auto stage = timings.gpu("filter");
    if (plan_.passes.size() == 2) draw(first_, 0, images.image, images.image, betweenFramebuffer_);
    draw(last_, plan_.passes.size() - 1, plan_.passes.size() == 2 ? between_ : images.image, images.image,
         images.framebuffer);
  }

 private:
  void draw(const gl::Program& program, std::size_t pass, const gl::Texture& image, const gl::Texture& original,
            const gl::Framebuffer& output) const {
    glBindBufferBase(GL_UNIFORM_BUFFER, kMaskBinding, weights_[pass].name());
    program.set("maskSize", glm::ivec2(plan_.passes[pass].width, plan_.passes[pass].height));
    if (&program == &last_) program.set("offset", plan_.offset);
    image.bind(0);
    original.bind(1);
    program.use();
    gl::drawFullScreen(output.name(), original.size());
  }

  FilterPlan plan_;
  std::vector<gl::Buffer> weights_;
  gl::Program first_{{"common/fullscreen.vert", "filter/convolve.frag"}};
  gl::Program last_{{"common/fullscreen.vert", "filter/convolve.frag"}, {{"LAST_PASS", ""}}};
  gl::Texture between_;  // result of the first of two passes
  gl::Framebuffer betweenFramebuffer_;
};

}  // namespace

std::unique_ptr<Filter> makeGlFilter(const FilterPlan& plan) { return std::make_unique<GlFilter>(plan); }

}  // namespace satdof
