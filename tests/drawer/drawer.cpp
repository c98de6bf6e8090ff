// Draws command lines in one process: satdof_drawer < LINES
// A line has the arguments of a headless run, separated by tabs. The OpenGL context, the renderer and the threads are
// kept from one line to the next, and every OpenGL call is checked. Prints "status N" after each line, the exit status
// of the program with these arguments.
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "app/run/headless/headless.h"
#include "app/run/program.h"
#include "tests/support/parsed.h"

namespace {

satdof::CommandLine lineOf(const std::string& text) {
  std::istringstream split(text);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(split, argument, '\t');) arguments.push_back(argument);
  return satdof::test::parsed(std::move(arguments));
}

}  // namespace

int main() {
  std::optional<satdof::HeadlessSession> session;
  for (std::string text; std::getline(std::cin, text);) {
    const int status = satdof::exitStatus([&] {
      const satdof::CommandLine line = lineOf(text);
      if (!session) session.emplace(true);
      session->run(line);
    });
    std::printf("status %d\n", status);
    std::fflush(stdout);
  }
}
