#include "app/gl/program.h"

#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>

#include "app/gl/built.h"
#include "tests/support/gl_fixture.h"

namespace satdof::gl {
namespace {

using testing::AllOf, testing::HasSubstr, testing::ThrowsMessage;

class ProgramTest : public GlTest {};

TEST_F(ProgramTest, AnUndeclaredUniformThrowsItsNameAndTheShader) {
  const Program program({"common/fullscreen.vert", "views/depth.frag"});
  EXPECT_NO_THROW(program.set("nearestDepth", 2.0f));
  EXPECT_THAT([&] { program.set("nearestDepths", 2.0f); },
              ThrowsMessage<std::logic_error>(AllOf(HasSubstr("nearestDepths"), HasSubstr("views/depth.frag"))));
}

TEST_F(ProgramTest, IgnoresUniformsWithoutUse) {
  const Program program({"common/fullscreen.vert", "views/table.frag"},
                        {{"TableSampler", "usampler2D"}, {"TableElement", "uvec4"}, {"WRAPS", "true"}});
  EXPECT_NO_THROW(program.set("offset", glm::vec4(1.0f)));
  EXPECT_NO_THROW(program.set("size", glm::ivec2(1)));  // the linker removes it
  EXPECT_THROW(program.set("sizes", glm::ivec2(1)), std::logic_error);
}

TEST_F(ProgramTest, KeepsItsUniformsWhenMovedAndReloaded) {
  Program first({"common/fullscreen.vert", "views/depth.frag"});
  Program program = std::move(first);
  EXPECT_EQ(reloadAll(), std::vector<std::string>{});
  EXPECT_FALSE(shadersEdited()) << "the sources are as before";
  EXPECT_NO_THROW(program.set("nearestDepth", 1.0f));
  EXPECT_THROW(program.set("nearestDepths", 1.0f), std::logic_error);
  float depth = 0.0f;
  glGetUniformfv(program.name(), glGetUniformLocation(program.name(), "nearestDepth"), &depth);
  EXPECT_EQ(depth, 1.0f);
}

TEST_F(ProgramTest, BadFilesThrow) {
  EXPECT_THAT([] { Program({"common/missing.frag"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr("common/missing.frag")));
  EXPECT_THAT([] { Program({"common/tone.glsl"}); },
              ThrowsMessage<std::runtime_error>(HasSubstr(".vert, .frag or .comp")));
}

TEST_F(ProgramTest, CompilerLogsNameTheFile) {
  const Program program({"bokeh/collect.comp"});  // without its macros
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_THAT([&] { program.use(); },
                ThrowsMessage<std::runtime_error>(HasSubstr("cannot compile the shader bokeh/collect.comp")));
}

TEST_F(ProgramTest, AReloadReportsAFailureOnce) {
  const Program first({"bokeh/collect.comp"}), second({"bokeh/collect.comp"});  // without their macros
  const std::vector<std::string> failures = reloadAll();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("bokeh/collect.comp"));
}

TEST_F(ProgramTest, BuiltReportsAProgramThatFails) {
  const Program broken({"bokeh/collect.comp"});  // made before: not asked for
  const auto make = [](const char* file) { return std::make_unique<Program>(std::vector<std::string>{file}); };
  EXPECT_NO_THROW(withBuiltPrograms([&] { return make("bokeh/reduce.comp"); })->use());
  const std::size_t before = programCount();
  EXPECT_THAT([&] { withBuiltPrograms([&] { return make("bokeh/collect.comp"); }); },
              ThrowsMessage<std::runtime_error>(HasSubstr("cannot compile the shader bokeh/collect.comp")));
  EXPECT_EQ(programCount(), before);
}

}  // namespace
}  // namespace satdof::gl
