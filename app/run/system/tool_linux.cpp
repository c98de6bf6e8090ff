#include <sys/wait.h>

#include <stdexcept>
#include <utility>

#include "app/core/text/foreign_text.h"
#include "app/run/system/child_linux.h"
#include "app/run/system/pipes_linux.h"
#include "app/run/system/tool.h"

namespace satdof {

std::string runTool(const std::vector<std::string>& command, const ToolWatch& watch) {
  constexpr std::size_t kLines = 3;
  auto [end, endOfChild] = makePipe();
  auto [errorsEnd, errorsOfChild] = makePipe();
  Child child(command, {{endOfChild.get(), STDOUT_FILENO},
                        {(watch.errorsApart ? errorsOfChild : endOfChild).get(), STDERR_FILENO}});
  endOfChild = Descriptor();
  errorsOfChild = Descriptor();
  PipeText output(std::move(end)), errors(std::move(errorsEnd));
  StallTimer stall(watch.stop, watch.silentS);
  std::optional<int> status;
  try {
    while (!(status = child.status())) {
      errors.read();
      if (output.read()) stall.renew();
      if (watch.onOutput) watch.onOutput(output.lastLines(kLines));
      stall.wait({{output.descriptor(), POLLIN, 0}});
    }
  } catch (const StopRequested&) {
    throw ToolStopped();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(command[0] + " " + error.what());
  }
  output.read();
  errors.read();
  if (*status == 0) return errors.lastLines(1);
  const std::string how = WIFEXITED(*status) ? "status " + std::to_string(WEXITSTATUS(*status))
                                             : "signal " + std::to_string(WTERMSIG(*status));
  throw std::runtime_error(command[0] + " failed (" + how +
                           "): " + excerpt((errors.text().empty() ? output : errors).lastLine(), 300));
}

}  // namespace satdof
