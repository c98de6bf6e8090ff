#include "app/run/crash.h"
#include "app/run/program.h"

int main(int argc, char** argv) {
  satdof::reportCrashes(satdof::stateFolder());
  return satdof::runProgram(argc, argv);
}
