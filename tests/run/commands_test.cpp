#include "app/run/window/commands.h"

#include <gmock/gmock.h>

namespace satdof {
namespace {

std::vector<Command> due(std::vector<CommandRequest>& requests, bool drawn) {
  std::vector<Command> taken;
  while (const auto request = takeDue(requests, drawn)) taken.push_back(request->command);
  return taken;
}

TEST(Commands, ThoseThatNeedTheImageWaitUntilItIsDrawn) {
  std::vector<CommandRequest> requests;
  for (const Command command : {Command::saveImage, Command::undo, Command::saveLab, Command::saveImageAs,
                                Command::quit, Command::setFocusKeys, Command::saveSlowMotion})
    requests.push_back({command});
  EXPECT_THAT(due(requests, false), testing::ElementsAre(Command::undo, Command::saveImageAs, Command::quit));
  EXPECT_THAT(due(requests, true), testing::ElementsAre(Command::saveImage, Command::saveLab, Command::setFocusKeys,
                                                        Command::saveSlowMotion));
  EXPECT_THAT(requests, testing::IsEmpty());
}

TEST(Commands, KeepTheirArguments) {
  std::vector<CommandRequest> requests{{.command = Command::stepPhotos, .number = -2}};
  EXPECT_EQ(takeDue(requests, false)->number, -2);
}

}  // namespace
}  // namespace satdof
