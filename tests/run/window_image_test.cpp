#include "app/run/window/window_image.h"

#include <gtest/gtest.h>

#include "tests/support/gl_fixture.h"
#include "tests/support/small_renders.h"

namespace satdof {
namespace {

class WindowImageTest : public GlTest {
 protected:
  WindowImageTest() {
    session_.settings = test::smallTeapots();
    session_.settings.lens.autofocus = false;
    session_.settings.scene.animate = false;
    session_.settings.technique.device = DeviceId::cpuSequential;
  }

  // The capture of a window that shows the view.
  std::vector<unsigned char> capturedWith(View view, CaptureOptions options = {}) {
    session_.settings.technique.view = view;
    WindowImage image(session_, false, [] { return false; });
    image.choose(false, false);
    image.draw(session_.settings, 0, glm::vec2(0.5f), false, timings_);
    std::vector<unsigned char> file;
    image.capture(std::move(options), 0,
                  [&](Renderer& renderer, const Settings& settings, const CaptureOptions& taken) {
                    file = captureRgb(renderer, settings, 0, taken);
                  });
    return file;
  }

  Session session_;
  Timings timings_;
};

TEST_F(WindowImageTest, CapturesLackTheMarksOfTheWindow) {
  for (const bool adapts : {false, true}) {
    session_.settings.quality.adaptive = adapts;
    const auto plain = capturedWith(View::final);
    for (const View marked : {View::peaking, View::focusPlane}) {
      EXPECT_TRUE(capturedWith(marked) == plain) << adapts;
      EXPECT_FALSE(capturedWith(marked, {.drawOver = [](GLuint, glm::ivec2) {}}) == plain) << "with the panels";
    }
  }
}

}  // namespace
}  // namespace satdof
