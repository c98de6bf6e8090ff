#include "app/views/table_cursor.h"

#include <gmock/gmock.h>

#include "app/render/renderer.h"
#include "tests/support/lens_fixture.h"
#include "tests/support/small_renders.h"
#include "tests/support/uniform.h"

namespace satdof::test {
namespace {

using testing::HasSubstr;

// The words of the element before (x, y), or 0 at the edges.
glm::uvec4 wordsBefore(const Table& table, const std::vector<glm::uvec4>& words, glm::ivec2 corner) {
  if (std::min(corner.x, corner.y) == 0) return glm::uvec4(0);
  const glm::ivec2 at = corner - 1;
  return words[table.transposed ? std::size_t(at.x) * std::size_t(table.size.y) + std::size_t(at.y)
                                : std::size_t(at.y) * std::size_t(table.size.x) + std::size_t(at.x)];
}

std::vector<glm::uvec4> wordsOf(const Table& table) {
  std::vector<glm::uvec4> words(std::size_t(table.size.x) * std::size_t(table.size.y));
  const auto bytes = GLsizei(words.size() * sizeof(glm::uvec4));
  const bool integers = table.format == TableFormat::uint32;
  glGetTextureImage(table.texture->name(), 0, integers ? GL_RGBA_INTEGER : GL_RGBA,
                    integers ? GL_UNSIGNED_INT : GL_FLOAT, bytes, words.data());
  return words;
}

class TableCursorTest : public GlTest {
 protected:
  TableCursorTest() {
    lens.focusDistanceM = 2.0f;
    lens.focalLengthMm = 400.0f;
    lens.fNumber = 1.0f;
  }
  // A random image with one radius.
  Image imageOf(float radiusPx) {
    const auto coc = thinLens(lens, size.y, 0.1f);
    Uniform uniform(7);
    return Image(
        size, [&] { return glm::vec4(uniform(0, 1), uniform(0, 1), uniform(0, 1), 1.0f); },
        [&] { return (radiusPx - coc.beta) / coc.alpha; });
  }
  // Returns the table of the last frame. Its words arrive with a later one.
  Table drawUntilRead(TableCursor& cursor, Lens& from, LensKind kind, const Image& image, const gl::Target& output,
                      glm::ivec2 at) {
    Table table;
    for (int i = 0; i < 3; ++i) {
      table = from.draw({.scene = image.frame, .lens = lens, .wantsTable = true}, output, timings).table;
      cursor.read(image.frame, lens, lensOf(kind), table, at, false);
      glFinish();
    }
    return table;
  }
  const glm::ivec2 size{97, 61};
  LensSettings lens;
  Timings timings;
};

TEST_F(TableCursorTest, ReadsTheWordsOfTheTableOfEveryDevice) {
  for (const Device& device : devices()) {
    if (!availability(device.id).available) continue;
    for (const TableFormat format : {TableFormat::uint32, TableFormat::float32}) {
      SCOPED_TRACE(std::string(name(device.id)) + ", " + name(format));
      const Technique technique{.device = device.id,
                                .table = {.format = format},
                                .lens = {.kind = LensKind::box},
                                .bokeh = {.enabled = false}};
      const auto box = makeLens(resolve(technique));
      box->resize(size);
      const gl::Target output(size);
      TableCursor cursor;
      for (const auto& [radius, at] : {std::pair(7.3f, glm::ivec2(40, 30)), std::pair(-12.1f, glm::ivec2(3, 58)),
                                       std::pair(3.0f, glm::ivec2(96, 0))}) {
        SCOPED_TRACE(radius);
        const Image image = imageOf(radius);
        const Table table = drawUntilRead(cursor, *box, LensKind::box, image, output, at);
        ASSERT_NE(table.texture, nullptr);
        ASSERT_TRUE(cursor.reading());
        const TableReading& reading = *cursor.reading();
        const auto words = wordsOf(table);
        EXPECT_EQ(reading.pixel, at);
        EXPECT_TRUE(reading.blurs);
        EXPECT_NEAR(reading.radiusPx, radius, 1e-3f);
        EXPECT_EQ(reading.element, wordsBefore(table, words, at + 1));
        const int n = int(glsl::boxHalfWidth(radius) - 0.5f);
        for (const auto& [of, reach] : {std::pair(reading.inner, n), {reading.outer, n + 1}}) {
          EXPECT_EQ(of.from, glm::max(at - reach, glm::ivec2(0)));
          EXPECT_EQ(of.to, glm::min(at + reach + 1, size));
          for (const auto corner : {TableBox::a, TableBox::b, TableBox::c, TableBox::d})
            EXPECT_EQ(of.corners[corner], wordsBefore(table, words, of.at(corner))) << corner;
        }
        // What the lens shows, in half floats.
        const glm::vec4 shown = download(output.texture)[std::size_t(at.y) * std::size_t(size.x) + std::size_t(at.x)];
        for (int i = 0; i < 4; ++i) EXPECT_NEAR(meanOf(reading)[i], shown[i], 1e-3f);
      }
    }
  }
}

// The table of the layered lens holds weighted light in its own fixed-point units.
TEST_F(TableCursorTest, DecodesTheTableOfTheLayeredLens) {
  const Technique technique = resolve({.device = DeviceId::glCompute, .lens = {.kind = LensKind::layered}});
  const auto layered = makeLens(technique);
  layered->resize(size);
  const gl::Target output(size);
  const auto coc = thinLens(lens, size.y, 0.1f);
  const Image image(
      size, [] { return glm::vec4(0.25f, 0.5f, 0.75f, 1.0f); }, [&] { return (7.3f - coc.beta) / coc.alpha; });
  TableCursor cursor;
  drawUntilRead(cursor, *layered, LensKind::layered, image, output, {40, 30});
  ASSERT_TRUE(cursor.reading());
  EXPECT_FALSE(cursor.reading()->isMean);
  const glm::vec4 mean = meanOf(*cursor.reading());
  EXPECT_GT(mean.b, 0.01f);
  EXPECT_LT(mean.b, 0.76f) << "a weight is at most 1";
  EXPECT_NEAR(mean.r / mean.b, 1.0f / 3.0f, 1e-2f);
  EXPECT_NEAR(mean.g / mean.b, 2.0f / 3.0f, 1e-2f);
}

TEST_F(TableCursorTest, NoBoxInFocusOrWithoutATable) {
  const Technique technique{.device = DeviceId::cpu, .lens = {.kind = LensKind::box}};
  const auto box = makeLens(resolve(technique));
  box->resize(size);
  const gl::Target output(size);
  const Image image = imageOf(0.0f);
  TableCursor cursor;
  drawUntilRead(cursor, *box, LensKind::box, image, output, {5, 5});
  ASSERT_TRUE(cursor.reading());
  EXPECT_FALSE(cursor.reading()->blurs);
  EXPECT_NE(cursor.reading()->element, glm::uvec4(0));
  cursor.read(image.frame, lens, lensOf(LensKind::box), {}, {5, 5}, false);
  EXPECT_FALSE(cursor.reading());
}

// The words of a pixel of an unchanged image are read once. The words of another pixel arrive some frames later.
TEST_F(TableCursorTest, PendingUntilTheWordsOfThePixelArrive) {
  const Technique technique{.device = DeviceId::cpu, .lens = {.kind = LensKind::box}};
  const auto box = makeLens(resolve(technique));
  box->resize(size);
  const gl::Target output(size);
  const Image image = imageOf(5.0f);
  const Table table = box->draw({.scene = image.frame, .lens = lens, .wantsTable = true}, output, timings).table;
  TableCursor cursor;
  const auto readAt = [&](glm::ivec2 at) {
    int calls = 0;
    do {
      cursor.read(image.frame, lens, lensOf(LensKind::box), table, at, calls > 0);
      glFinish();
    } while (cursor.pending() && ++calls < 10);
    EXPECT_LT(calls, 3);
    return cursor.reading().value();
  };
  EXPECT_EQ(readAt({30, 30}).pixel, glm::ivec2(30, 30));
  EXPECT_EQ(readAt({50, 20}).pixel, glm::ivec2(50, 20));
}

TEST_F(TableCursorTest, TheRendererReportsTheSideUnderTheCursor) {
  Renderer renderer;
  Settings settings = smallTeapots();
  settings.technique = {.device = DeviceId::cpu, .lens = {.kind = LensKind::box}, .view = View::table};
  settings.split.b = settings.technique;
  settings.split.b.view = View::final;
  const auto at = [&](glm::vec2 cursor) {
    FrameResult result;
    for (int i = 0; i < 4; ++i) {
      result = renderer.render(settings, {.timeS = 0, .focusAt = {}, .cursor = cursor}, timings);
      glFinish();
    }
    return result;
  };
  const FrameResult low = at({0.25f, 0.02f});
  EXPECT_THAT(low.atCursor, HasSubstr("fixed point\t"));
  EXPECT_THAT(low.atCursor, HasSubstr("S = D - B - C + A\t"));
  ASSERT_TRUE(low.marks);
  EXPECT_TRUE(low.marks->marksOrigin);
  ASSERT_TRUE(low.marks->pixel);
  EXPECT_NEAR((*low.marks->pixel)[0].x, 0.25f, 1.0f / 96);
  ASSERT_TRUE(low.marks->box);
  EXPECT_LE((*low.marks->box)[0].x, 0.25f);
  EXPECT_GE((*low.marks->box)[1].x, 0.25f);
  settings.split.enabled = true;
  EXPECT_TRUE(at({0.25f, 0.02f}).marks);
  EXPECT_FALSE(at({0.75f, 0.02f}).marks);
  EXPECT_EQ(at({0.75f, 0.02f}).atCursor, "");
  settings.split.enabled = false;
  settings.technique.view = View::footprint;
  const FrameResult footprint = at({0.25f, 0.02f});
  EXPECT_THAT(footprint.atCursor, HasSubstr("8 look-ups"));
  EXPECT_THAT(footprint.atCursor, HasSubstr("S = D - B - C + A\t"));
  ASSERT_TRUE(footprint.marks);
  EXPECT_FALSE(footprint.marks->marksOrigin);
  EXPECT_TRUE(footprint.marks->box);
}

}  // namespace
}  // namespace satdof::test
