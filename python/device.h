#pragma once
#include <nanobind/nanobind.h>

// Adds the functions for arrays in the memory of CUDA devices.
void bindDevice(nanobind::module_& module);
