#pragma once
#include <cstdio>
#include <filesystem>
#include <functional>

// What each operating system tells in its own way.
namespace satdof {

// The file of this program.
std::filesystem::path programFile();

// The folder of this user; empty if it is unknown.
std::filesystem::path userHome();

// The folder in which programs keep the settings of this user; empty if there is none.
std::filesystem::path userConfigFolder();

// The folder in which programs keep what they know of their last runs; empty if there is none.
std::filesystem::path userStateFolder();

// The folder for files of this user that can be made again; empty if there is none.
std::filesystem::path userCacheFolder();

// Call before OpenGL starts: makes Mesa leave a full disk alone, on which its shader cache would end the program by SIGBUS, and
// the working folder, where a relative XDG_CACHE_HOME would put it.
void placeShaderCache();

// Calls `run` where the stacks of all threads have the usual size, even if the limit is lower: on a thread of its own if the first
// one may not grow.
void runWithUsualStacks(const std::function<void()>& run);

// Call first: holds the numbers of standard input, output and error that are closed, so that no file gets one; using them fails.
void reserveStandardStreams();

// Goes on where nobody reads standard output or error any more; a program that Child starts does not.
void ignoreBrokenPipes();

// Whether a person reads what is written to `file`.
bool isTerminal(std::FILE* file);

}  // namespace satdof
