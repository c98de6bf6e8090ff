#pragma once
#include <nanobind/nanobind.h>

#include <deque>
#include <string>
#include <vector>

#include "satdof/lens.h"

// Adds the functions for arrays in the memory of CUDA devices.
void bindDevice(nanobind::module_& module);

// Floats, switches and names, by option. The options refer to `texts`.
std::vector<satdof::lens::Option> optionsOf(const nanobind::dict& given, std::deque<std::string>& texts);
