#include "app/gl/shader_source.h"

#include <gmock/gmock.h>

#include <map>
#include <stdexcept>

namespace satdof::gl {
namespace {

using testing::ElementsAre, testing::HasSubstr, testing::ThrowsMessage;

using Files = std::map<std::string, std::string>;

ShaderSource expand(const Files& files, const Defines& defines = {}) {
  return expandIncludes("main.frag", defines, [&](const std::string& file) { return files.at(file); });
}

TEST(ShaderSource, IncludesEachFileOnceAndNumbersTheLines) {
  const auto source =
      expand({{"main.frag", "#version 450\n#include \"shaders/a.glsl\"\n#include \"shaders/a.glsl\"\nend"},
              {"a.glsl", "#include \"shaders/main.frag\"\na"}},
             {{"N", "4"}});
  EXPECT_EQ(source.text, "#version 450\n#define N 4\n#line 2 0\n#line 1 1\n#line 2 1\na\n#line 3 0\n#line 4 0\nend\n");
  EXPECT_THAT(source.files, ElementsAre("main.frag", "a.glsl"));
}

TEST(ShaderSource, IncludesNothingOutsideTheShaders) {
  for (const char* file : {"../secret", "a/../../secret", "/etc/passwd"})
    EXPECT_THAT(
        [&] {
          expand({{"main.frag", std::string("#include \"shaders/").append(file).append("\"")}});
        },
        ThrowsMessage<std::runtime_error>(HasSubstr("outside the folder shaders/")))
        << file;
}

TEST(ShaderSource, EndsLongChains) {
  Files chain{{"main.frag", "#include \"shaders/1\""}};
  for (int i = 1; i < 200; ++i) chain[std::to_string(i)] = "#include \"shaders/" + std::to_string(i + 1) + "\"";
  chain["98"] = "";
  EXPECT_EQ(expand(chain).files.size(), 99u);
  chain["98"] = "#include \"shaders/99\"";
  chain["99"] = "#include \"shaders/100\"";
  EXPECT_THAT([&] { expand(chain); }, ThrowsMessage<std::runtime_error>(HasSubstr("more than 100 files")));
}

TEST(ShaderSource, FindsUniformsOutsideBlocks) {
  std::set<std::string, std::less<>> names;
  collectUniforms("uniform float a, b[2];\nuniform highp vec2 c;uniform Block { int d; } e;\nint uniforms; uniform",
                  names);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace satdof::gl
