#include "app/lens/graph.h"

#include <gmock/gmock.h>

#include "app/gl/program.h"
#include "app/lens/bokeh/plan.h"
#include "app/lens/bokeh/sprites.h"
#include "app/lens/lens.h"
#include "tests/support/gl_fixture.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

// The first and the last step that uses each image.
struct Lifetime {
  std::size_t first = SIZE_MAX, last = 0;
};
std::vector<Lifetime> lifetimes(const LensGraph& graph) {
  std::vector<Lifetime> found(graph.images.size());
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    LensGraph one;
    one.steps = {graph.steps[i]};
    for (std::size_t image = 0; image < found.size(); ++image)
      if (one.uses(kLensInputs + static_cast<ImageId>(image))) {
        found[image].first = std::min(found[image].first, i);
        found[image].last = i;
      }
  }
  return found;
}

class LensGraphTest : public GlTest {
 protected:
  // Graphs of a lens for random settings.
  template <class Check>
  void forGraphs(const LensRow& row, const Check& check) {
    for (int i = 0; i < 200; ++i) {
      LensSettings lens{.focusDistanceM = uniform(0.3f, 9.0f), .fNumber = uniform(0.1f, 8.0f), .layers = 1 + i % 2};
      const SceneFacts scene{.size = {640, 360}, .nearestM = uniform(0.1f, 4.0f), .sparse = i % 7 == 0};
      const Technique technique{.lens = {row.kind, LensOn::openGl}};
      const LensFacts facts{lens, scene, 0, glm::vec4(0.0f), i % 3 != 0, i % 5 == 0};
      LensGraph graph = row.plan(technique, facts);
      check(graph);
      if (!row.bokeh) continue;
      addSprites(graph, facts, *row.bokeh, LensImage::blurred);
      check(graph);
    }
  }

 private:
  Uniform uniform{36};
};

TEST_F(LensGraphTest, ImagesThatShareABlockNeverLiveTogether) {
  std::size_t images = 0, blocks = 0;
  for (const LensRow& row : lenses()) {
    if (row.plan == nullptr) continue;
    forGraphs(row, [&](const LensGraph& graph) {
      const GraphMemory memory(graph);
      const auto lives = lifetimes(graph);
      for (std::size_t a = 0; a < lives.size(); ++a) {
        if (memory.blockOf[a] < 0) continue;
        ++images;
        ASSERT_EQ(memory.blocks[static_cast<std::size_t>(memory.blockOf[a])], graph.images[a]);
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_TRUE(memory.blockOf[a] != memory.blockOf[b] || lives[a].last < lives[b].first ||
                      lives[b].last < lives[a].first)
              << a << " " << b;
      }
      blocks += memory.blocks.size();
    });
  }
  EXPECT_LT(blocks, images) << "no image shares a block";
}

TEST_F(LensGraphTest, StepsReadOnlyWhatEarlierStepsWrote) {
  for (const LensRow& row : lenses()) {
    if (row.plan == nullptr) continue;
    forGraphs(row, [&](const LensGraph& graph) {
      std::vector<bool> written(kLensInputs + graph.images.size(), false);
      for (ImageId id = 0; id < kOutput; ++id) written[static_cast<std::size_t>(id)] = true;
      const auto expectWritten = [&](ImageId id) {
        EXPECT_TRUE(id == kNoImage || written[static_cast<std::size_t>(id)]) << id;
      };
      const auto write = [&](ImageId id) {
        if (id != kNoImage) written[static_cast<std::size_t>(id)] = true;
      };
      for (const LensStep& step : graph.steps)
        if (const auto* pass = std::get_if<PassStep>(&step)) {
          for (const ImageId id : pass->reads) expectWritten(id);
          for (const ImageId id : pass->writes) write(id);
        } else if (const auto* scatter = std::get_if<ScatterStep>(&step)) {
          expectWritten(scatter->colour);
          expectWritten(scatter->depth);
          write(scatter->table);
        } else if (const auto* collect = std::get_if<CollectStep>(&step)) {
          expectWritten(collect->colour);
          expectWritten(collect->depth);
          write(collect->reduced);
        } else if (const auto* sprites = std::get_if<SpritesStep>(&step)) {
          expectWritten(kOutput);
          expectWritten(sprites->backColour);
        } else {
          const auto& table = std::get<TableStep>(step);
          expectWritten(table.image);
          write(table.table);
        }
      EXPECT_TRUE(written[kOutput]);
    });
  }
}

// At 4K, each layer of the layered lens has a table of 127 MiB. The scatters of all layers share scratch memory.
TEST_F(LensGraphTest, ASecondLayerTakesThreeTablesMore) {
  const auto plan = std::ranges::find(lenses(), LensKind::layered, &LensRow::kind)->plan;
  const glm::ivec2 size(3840, 2160);
  LensSettings lens{.fNumber = 0.1f};
  const double one = bytesOf(plan({}, {.lens = lens, .scene = {.size = size}, .secondLayer = true}), size);
  lens.layers = 2;
  const double two = bytesOf(plan({}, {.lens = lens, .scene = {.size = size}, .secondLayer = true}), size);
  const double table = 16.0 * size.x * size.y;
  EXPECT_GT(two - one, 3.0 * table);
  EXPECT_LT(two - one, 6.0 * table);
  RecordProperty("mebibytes", std::to_string(two / 1048576.0));
}

TEST_F(LensGraphTest, SpritesTakeTheirLightFromEveryLayerOnce) {
  for (const LensRow& row : lenses()) {
    if (row.plan == nullptr || !row.bokeh) continue;
    forGraphs(row, [&](const LensGraph& graph) {
      const auto sprites = std::ranges::find_if(
          graph.steps, [](const LensStep& step) { return std::holds_alternative<SpritesStep>(step); });
      if (sprites == graph.steps.end()) return;
      std::vector<ImageId> collected;
      for (const LensStep& step : graph.steps)
        if (const auto* collect = std::get_if<CollectStep>(&step)) collected.push_back(collect->colour);
      EXPECT_EQ(std::get<SpritesStep>(*sprites).rules.size(), collected.size());
      EXPECT_LE(collected.size(), kMaxSpriteLayers);
      for (const LensStep& step : graph.steps)
        if (const auto* pass = std::get_if<PassStep>(&step)) {
          for (const ImageId id : pass->reads) EXPECT_THAT(collected, testing::Not(testing::Contains(id)));
        }
    });
  }
}

TEST_F(LensGraphTest, ImagesOfPassesHaveNoSprites) {
  const LensSettings lens;
  for (const LensImage image : {LensImage::nearCoverage, LensImage::fill, LensImage::layers, LensImage::weights,
                                LensImage::blurred, LensImage::sprites}) {
    const LensFacts facts{.lens = lens, .scene = {.size = {64, 48}}};
    LensGraph graph = lensOf(LensKind::layered).plan({}, facts);
    addSprites(graph, facts, NearField::scattered, image);
    const auto* sprites = std::get_if<SpritesStep>(&graph.steps.back());
    EXPECT_EQ(sprites != nullptr, image == LensImage::blurred || image == LensImage::sprites);
    if (sprites != nullptr) {
      EXPECT_EQ(sprites->rules.front().alone != 0, image == LensImage::sprites);
    }
  }
}

// The uniform block of each pass has the size of its struct.
TEST_F(LensGraphTest, RulesHaveTheLayoutOfTheirUniformBlocks) {
  const auto sizes = []<class... Rules>(std::variant<Rules...>*) {
    return std::vector<std::pair<const char*, std::size_t>>{{rowOf(PassRule(Rules{})).shader, sizeof(Rules)}...};
  }(static_cast<PassRule*>(nullptr));
  int checked = 0;
  for (const auto& [shader, bytes] : sizes) {
    if (shader == nullptr || bytes == 1) continue;  // an empty struct has no block
    const gl::Program program({std::string(shader) + ".comp"},
                              shader == std::string("lens/box/box")
                                  ? gl::Defines{{"TableSampler", "usampler2D"}, {"TableElement", "uvec4"}}
                                  : gl::Defines{});
    const GLuint block = glGetUniformBlockIndex(program.name(), "Rule");
    ASSERT_NE(block, GL_INVALID_INDEX) << shader;
    GLint size = 0;
    glGetActiveUniformBlockiv(program.name(), block, GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    EXPECT_EQ(static_cast<std::size_t>(size), bytes) << shader;
    ++checked;
  }
  EXPECT_EQ(checked, 8);
  const auto expectSize = [](const gl::Program& program, std::size_t bytes) {
    GLint size = 0;
    glGetActiveUniformBlockiv(program.name(), glGetUniformBlockIndex(program.name(), "Rule"),
                              GL_UNIFORM_BLOCK_DATA_SIZE, &size);
    EXPECT_EQ(static_cast<std::size_t>(size), bytes);
  };
  expectSize(gl::Program({"bokeh/reduce.comp"}), sizeof(BokehRule));
  expectSize(gl::Program({"bokeh/draw.vert", "bokeh/draw.frag"}, {{"SPRITES_PER_ROW", "1"}}), sizeof(SpriteRule));
}

}  // namespace
}  // namespace satdof::test
