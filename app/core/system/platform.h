#pragma once
#include <cstdio>
#include <filesystem>
#include <functional>

// Functions with one implementation for each operating system.
namespace satdof {

// Returns the path of the executable.
std::filesystem::path programFile();

// Returns the home folder of the user; empty if it is unknown.
std::filesystem::path userHome();

// Return the XDG base folders of the user; empty if there is none.
std::filesystem::path userConfigFolder();
std::filesystem::path userStateFolder();
std::filesystem::path userCacheFolder();

// Call before OpenGL starts. Disables the shader cache of Mesa on a full disk, where it would end the program by
// SIGBUS, and ignores a relative XDG_CACHE_HOME, which would put the cache into the working directory.
void placeShaderCache();

// Calls run() with stacks of 8 MiB for all threads, even if the limit (ulimit -s) is lower. Runs it on a new thread if
// the stack of the first thread cannot grow.
void runWithUsualStacks(const std::function<void()>& run);

// Call first. Opens the closed ones of standard input, output and error, so that no file gets their descriptors; using
// them fails.
void reserveStandardStreams();

// Ignores SIGPIPE: the program continues when the reader of standard output or error ends. Child processes get the
// default.
void ignoreBrokenPipes();

// Whether `file` is a terminal.
bool isTerminal(std::FILE* file);

}  // namespace satdof
