#pragma once
#include <nanobind/nanobind.h>

#include <deque>
#include <string>
#include <vector>

#include "satdof/lens.h"

// Adds the functions for arrays in the memory of CUDA devices to the module.
void bindDevice(nanobind::module_& module);

// Options from a dictionary of numbers, bools and names. The options refer to `texts`, which gets all
// strings.
std::vector<satdof::lens::Option> optionsOf(const nanobind::dict& given, std::deque<std::string>& texts);
