#include "app/scene/targets.h"

#include "tests/scene/drawn_scene.h"
#include "tests/support/gl_fixture.h"

namespace satdof::test {
namespace {

GLuint shaderOf(GLenum kind, const char* source) {
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

// Fills the samples of a mask with a light at a depth.
class TargetsTest : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    program_ = glCreateProgram();
    glAttachShader(program_, shaderOf(GL_VERTEX_SHADER, R"(#version 450 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); })"));
    glAttachShader(program_, shaderOf(GL_FRAGMENT_SHADER, R"(#version 450 core
layout(location = 0) out vec4 colour;
layout(location = 1) out float depth;
layout(location = 0) uniform float light;
layout(location = 1) uniform float z;
void main() {
  colour = vec4(vec3(light), 1.0);
  depth = gl_FragDepth = z;
})"));
    glLinkProgram(program_);
  }
  void TearDown() override {
    glDeleteProgram(program_);
    GlTest::TearDown();
  }

  struct Surface {
    GLbitfield samples;
    float light, depth;
  };
  DrawnScene drawn(const std::vector<Surface>& surfaces) const {
    const glm::ivec2 size(5, 3);
    Targets targets;
    targets.resize(size, 4);
    targets.begin();
    const gl::VertexArrayObject array = gl::makeVertexArray();
    glBindVertexArray(array.name());
    glDisable(GL_CULL_FACE);
    glEnable(GL_SAMPLE_MASK);
    glUseProgram(program_);
    for (const Surface& surface : surfaces) {
      glSampleMaski(0, surface.samples);
      glUniform1f(0, surface.light);
      glUniform1f(1, surface.depth);
      glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDisable(GL_SAMPLE_MASK);
    const SceneFrame frame = targets.finish(makePinhole({}, size, kNearM, {}), 1.0f);
    return download(frame);
  }

 private:
  GLuint program_ = 0;
};

TEST_F(TargetsTest, AllocateOnceForASizeAndItsSamples) {
  Targets targets;
  std::size_t image = targets.imageNumber();
  for (const auto& [size, samples] : {std::pair(glm::ivec2(5, 3), 1), {{5, 3}, 4}, {{3, 5}, 4}}) {
    targets.resize(size, samples);
    EXPECT_EQ(targets.size(), size);
    EXPECT_EQ(targets.samples(), samples);
    EXPECT_NE(std::exchange(image, targets.imageNumber()), targets.imageNumber());
    targets.resize(size, samples);
    EXPECT_EQ(targets.imageNumber(), image);
  }
}

TEST_F(TargetsTest, ResolveToTheMeanColourAndTheNearestDepth) {
  const DrawnScene image = drawn({{0xf, 0.8f, 0.05f}, {0x1, 0.1f, 0.5f}});
  for (std::size_t i = 0; i < image.depth.size(); ++i) {
    ASSERT_NEAR(image.colour[i].r, 0.75f * 0.8f + 0.25f * 0.1f, 2e-3f);
    ASSERT_EQ(image.depth[i], 0.5f);
  }
}

TEST_F(TargetsTest, ResolveAFarLampBesideANearEdgeToTheDepthOfTheLamp) {
  for (const GLbitfield edge : {0x1u, 0x6u, 0x7u}) {
    const DrawnScene image = drawn({{0xf, 100.0f, 0.05f}, {edge, 0.1f, 0.5f}});
    for (const float depth : image.depth) ASSERT_EQ(depth, 0.05f) << edge;
  }
  for (const float depth : drawn({{0xf, 0.1f, 0.05f}, {0x2, 100.0f, 0.5f}}).depth) ASSERT_EQ(depth, 0.5f);
  for (const float depth : drawn({{0xf, 100.0f, 0.05f}, {0x2, 80.0f, 0.5f}}).depth) ASSERT_EQ(depth, 0.5f);
}

}  // namespace
}  // namespace satdof::test
