#include <cstdlib>
#include <exception>

#include "app/core/files/file_timeout.h"
#include "app/core/system/platform.h"
#include "app/run/program.h"
#include "app/run/system/crash.h"

int main(int argc, char** argv) {
  satdof::reserveStandardStreams();
  try {
    satdof::reportCrashes(satdof::stateFolder());
  } catch (const std::exception&) {  // the program runs without reports
  }
  int status = 0;
  satdof::runWithUsualStacks([&] { status = satdof::runProgram(argc, argv); });
  if (satdof::unfinishedJobs > 0) std::_Exit(status);  // they use what an ordinary end destroys
  return status;
}
