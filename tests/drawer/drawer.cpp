// Draws command lines in one process: satdof_drawer < LINES
// A line has the arguments of a headless run, separated by tabs. The OpenGL context, the renderer and the threads are kept
// from one line to the next, and every OpenGL call is checked. Prints "status N" after each line, the exit status of the
// program with these arguments.
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "app/run/command_line.h"
#include "app/run/headless.h"
#include "app/run/program.h"

namespace {

satdof::CommandLine parsed(const std::string& text) {
  std::istringstream split(text);
  std::vector<std::string> words{"satdof"};
  for (std::string word; std::getline(split, word, '\t');) words.push_back(word);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return satdof::parse(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

int main() {
  std::optional<satdof::HeadlessSession> session;
  for (std::string text; std::getline(std::cin, text);) {
    const int status = satdof::exitStatus([&] {
      const satdof::CommandLine line = parsed(text);
      if (!session) session.emplace(true);
      session->run(line);
    });
    std::printf("status %d\n", status);
    std::fflush(stdout);
  }
}
