#include "app/run/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/lens/presets.h"
#include "app/run/command_line/command_line.h"
#include "app/run/command_line/inputs_kept.h"
#include "app/run/command_line/listing.h"
#include "app/run/headless/headless.h"
#include "app/run/headless/lab.h"
#include "app/run/headless/trace.h"
#include "app/run/system/headless_context.h"
#include "app/run/system/portal_dialog.h"
#include "app/run/window/window.h"

namespace satdof {

namespace {

// Throws if text printed so far did not reach standard output: a full disk, a closed pipe.
void requirePrinted() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error(std::string("cannot write standard output: ") + std::strerror(errno));
}

void print(const Notes& notes) {
  for (const std::string& note : notes) std::fprintf(stderr, "satdof: note: %s\n", printable(note).c_str());
}

void run(const CommandLine& line) {
  placeShaderCache();
  print(line.notes);
  if (line.help) {
    std::fputs(helpText().c_str(), stdout);
  } else if (line.version) {
    std::puts("satdof " SATDOF_VERSION);
  } else if (line.list) {
    const HeadlessContext context(line.glDebug);
    std::fputs(listing().c_str(), stdout);
  } else if (line.formats) {
    std::fputs(formatTables().c_str(), stdout);
  } else if (line.inputs) {
    std::fputs(inputsListing(line).c_str(), stdout);
  } else if (!line.saveLens.empty()) {
    print(saveLensPreset(line.settings(), line.saveLens));
  } else if (!line.lab.empty() || !line.share.empty()) {
    runLab(line);
  } else if (!line.trace.empty()) {
    runTrace(line);
  } else if (line.headless) {
    runHeadless(line);
  } else {
    runWindow(line);
  }
}

}  // namespace

int runProgram(int argc, const char* const* argv) {
  if (const auto status = portalDialog(argc, argv)) return *status;
  return exitStatus([&] { run(parse(argc, argv)); });
}

int exitStatus(const std::function<void()>& run) try {
  run();
  requirePrinted();
  return 0;
} catch (const UsageError& error) {
  std::fprintf(stderr, "satdof: %s\n", printable(error.what()).c_str());
  return 2;
} catch (const std::bad_alloc&) {
  std::fputs("satdof: out of memory; use a smaller --size\n", stderr);
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "satdof: %s\n", printable(error.what()).c_str());
  return 1;
}

}  // namespace satdof
