#include <sys/wait.h>

#include <stdexcept>

#include "app/core/text/foreign_text.h"
#include "app/run/system/pipes_linux.h"
#include "app/run/system/tool.h"

namespace satdof {

std::string runTool(const std::vector<std::string>& command, const ToolWatch& watch) {
  constexpr std::size_t kLines = 3;
  PipedChild tool(command, {}, watch.errorsApart);
  StallTimer stall(watch.stop, watch.silentS);
  int status = 0;
  try {
    status = tool.finish(stall, [&](bool grown) {
      if (grown) stall.renew();
      if (watch.onOutput) watch.onOutput(tool.output().lastLines(kLines));
    });
  } catch (const StopRequested&) {
    throw ToolStopped();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(command[0] + " " + error.what());
  }
  if (status == 0) return tool.errors().lastLines(1);
  const std::string how = WIFEXITED(status) ? "status " + std::to_string(WEXITSTATUS(status))
                                            : "signal " + std::to_string(WTERMSIG(status));
  throw std::runtime_error(command[0] + " failed (" + how + "): " +
                           excerpt((tool.errors().text().empty() ? tool.output() : tool.errors()).lastLine(), 300));
}

}  // namespace satdof
