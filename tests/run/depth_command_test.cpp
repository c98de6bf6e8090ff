#include "app/run/system/depth_command.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "app/core/files/files.h"
#include "app/core/usage_error.h"
#include "app/io/depth_image.h"
#include "tests/support/environment.h"
#include "tests/support/files_fixture.h"
#include "tests/support/process.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kDepth = "Pf\\n1 1\\n-1\\n\\000\\000\\200\\077";  // 1 m, for printf

class DepthCommandTest : public FilesTest {
 protected:
  fs::path cache() const { return folder_ / "cache"; }
  fs::path photo(const std::string& name = "my photo.png") const { return file(name, png()); }

  // A command that runs a shell script with the photograph as $1 and the depth as $2.
  DepthCommand tool(const std::string& script) const {
    return depthCommand("", "sh '" + file("tool.sh", script).string() + "' {image} {depth.pfm}");
  }
  fs::path writes(const std::string& more = "") const {
    return run("printf '" + std::string(kDepth) + "' > \"$2\"; " + more);
  }
  fs::path run(const std::string& script, const ToolWatch& watch = {}) const {
    return estimatedDepth(tool(script), photo(), watch);
  }
  std::string failure(const std::string& script, const ToolWatch& watch = {}) const {
    const std::string reason = test::reasonOf([&] { run(script, watch); });
    EXPECT_TRUE(isEmpty()) << "nothing is kept";
    return reason;
  }
  bool isEmpty() const { return !fs::exists(cache() / "satdof/depth") || fs::is_empty(cache() / "satdof/depth"); }

  const test::Environment cache_{"XDG_CACHE_HOME", cache()};
};

TEST(DepthCommand, WordsAreQuotedAsInAShell) {
  const DepthCommand command = depthCommand("", "tool  'a b' --in={image} \"\" {depth.exr}x 'it'\"'\"s");
  EXPECT_THAT(command.words, ElementsAre("tool", "a b", "--in={image}", "", "{depth}x", "it's"));
  EXPECT_EQ(command.extension, ".exr");
  EXPECT_EQ(depthCommand("", "t {image} {depth}").extension, ".png");
  for (const char* const bad : {"", "tool", "tool {image}", "tool {depth}", "tool {image} {depthpng}",
                                "tool {image} {depth./a}", "tool '{image} {depth}"})
    EXPECT_THROW(depthCommand("--depth-command", bad), UsageError) << bad;
}

TEST_F(DepthCommandTest, TheDepthIsKeptForThePhotographAndTheCommand) {
  EXPECT_EQ(cachedDepth(tool("exit 1"), photo()), "");
  const std::string counts = "echo run >> " + (folder_ / "runs").string();
  const fs::path depth = writes(counts);
  EXPECT_EQ(readDepth(depth).values, std::vector<float>{1.0f});
  EXPECT_EQ(depth.parent_path(), cache() / "satdof/depth");
  EXPECT_EQ(writes(counts), depth);
  EXPECT_EQ(readWholeFile(folder_ / "runs", 100), "run\n") << "once";

  std::ofstream(depth) << "damaged";
  EXPECT_EQ(writes(counts), depth);
  EXPECT_EQ(readDepth(depth).values, std::vector<float>{1.0f});

  const DepthCommand command = depthCommand("", "sh '" + (folder_ / "tool.sh").string() + "' {image} {depth.pfm}");
  fs::rename(photo(), folder_ / "renamed.png");
  EXPECT_EQ(cachedDepth(command, folder_ / "renamed.png"), depth);
  EXPECT_EQ(cachedDepth(command, file("other.png", png({{"a", "b"}}))), "");
  EXPECT_EQ(cachedDepth(depthCommand("", "other {image} {depth.pfm}"), folder_ / "renamed.png"), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(cache() / "satdof/depth"), {}), 1) << "no work is left";
}

TEST_F(DepthCommandTest, AnotherScriptOrNetworkGivesAnotherDepth) {
  const std::string script = "printf '" + std::string(kDepth) + "' > \"$2\"", image = photo().string();
  const fs::path net = file("net.onnx", "one");
  const std::string words = "sh '" + file("tool.sh", script).string() + "' {image} {depth.pfm} ";
  for (const std::string& named : {"--model=" + net.string(), "--log " + net.string()}) {
    const DepthCommand command = depthCommand("", words + named);
    const fs::path kept = estimatedDepth(command, image, {});
    EXPECT_EQ(cachedDepth(command, image), kept);
    file("net.onnx", "another");
    EXPECT_EQ(cachedDepth(command, image), "");
    file("net.onnx", "one");
    EXPECT_EQ(cachedDepth(command, image), kept);
    file("tool.sh", script + " ");
    EXPECT_EQ(cachedDepth(command, image), "");
    file("tool.sh", script);
  }
  const fs::path before = fs::current_path();
  for (const char* const each : {"a", "b"}) file(std::string(each) + "/tool.sh", script + "; : " + each);
  const DepthCommand relative = depthCommand("", "sh tool.sh {image} {depth.pfm}");
  fs::current_path(folder_ / "a");
  estimatedDepth(relative, image, {});
  fs::current_path(folder_ / "b");
  EXPECT_EQ(cachedDepth(relative, image), "") << "another folder has another script";
  fs::current_path(before);
}

TEST_F(DepthCommandTest, TheDepthOfAReplacedPhotographIsNotKept) {
  const std::string other = file("other.png", png({{"a", "b"}})).string();
  EXPECT_THAT(failure("printf '" + std::string(kDepth) + "' > \"$2\"; cp '" + other + "' \"$1\""),
              HasSubstr("changed"));
}

TEST_F(DepthCommandTest, TheLastLinesAreReported) {
  std::string told;
  run("echo one; echo two >&2; printf '10%%\\r20%%\\n'; echo four; printf '" + std::string(kDepth) +
          "' > \"$2\"; sleep 0.3",
      {.onOutput = [&](const std::string& lines) { told = lines; }});
  EXPECT_EQ(told, "two\n20%\nfour");
}

TEST_F(DepthCommandTest, FailuresSayWhy) {
  EXPECT_THAT(failure("echo no model >&2; exit 3"), HasSubstr("failed (status 3): no model"));
  EXPECT_THAT(failure("kill -9 $$"), HasSubstr("failed (signal 9): it gave no reason"));
  EXPECT_THAT(failure("exit 0"), HasSubstr("wrote no depth"));
  EXPECT_THAT(failure("echo garbage > \"$2\""), HasSubstr("cannot read depth"));
  EXPECT_THAT(failure("printf 'Pf\\n1 1\\n-1\\n\\000\\000\\300\\177' > \"$2\""),
              HasSubstr("no pixel has a valid depth"));
  EXPECT_THAT(failure("ln -s /dev/zero \"$2\""), HasSubstr("not an ordinary file"));
  EXPECT_THAT(failure("mkfifo \"$2\""), HasSubstr("not an ordinary file"));
  EXPECT_THAT(failure("truncate -s 3G \"$2\"; sleep 60"), HasSubstr("more than 2048 MiB"));
  EXPECT_THAT(failure("printf '\\033[31mred\\n'; exit 1"),
              testing::AllOf(HasSubstr("failed (status 1)"), testing::Not(HasSubstr("\033"))));
  EXPECT_THAT(test::reasonOf([&] { estimatedDepth(depthCommand("", "/nowhere/tool {image} {depth}"), photo(), {}); }),
              HasSubstr("does not start"));
}

TEST_F(DepthCommandTest, HangingProgramsEndWithTheirChildren) {
  const fs::path pid = folder_ / "pid";
  const std::string hang = "sleep 1000 & echo $! > '" + pid.string() + "'; trap '' TERM INT HUP; wait";
  EXPECT_THAT(failure(hang, {.silentS = 0.5}), HasSubstr("made no progress for 0.5 s"));
  std::stop_source stop;
  std::jthread stopper([&] {
    while (!fs::exists(pid)) std::this_thread::yield();
    stop.request_stop();
  });
  fs::remove(pid);
  EXPECT_THROW(run(hang, {.stop = stop.get_token()}), ToolStopped);
  for (int i = 0; i < 100 && test::isRunning(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(test::isRunning(pid));
  EXPECT_TRUE(isEmpty());
}

TEST_F(DepthCommandTest, ProgramsOfAKilledProgramEndWithTheirChildren) {
  const fs::path pid = folder_ / "pid";
  const pid_t killed = fork();
  if (killed == 0) {
    run("sleep 1000 & echo $! > '" + pid.string() + "'; trap '' TERM INT HUP; wait");
    _exit(0);
  }
  while (!fs::exists(pid) || fs::is_empty(pid)) std::this_thread::yield();
  ASSERT_TRUE(test::isRunning(pid));
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  while (test::isRunning(pid)) std::this_thread::yield();  // else until the test's time limit
}

TEST_F(DepthCommandTest, AFloodOfOutputIsCut) {
  std::size_t most = 0;
  const std::string flood =
      "head -c 30000000 /dev/zero | tr '\\0' 'x' | fold -w 2000; printf '" + std::string(kDepth) + "' > \"$2\"";
  run(flood, {.onOutput = [&](const std::string& lines) { most = std::max(most, lines.size()); }});
  EXPECT_LT(most, 5000u);
}

}  // namespace
}  // namespace satdof
