#include "app/run/program.h"

int main(int argc, char** argv) { return satdof::runProgram(argc, argv); }
