#pragma once
#include <string>
#include <vector>

#include "app/run/command_line/command_line.h"

namespace satdof::test {

// The command line `satdof ARGUMENTS...`. Throws like parse().
inline CommandLine parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "satdof");
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  return parse(static_cast<int>(words.size()), words.data());
}

}  // namespace satdof::test
